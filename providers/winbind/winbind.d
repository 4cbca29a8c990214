/* SPDX-License-Identifier: BSD-2-Clause */

/* Names of values. The usual NTSTATUS, of [MS-ERREF] 2.3.1. */
enum winbind_status {
	OK, NO_MORE_ENTRIES = 0x8000001a, SOME_NOT_MAPPED = 0x00000107,
	UNSUCCESSFUL = 0xc0000001, NOT_IMPLEMENTED = 0xc0000002,
	INVALID_PARAMETER = 0xc000000d, NO_MEMORY = 0xc0000017,
	ACCESS_DENIED = 0xc0000022, OBJECT_NAME_NOT_FOUND = 0xc0000034,
	NO_LOGON_SERVERS = 0xc000005e,
	NO_SUCH_USER = 0xc0000064, NO_SUCH_GROUP = 0xc0000066,
	WRONG_PASSWORD = 0xc000006a, LOGON_FAILURE = 0xc000006d,
	ACCOUNT_RESTRICTION = 0xc000006e, PASSWORD_EXPIRED = 0xc0000071,
	ACCOUNT_DISABLED = 0xc0000072, NONE_MAPPED = 0xc0000073,
	INVALID_SID = 0xc0000078, PIPE_BROKEN = 0xc000014b,
	IO_TIMEOUT = 0xc00000b5, NO_SUCH_DOMAIN = 0xc00000df,
	TRUSTED_DOMAIN_FAILURE = 0xc000018c,
	TRUSTED_RELATIONSHIP_FAILURE = 0xc000018d,
	CONNECTION_DISCONNECTED = 0xc000020c, NOT_FOUND = 0xc0000225,
	DOMAIN_CONTROLLER_NOT_FOUND = 0xc0000233,
	ACCOUNT_LOCKED_OUT = 0xc0000234, CONNECTION_REFUSED = 0xc0000236,
	HOST_UNREACHABLE = 0xc000023d
};
enum winbind_cache { IDMAP, NAMES, ENTRIES, REPLIES };
enum winbind_found { MISS, HIT, EXPIRED };
#pragma sdtkit names winbind_status status
#pragma sdtkit names winbind_cache cache
#pragma sdtkit names winbind_found found

/* A request of a client, until its reply is made. */
#pragma sdtkit span request start=request_start end=request_end,request_cancel \
	key=cli name=name error=status ok=OK,NO_MORE_ENTRIES
/* A call to a child, as a part of a request: it waits, then the child works. */
#pragma sdtkit span call start=call_start end=call_done key=call name=name \
	error=status ok=OK,NO_MORE_ENTRIES,SOME_NOT_MAPPED parent=request(cli)
/* A call waits for a child that has nothing else to do. */
#pragma sdtkit span queue start=call_start end=call_sent key=call name=domain \
	parent=call
/* A child does what was called. */
#pragma sdtkit span run start=run_start end=run_done key=tid name=name \
	error=status ok=OK,NO_MORE_ENTRIES,SOME_NOT_MAPPED
/* A child connects to a domain controller, in up to three attempts. */
#pragma sdtkit span connect start=connect_start end=connect_done key=tid \
	name=connect_start.domain error=status
/* A domain controller was found: the child logs in. */
#pragma sdtkit span attempt start=attempt_start end=attempt_done key=tid \
	name=dc error=status parent=connect
/* A child lives. */
#pragma sdtkit span child start=child_start end=child_end key=pid name=domain

/*
 * The requests to winbindd, what it asks its children, what they do, and how
 * they connect to domain controllers.
 *
 * These fire for a request, in the process that clients connect to:
 *   request_start
 *   cache_lookup      what was known, also in a child
 *   call_start        not known: a child is asked, once or often
 *   call_sent         a child has nothing else to do: it gets the call
 *   call_done
 *   request_end       or request_cancel, if the client is gone
 * and in the child:
 *   run_start, run_done         between call_sent and call_done
 *   connect_start, attempt_start, attempt_done, connect_done
 *                               if it has no connection, mostly within a run
 *
 * Keys: (pid, cli) for a request: a client has one at a time. (pid, call) for a
 * call, which has the cli of its request. (pid, tid) in the children. trace_id
 * is what `winbind debug traceid` puts into the log, in parent and child. No
 * call_done follows if nobody waits for the call any more.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64); no probe here has
 * more arguments. Strings are never NULL: an unknown string is "".
 */
provider winbind {
	/*
	 * A client's request is about to be served.
	 * Fires for each request. Partner: request_end or request_cancel,
	 * by (pid, cli). In Samba: process_request_send().
	 */
	probe request_start(
		void *cli,		/* the client */
		sdtkit_str_t name,	/* request: "GETPWNAM", "PAM_AUTH"...,
					 * "unknown request" */
		int pid,		/* process of the client */
		sdtkit_str_t client,	/* name that the client gives itself,
					 * mostly that of its program */
		uint64_t trace_id);	/* as in the log, 0 without `winbind
					 * debug traceid` */

	/*
	 * The reply to a request is made and is about to be written.
	 * Partner: request_start, by (pid, cli). In Samba:
	 * process_request_done(), process_request_send().
	 */
	probe request_end(
		void *cli,		/* the client */
		uint32_t status);	/* NTSTATUS; UNSUCCESSFUL for what needs
					 * no wait and fails, or is unknown */

	/*
	 * A client is gone, or is sent away, while its request has no reply.
	 * winbindd sends clients away that take too long. Partner:
	 * request_start, by (pid, cli). In Samba: remove_client().
	 */
	probe request_cancel(
		void *cli);		/* the client */

	/*
	 * What a request needs may be in a cache.
	 * Fires where a cache is asked, in the parent or a child, and not where
	 * none is used, as for the names of the local SAM. No partner. In
	 * Samba: wb_sids2xids_in_cache(), wcache_fetch() and others.
	 */
	probe cache_lookup(
		int cache,		/* 0 SIDs with UIDs and GIDs, 1 SIDs
					 * with names, 2 entries of
					 * winbindd_cache.tdb, 3 replies of
					 * children, kept there too */
		int found,		/* 0 no, 1 yes, 2 yes, but too old */
		sdtkit_str_t key,	/* SID, UID or GID, name, record,
					 * name of the call */
		sdtkit_str_t domain);	/* domain, "" if it is not known */

	/*
	 * A child is to be asked.
	 * Not for what was in the cache of replies. Partners: call_sent and
	 * call_done, by (pid, call). In Samba: wbint_bh_raw_call_send().
	 */
	probe call_start(
		void *call,		/* the call */
		void *cli,		/* its request's client, NULL if it is
					 * winbindd's own */
		sdtkit_str_t name,	/* call: "wbint_LookupSid"... */
		sdtkit_str_t domain,	/* domain of the child, "(idmap)" or
					 * "(locator)" */
		uint64_t waiting,	/* calls that wait already, for any
					 * child of the domain, or for this
					 * child */
		uint64_t trace_id);	/* as in the log, of the request */

	/*
	 * A child gets the call, after it was started if there was none.
	 * Partners: call_start and call_done, by (pid, call). In Samba:
	 * wb_child_request_waited().
	 */
	probe call_sent(
		void *call,		/* the call */
		int child);		/* process of the child */

	/*
	 * The reply of a child is there, or there will be none.
	 * Partner: call_start, by (pid, call). In Samba:
	 * wbint_bh_raw_call_child_done(), wbint_bh_raw_call_domain_done().
	 */
	probe call_done(
		void *call,		/* the call */
		uint32_t status);	/* NTSTATUS that the child returns, or
					 * why there is no reply */

	/*
	 * A child begins to do what was called.
	 * Partner: run_done, by (pid, tid). In Samba: winbindd_dual_ndrcmd().
	 */
	probe run_start(
		sdtkit_str_t name,	/* call: "wbint_LookupSid"... */
		sdtkit_str_t domain,	/* domain of the child, "" if it has
					 * none */
		uint64_t trace_id);	/* as in the log, of the request */

	/*
	 * A child is done and about to reply.
	 * Partner: run_start, by (pid, tid). In Samba: winbindd_dual_ndrcmd().
	 */
	probe run_done(
		uint32_t status);	/* NTSTATUS */

	/*
	 * There is no connection to a domain controller, and there has to be.
	 * Partner: connect_done, by (pid, tid). In Samba: cm_open_connection(),
	 * in 4.17 after the preferred one was looked for.
	 */
	probe connect_start(
		sdtkit_str_t domain,	/* domain */
		sdtkit_str_t dc);	/* controller of the connection before,
					 * "" if there was none */

	/*
	 * There is a connection, or the attempts have failed.
	 * Partner: connect_start, by (pid, tid). In Samba:
	 * cm_open_connection().
	 */
	probe connect_done(
		uint32_t status,	/* NTSTATUS */
		sdtkit_str_t dc);	/* controller, "" if none was found */

	/*
	 * A domain controller has taken the connection: negotiate and log in.
	 * Fires up to three times between connect_start and connect_done.
	 * Partner: attempt_done, by (pid, tid). In Samba:
	 * cm_prepare_connection().
	 */
	probe attempt_start(
		sdtkit_str_t dc,	/* controller */
		sdtkit_str_t domain);	/* domain */

	/*
	 * A domain controller has answered, or not.
	 * Partner: attempt_start, by (pid, tid). In Samba:
	 * cm_prepare_connection().
	 */
	probe attempt_done(
		uint32_t status,	/* NTSTATUS */
		int retry);		/* 1 another attempt may follow */

	/*
	 * A connection to a domain controller is about to be closed.
	 * Fires for one that is broken, too, which was noticed only now. A
	 * connect_start mostly follows. No partner. In Samba:
	 * invalidate_cm_connection().
	 */
	probe disconnect(
		sdtkit_str_t domain,	/* domain */
		sdtkit_str_t dc);	/* controller */

	/*
	 * A domain goes offline for this process: no controller can be used.
	 * Requests are answered from caches until a connect_done has status 0.
	 * No partner. In Samba: set_domain_offline().
	 */
	probe offline(
		sdtkit_str_t domain);	/* domain */

	/*
	 * A child was started and is ready.
	 * Fires in the parent, when the first call needs the child, and again
	 * after it has died. Partner: child_end, by the pid given here. In
	 * Samba: fork_domain_child().
	 */
	probe child_start(
		int pid,		/* the child */
		sdtkit_str_t domain);	/* its domain, "(idmap)" or
					 * "(locator)" */

	/*
	 * A child is dead.
	 * Fires in the parent. Partner: child_start, by the pid given here. In
	 * Samba: winbind_child_died().
	 */
	probe child_end(
		int pid);		/* the child */
};
