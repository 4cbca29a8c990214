/* SPDX-License-Identifier: BSD-2-Clause */
#pragma sdtkit nowarn bpftrace-args

/* Names of values. */
enum ctdb_op { CALL, CONTROL = 7 };
enum ctdb_control {			/* those that smbd sends */
	GETDBPATH = 4, DB_ATTACH = 18, TRAVERSE_START = 20,
	REGISTER_SRVID = 23, DEREGISTER_SRVID, ENABLE_SEQNUM = 26,
	GET_PNN = 35, TCP_CLIENT = 44, DB_ATTACH_PERSISTENT = 61,
	GET_PUBLIC_IPS = 90, GET_NODEMAP, REGISTER_NOTIFY = 114,
	DEREGISTER_NOTIFY, TRANS3_COMMIT = 119, SCHEDULE_FOR_DELETION = 128,
	SET_DB_READONLY, DB_OPEN_FLAGS = 149, CHECK_PID_SRVID = 151,
	TCP_CLIENT_DISCONNECTED = 159, TCP_CLIENT_PASSED, PUSH_RECORD = 162
};
enum ctdb_lock_type { RECORD, DATABASE };
#pragma sdtkit names ctdb_op op
#pragma sdtkit names ctdb_control opcode
#pragma sdtkit names ctdb_lock_type type

/* A request to the cluster daemon. */
#pragma sdtkit span request start=request_start end=request_done \
	key=conn,reqid name=op,opcode error=ret sum=length
/* The process blocks until the reply is there. */
#pragma sdtkit span wait start=wait_start end=wait_done key=conn,reqid \
	error=ret parent=request
/* A record is locked, after it was moved to this node if need be. */
#pragma sdtkit span fetch end=fetch_locked duration=total_usec name=db_name \
	sum=migrations,chainlock_usec,ctdb_usec

/* ctdbd: a client's call, until it is answered. */
#pragma sdtkit span call end=call_answered duration=elapsed_usec name=db_name \
	error=status
/* ctdbd: another node has the record of a call, until it is here. */
#pragma sdtkit span migrate start=migrate_start end=migrate_done key=state \
	name=db_name sum=length
/* ctdbd: the lock of a record is held by somebody else, until ctdbd has it. */
#pragma sdtkit span lock end=lock_done duration=elapsed_usec \
	name=db_name,type error=ok ok=1
/* ctdbd: the leader of the cluster makes the databases of all nodes equal. */
#pragma sdtkit span recovery start=recovery_start end=recovery_done key=tid \
	error=status
/* ctdbd: the leader gives the public addresses to the nodes. */
#pragma sdtkit span takeover start=takeover_start end=takeover_done key=tid \
	error=ok ok=1 parent=recovery

/*
 * The requests of a clustered server to its cluster daemon, the time that it
 * waits for them, and what the daemon, ctdbd, does.
 *
 * A request that blocks fires request_start, wait_start, wait_done and
 * request_done, in one thread. A request that does not block (async 1) fires
 * request_start, and request_done from the event loop. Other work goes on
 * meanwhile, so never add the times of such requests to the time of waiting.
 * "Time waiting for ctdb" is the sum of the times from wait_start to wait_done.
 *
 * Key: (pid, conn, reqid). reqids count per connection, and blocking and async
 * requests use different connections. In a server with threads wait_start and
 * wait_done pair by tid as well.
 *
 * fetch_locked is about one record: it tells how often the record had to be
 * moved to this node before it could be locked.
 *
 * In ctdbd, a call is counted where the client is (call_answered), and once more
 * on the node that has the record (call_served). In between it is sent from node
 * to node, as each knows only who should have the record. Recovery and takeover
 * run in a process of their own, ctdb_recoverd.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64), D has arg0 to arg9;
 * no probe has more than eight arguments. Strings are never NULL: an unknown
 * string is "".
 */
provider ctdb {
	/*
	 * A request is about to be written to the cluster daemon.
	 * Partner: request_done, by (pid, conn, reqid). It is missing for a
	 * control that wants no reply, and for an async request that is
	 * dropped. In Samba: ctdbd_control(), ctdbd_migrate(), ctdbd_parse(),
	 * ctdbd_parse_send().
	 */
	probe request_start(
		void *conn,		/* connection to the daemon */
		uint32_t reqid,		/* number of the request on it */
		uint32_t op,		/* 0 CALL (fetch or migrate a record), 7
					 * CONTROL */
		uint32_t db_id,		/* database of a CALL, 0 in a CONTROL */
		uint32_t opcode,	/* which CONTROL, see ctdb's protocol.h;
					 * 0 in a CALL */
		uint32_t destnode,	/* node of a CONTROL, 0xf0000001 this
					 * one; 0 in a CALL, the daemon knows
					 * where */
		uint64_t length,	/* bytes of the packet */
		int async);		/* 1 asynchronous, 0 the caller
					 * blocks */

	/*
	 * The reply to a request has come, or never will.
	 * Fires before the reply is read: ret does not tell whether the daemon
	 * reports an error. Partner: request_start, by (pid, conn, reqid).
	 */
	probe request_done(
		void *conn,		/* connection to the daemon */
		uint32_t reqid,		/* number of the request */
		int ret,		/* 0 a reply is there, else errno or
					 * -1 */
		int async);		/* as in request_start */

	/*
	 * The process blocks until the cluster daemon replies.
	 * Messages that come meanwhile are handled before it continues to wait,
	 * so message_received may fire before wait_done. Partner: wait_done, by
	 * (pid, conn, reqid).
	 */
	probe wait_start(
		void *conn,		/* connection to the daemon */
		uint32_t reqid);	/* request it waits for, 0 takes any
					 * reply */

	/*
	 * The process has the reply of the cluster daemon and continues.
	 * Partner: wait_start, by (pid, conn, reqid).
	 */
	probe wait_done(
		void *conn,		/* connection to the daemon */
		uint32_t reqid,		/* request it waited for */
		int ret);		/* 0 a reply is there, else errno: of
					 * reading it, or of a message that came
					 * meanwhile */

	/*
	 * A record of a clustered database was locked, perhaps after moving it
	 * here.
	 * Fires on success only, once per record. The total includes the
	 * chainlock and the ctdb time. Does not fire for persistent databases
	 * or within transactions. No partner. In Samba: fetch_locked_internal()
	 * in dbwrap_ctdb.c.
	 */
	probe fetch_locked(
		uint32_t db_id,		/* database */
		sdtkit_str_t db_name,	/* its name, the path of the local
					 * copy */
		int migrations,		/* times it was fetched from another
					 * node, 0 it was here */
		uint64_t total_usec,	/* microseconds in all */
		uint64_t chainlock_usec,	/* of these, waiting for the
						 * local lock */
		uint64_t ctdb_usec,	/* of these, waiting for the daemon */
		uint64_t key_len);	/* length of the record's key */

	/*
	 * A message came from the cluster daemon.
	 * Fires before the callbacks for its srvid run, also if there are none.
	 * It may fire between wait_start and wait_done. No partner.
	 */
	probe message_received(
		void *conn,		/* connection to the daemon */
		uint32_t srcnode,	/* node of the sender */
		uint64_t srvid,		/* address it was sent to: a process, or
					 * a service */
		uint64_t length);	/* bytes of data, without header */

	/*
	 * A message is about to be given to the cluster daemon.
	 * There is no reply and no partner. In the receiver a message_received
	 * with the same srvid fires.
	 */
	probe message_sent(
		void *conn,		/* connection to the daemon */
		uint32_t dstnode,	/* node of the receiver */
		uint64_t srvid,		/* address: a process, or a service */
		uint64_t length);	/* bytes of data, without header */

	/*
	 * ctdbd has answered a client's call.
	 * Fires on the client's node, for each call that ctdb counts in
	 * `call_latency`: those that are put off fire when they are tried again
	 * and answered. No partner: elapsed_usec has the time. In Samba:
	 * daemon_call_from_client_callback().
	 */
	probe call_answered(
		sdtkit_str_t db_name,	/* database */
		int status,		/* 0 answered, else an error */
		uint64_t elapsed_usec);	/* microseconds since it began */

	/*
	 * ctdbd has the record that a call is for.
	 * Fires on the node that has the record, for calls that were sent to
	 * another node. Then the record is moved to the node of the call. No
	 * partner. In Samba: ctdb_request_call().
	 */
	probe call_served(
		sdtkit_str_t db_name,	/* database */
		uint32_t hops,		/* nodes that sent it on before */
		uint32_t srcnode);	/* node of the client */

	/*
	 * ctdbd asks another node for a record.
	 * Partner: migrate_done, by (pid, state). It is missing if the call is
	 * answered without moving the record, as with a copy that is only read,
	 * or if the record has come here meanwhile, or if the client is gone.
	 * In Samba: ctdb_daemon_call_send_remote().
	 */
	probe migrate_start(
		void *state,		/* the call */
		sdtkit_str_t db_name,	/* database */
		uint32_t destnode);	/* node that is asked */

	/*
	 * A record was moved to this node.
	 * Partner: migrate_start. In Samba: ctdb_become_dmaster().
	 */
	probe migrate_done(
		void *state,		/* the call */
		sdtkit_str_t db_name,	/* database */
		uint32_t srcnode,	/* node that sent it */
		uint64_t length);	/* bytes of data */

	/*
	 * ctdbd has waited for a lock that somebody else had.
	 * Fires when a helper has got it, or has not. No partner: elapsed_usec
	 * has the time. A lock that is free is taken without this probe. In
	 * Samba: ctdb_lock_handler().
	 */
	probe lock_done(
		sdtkit_str_t db_name,	/* database */
		int type,		/* 0 of a record, 1 of the database */
		int ok,			/* 1 locked, 0 failed */
		uint64_t elapsed_usec);	/* microseconds of waiting */

	/*
	 * The leader begins a recovery.
	 * Partner: recovery_done, by (pid, tid). In Samba: do_recovery().
	 */
	probe recovery_start(
		uint32_t culprit);	/* node that made it necessary */

	/*
	 * A recovery has ended.
	 * Partner: recovery_start.
	 */
	probe recovery_done(
		int status);		/* 0 complete, -1 failed: it is tried
					 * again */

	/*
	 * The leader begins to give public addresses to nodes.
	 * Fires within a recovery, and without one if a node became healthy or
	 * unhealthy. Partner: takeover_done, by (pid, tid). In Samba:
	 * do_takeover_run().
	 */
	probe takeover_start(
		uint32_t leader);	/* node that does it */

	/*
	 * The nodes have their public addresses.
	 * Partner: takeover_start.
	 */
	probe takeover_done(
		int ok);		/* 1 complete, 0 failed: it is tried
					 * again */
};
