/* SPDX-License-Identifier: BSD-2-Clause */
#pragma sdtkit nowarn bpftrace-args

/* Names of values. */
enum ctdb_op { CALL, CONTROL = 7 };
#pragma sdtkit names ctdb_op op

/* A request to the cluster daemon. */
#pragma sdtkit span request start=request_start end=request_done \
	key=conn,reqid name=op,opcode error=ret sum=length
/* The process blocks until the reply is there. */
#pragma sdtkit span wait start=wait_start end=wait_done key=conn,reqid \
	error=ret parent=request

/*
 * The requests of a clustered server to its cluster daemon, and the time that
 * it waits for them.
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
};
