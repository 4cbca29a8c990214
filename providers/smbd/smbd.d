/* SPDX-License-Identifier: BSD-2-Clause */

/* Names of values: of messages, those that a server of files sends most. */
enum smbd_message {
	DISCONNECT_SHARE = 0x302, BREAK_OPLOCK = 0x306, CLOSE_FILE = 0x313,
	WATCH_DIRECTORY = 0x31a, DIRECTORY_CHANGED
};
enum smbd_role { SERVER, CLIENT };
enum smbd_result {			/* NTSTATUS, [MS-ERREF] 2.3.1 */
	OK, MORE_PROCESSING_REQUIRED = 0xc0000016,
	INVALID_PARAMETER = 0xc000000d, ACCESS_DENIED = 0xc0000022,
	NO_LOGON_SERVERS = 0xc000005e, NO_SUCH_USER = 0xc0000064,
	WRONG_PASSWORD = 0xc000006a, LOGON_FAILURE = 0xc000006d,
	ACCOUNT_RESTRICTION = 0xc000006e, PASSWORD_EXPIRED = 0xc0000071,
	ACCOUNT_DISABLED = 0xc0000072, ACCOUNT_LOCKED_OUT = 0xc0000234
};
#pragma sdtkit names smbd_message type
#pragma sdtkit names smbd_role role
#pragma sdtkit names smbd_result result

/* A process serves a client; its main thread is the key. */
#pragma sdtkit span client start=client_start end=exit key=tid \
	name=client_start.remote error=how
/* The main event loop waits. */
#pragma sdtkit span idle start=idle_begin end=idle_end key=ev
/* A child of the listening process lives. */
#pragma sdtkit span child start=child_start end=child_exit key=pid error=status
/* A round of an authentication, by its mechanism. */
#pragma sdtkit span auth start=auth_start end=auth_done key=round \
	name=mechanism,result error=result ok=OK,MORE_PROCESSING_REQUIRED

/*
 * The life of the server's processes and the messages between them.
 *
 * The server forks a process per client. This process fires client_start, then
 * idle_begin and idle_end over and over, and exit. Their parent fires
 * child_start and child_exit; it has children of other kinds too. Recognise the
 * processes that serve clients by client_start or smbnet:connection_start, not
 * by their name, because smbd changes it.
 *
 * Key: pid. Drop the state of a process at exit. A process that is killed fires
 * nothing; use child_exit in its parent, or sched:sched_process_exit of the
 * kernel. A pid may be used again.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64); no probe here has
 * more arguments. Strings are never NULL: an unknown string is "".
 */
provider smbd {
	/*
	 * A process starts to serve its client.
	 * Fires once per process, after smbnet:connection_start of its first
	 * connection and before the first event. Partner: exit, by pid. In
	 * Samba: smbd_process().
	 */
	probe client_start(
		void *client,		/* the client: one per process */
		sdtkit_str_t remote,	/* address of the client,
					 * "ipv4:192.0.2.7:50123" */
		sdtkit_str_t local,	/* address of the server, likewise */
		int sock);		/* socket of the first connection */

	/*
	 * A process of the server is about to exit.
	 * Fires once, after its sessions, trees and connections have ended with
	 * probes of their own; locks and messages may still follow. The stack
	 * (ustack) shows which function decided it. Processes that crash, are
	 * killed or replaced fire nothing. Partner: client_start, by pid, if
	 * there was a client. In Samba: exit_server_common().
	 */
	probe exit(
		int how,		/* 0 regular, 1 abnormal */
		sdtkit_str_t reason,	/* why, in words, "" if none was
					 * given */
		sdtkit_str_t remote,	/* address of the client, "" without
					 * one */
		int am_parent,		/* 1 in the process that listens,
					 * else 0 */
		uint64_t num_requests);	/* PDUs served, a compound counts
					 * once */

	/*
	 * The server disconnects a client, with all its connections. smbd:exit
	 * follows.
	 * Fires where the server cannot react otherwise, for example to a
	 * failed oplock break or lack of memory. No partner. In Samba:
	 * smbd_server_disconnect_client_ex().
	 */
	probe disconnect_client(
		sdtkit_str_t remote,	/* address of the client */
		sdtkit_str_t reason,	/* name of a status or a sentence */
		sdtkit_str_t location);	/* where in the server: "file:line" */

	/*
	 * The listening process has forked a child for a new connection.
	 * Fires in the parent, but not if fork() failed. The child may have
	 * fired probes of its own before. Partner: child_exit, by the pid given
	 * here. In Samba: smbd_accept_connection().
	 */
	probe child_start(
		int pid,		/* the child */
		int sock,		/* socket of the connection, in the
					 * parent */
		int num_children);	/* children now, with this one */

	/*
	 * The listening process has reaped a child.
	 * Fires in the parent, also for children of other kinds, which had no
	 * child_start. Partner: child_start, by the pid given here. In Samba:
	 * smbd_sig_chld_handler().
	 */
	probe child_exit(
		int pid,		/* the child */
		int status,		/* as from waitpid(): code in bits 8 to
					 * 15, signal in bits 0 to 6 */
		int num_children);	/* children before it is taken off */

	/*
	 * A process has nothing to do and waits for events.
	 * Fires for the main event loop only: a wait in a nested loop, within a
	 * request, counts as work here (tevent:wait_begin fires for all waits).
	 * Does not fire in a round that finds something to do at once and does
	 * not wait. Partner: idle_end, by pid.
	 */
	probe idle_begin(
		void *ev);		/* the event context */

	/*
	 * A process that waited has events to handle.
	 * If tracing begins while a process runs, begin to count its time at
	 * its first idle_end. Partner: idle_begin, by pid.
	 */
	probe idle_end(
		void *ev);		/* the event context */

	/*
	 * A message is about to be sent to a process of the server.
	 * It may fail, because that process may be gone; no probe tells.
	 * Partner: message_received in that process, but not for messages to
	 * the process itself. Several messages may be on the way, so match them
	 * by type and order. In Samba: messaging_send_iov_from().
	 */
	probe message_send(
		uint32_t type,		/* message type: 0x306 break an oplock,
					 * 0x31a watch a directory, 0x31b it
					 * changed, 0x302 disconnect a share,
					 * 0x313 close a file... */
		uint32_t vnn,		/* node of the receiver in a cluster,
					 * 0xffffffff without a cluster */
		uint64_t pid,		/* the receiver */
		uint64_t length,	/* bytes of data, without header */
		int num_fds);		/* file descriptors passed along */

	/*
	 * A message from another process is about to be handled.
	 * Does not fire for messages to the process itself. Partner:
	 * message_send in the sender. In Samba: messaging_recv_cb().
	 */
	probe message_received(
		uint32_t type,		/* message type, as in message_send */
		uint32_t vnn,		/* node of the sender, as there */
		uint64_t pid,		/* the sender */
		uint64_t length);	/* bytes of data, without header */

	/*
	 * The remains of an abandoned durable handle were cleaned up.
	 * Fires when the client of a disconnected durable open has not come
	 * back in time, in a process that does only this. No partner. In Samba:
	 * scavenger_timer().
	 */
	probe scavenge(
		uint64_t persistent_id,	/* persistent file id of the open */
		int ok);		/* 1 share modes and locks are gone, 0
					 * failed or in use again */

	/*
	 * Something changed in a directory that clients may be watching.
	 * Fires at the change, whether or not a client watches. A message to
	 * the process that knows the watchers follows. No partner. In Samba:
	 * notify_trigger().
	 */
	probe notify_trigger(
		uint32_t action,	/* 1 added, 2 removed, 3 modified, 4 old
					 * name, 5 new name, 6 to 8 the first
					 * three for streams */
		uint32_t filter,	/* bits a watcher must have set: 1 file
					 * name, 2 directory name, 4 attributes,
					 * 8 size, 0x10 write time... */
		sdtkit_str_t dir,	/* directory, absolute */
		sdtkit_str_t name);	/* what changed, relative to dir */

	/*
	 * A mechanism is given what the other side sent.
	 * An authentication has several rounds; spnego runs the mechanism that
	 * was agreed on within its own. Fires in all processes that
	 * authenticate others, or themselves. Partner: auth_done, by (pid,
	 * round); it is missing if the connection ends meanwhile. In Samba:
	 * gensec_update_send().
	 */
	probe auth_start(
		void *round,		/* the round */
		sdtkit_str_t mechanism,	/* "spnego", "ntlmssp",
					 * "gse_krb5"... */
		int role);		/* 0 authenticates a client, 1 is the
					 * client */

	/*
	 * The mechanism has a result, or wants another round.
	 * Partner: auth_start.
	 */
	probe auth_done(
		void *round,		/* the round */
		sdtkit_str_t mechanism,	/* as in auth_start */
		uint32_t result);	/* NTSTATUS: 0 authenticated, then the
					 * session is set up; 0xc0000016
					 * another round */

	/*
	 * ratelimitd gets the report of a process about a share with limits.
	 * Fires in Samba 4.25 and later. No partner. In Samba:
	 * update_process_activity().
	 */
	probe rate_report(
		sdtkit_str_t share,	/* the share */
		sdtkit_str_t op,	/* "read" or "write" */
		int pid,		/* process that reports */
		int64_t iops,		/* operations a second, of late */
		uint32_t inflight);	/* operations that are under way */

	/*
	 * ratelimitd tells all nodes how many processes share a limit here.
	 * Each of them gets its part of the limit then. Fires once a second for
	 * each share and operation in use, in Samba 4.25 and later. No partner.
	 * In Samba: broadcast_summary().
	 */
	probe rate_summary(
		sdtkit_str_t share,	/* the share */
		sdtkit_str_t op,	/* "read" or "write" */
		int processes);		/* processes of this node */
};
