/* SPDX-License-Identifier: BSD-2-Clause */
#pragma sdtkit nowarn bpftrace-args

/*
 * What a clustered server asks of its cluster daemon, and how long it waits.
 *
 * A request that blocks: request_start, wait_start, wait_done, request_done, in
 * one thread. One that does not (async 1): request_start, and request_done from
 * the event loop; other work goes on meanwhile, so never add these to the time
 * of waiting. "Time waiting for ctdb" is the sum of wait_start to wait_done.
 *
 * Keys: (pid, conn, reqid). reqids count per connection, and blocking and async
 * requests use different connections. In a server with threads wait_start to
 * wait_done pairs by tid as well.
 *
 * fetch_locked has the story of one record: how often it had to be moved to
 * this node before it could be locked.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64), D has arg0 to arg9:
 * no probe has more than eight. Strings are never NULL: what is not known is
 * "".
 */
provider ctdb {
	/*
	 * A request is about to be written to the cluster daemon.
	 * Partner: request_done, by (pid, conn, reqid). A control that wants no
	 * reply has none, nor has an async request that is dropped. In Samba:
	 * ctdbd_control(), ctdbd_migrate(), ctdbd_parse(), ctdbd_parse_send().
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
	 * Fires before the reply is looked at: ret does not tell what the
	 * daemon thinks. Partner: request_start, by (pid, conn, reqid).
	 */
	probe request_done(
		void *conn,		/* connection to the daemon */
		uint32_t reqid,		/* number of the request */
		int ret,		/* 0 a reply is there, else errno or
					 * -1 */
		int async);		/* as in request_start */

	/*
	 * The process blocks until the cluster daemon replies.
	 * Messages that come in between are handled before it goes on waiting,
	 * so message_received may fire inside. Partner: wait_done, by (pid,
	 * conn, reqid).
	 */
	probe wait_start(
		void *conn,		/* connection to the daemon */
		uint32_t reqid);	/* request it waits for, 0 takes any
					 * reply */

	/*
	 * The process has its reply from the cluster daemon and goes on.
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
	 * Fires on success only, once per record; chainlock and ctdb time are
	 * both inside the total. Not for persistent databases and not inside
	 * transactions. No partner. In Samba: fetch_locked_internal() in
	 * dbwrap_ctdb.c.
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
	 * Fires before the callbacks for its srvid run, also if there are none;
	 * inside a wait_start too. No partner.
	 */
	probe message_received(
		void *conn,		/* connection to the daemon */
		uint32_t srcnode,	/* node of the sender */
		uint64_t srvid,		/* address it was sent to: a process, or
					 * a service */
		uint64_t length);	/* bytes of data, without header */

	/*
	 * A message is about to be given to the cluster daemon.
	 * No reply and no partner; in the receiver it is a message_received
	 * with the same srvid.
	 */
	probe message_sent(
		void *conn,		/* connection to the daemon */
		uint32_t dstnode,	/* node of the receiver */
		uint64_t srvid,		/* address: a process, or a service */
		uint64_t length);	/* bytes of data, without header */
};
