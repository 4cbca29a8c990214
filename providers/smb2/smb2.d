/* SPDX-License-Identifier: BSD-2-Clause */
#pragma sdtkit nowarn bpftrace-args dtrace-args provider-digit

/* Names of values. The enumerators of a description share one scope. */
enum smb2_command {			/* [MS-SMB2] 2.2.1.2 */
	NEGOTIATE, SESSION_SETUP, LOGOFF, TREE_CONNECT, TREE_DISCONNECT,
	CREATE, CLOSE, FLUSH, READ, WRITE, LOCK, IOCTL, CANCEL, ECHO,
	QUERY_DIRECTORY, CHANGE_NOTIFY, QUERY_INFO, SET_INFO, OPLOCK_BREAK
};
enum smb2_disposition {			/* 2.2.13 */
	FILE_SUPERSEDE, FILE_OPEN, FILE_CREATE, FILE_OPEN_IF,
	FILE_OVERWRITE, FILE_OVERWRITE_IF
};
enum smb2_create_action {		/* 2.2.14 */
	FILE_SUPERSEDED, FILE_OPENED, FILE_CREATED, FILE_OVERWRITTEN
};
enum smb2_oplock_level {		/* 2.2.13 */
	OPLOCK_NONE, OPLOCK_LEVEL_II, OPLOCK_EXCLUSIVE = 8, OPLOCK_BATCH,
	OPLOCK_LEASE = 0xff
};
enum smb2_dialect {			/* 2.2.4 */
	SMB_2_0_2 = 0x202, SMB_2_1 = 0x210, SMB_3_0 = 0x300,
	SMB_3_0_2 = 0x302, SMB_3_1_1 = 0x311
};
enum smb2_cipher {			/* 2.2.3.1.2 */
	NO_CIPHER, AES_128_CCM, AES_128_GCM, AES_256_CCM, AES_256_GCM
};
enum smb2_sign_algo {			/* 2.2.3.1.7 */
	HMAC_SHA256, AES_CMAC, AES_GMAC
};
#pragma sdtkit names smb2_command opcode
#pragma sdtkit names smb2_disposition disposition
#pragma sdtkit names smb2_create_action create_action
#pragma sdtkit names smb2_oplock_level oplock_level
#pragma sdtkit names smb2_dialect dialect
#pragma sdtkit names smb2_cipher cipher
#pragma sdtkit names smb2_sign_algo sign_algo

/*
 * A command, from its dispatch to the queued reply.
 * While it is suspended it waits. Four statuses are no errors, whichever
 * command has them: see request_end. The end tells the time, so that a tool
 * which only counts needs no hit at the start.
 */
#pragma sdtkit span request start=request_start
#pragma sdtkit span request end=request_details,request_cancel
#pragma sdtkit span request suspend=request_suspend resume=request_resume
#pragma sdtkit span request duration=elapsed_ns key=req name=opcode
#pragma sdtkit span request \
	sum=request_details.in_bytes/bytes,out_bytes
#pragma sdtkit span request error=status \
	ok=0,0xc0000016,0x80000006,0xc0000120,0xc0000011
/* An open, from its last attempt on: a deferred one begins again. */
#pragma sdtkit span create start=create_start end=create_done key=req \
	name=disposition error=status parent=request
/* A READ that is served. */
#pragma sdtkit span read start=read_start end=read_done key=req \
	error=status ok=0,0xc0000011 sum=nread parent=request
/* A WRITE that is served. */
#pragma sdtkit span write start=write_start end=write_done key=req \
	error=status sum=nwritten parent=request
/* A user is logged on. */
#pragma sdtkit span session start=session_start end=session_end \
	key=session_id name=user
/* A share is connected. */
#pragma sdtkit span tree start=tree_start end=tree_end \
	key=session_id,tree_id name=share parent=session(session_id)

/*
 * SMB2 and SMB3 commands, from their dispatch to the queued reply.
 *
 * These probes fire for a command. Only the first is certain:
 *   request_start
 *   request_exec                  not if it is rejected early
 *   request_suspend               it waits: disk, lock, notify, oplock
 *   request_pending               the client is told that it waits
 *   request_resume, request_exec  a deferred CREATE runs again
 *   request_end                   not for CANCEL, nor if the client is gone
 *
 * Pair by (pid, req). req is the address of the request in the server. It is
 * unique in its process while the request lives, and shared by the elements of
 * a compound, which run one after another. mid is not a key: CANCEL carries the
 * mid of the command that it cancels, and with multi-channel a process has
 * several connections that all count their mids from 0. For state that outlives
 * a request, use (pid, xconn), (pid, session_id) or (pid, fnum).
 *
 * The time from request_start to request_end is the time of service, waiting
 * included. The time of running is from start or resume to suspend or end, plus
 * the last event of a suspended command, in which it gets its result. The reply
 * is not sent at request_end: signing, encryption and the disk reads of a
 * sendfile READ follow. For the client the request ends at smbnet:pdu_sent.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64), D has arg0 to arg9.
 * So the arguments that most reports need come first, and arguments after the
 * tenth are for programs on libbpf, SystemTap, perf and gdb. start, exec,
 * suspend, resume, pending and end begin with (mid, opcode), so scripts for
 * probes that had only these two still work.
 *
 * Strings are never NULL: an unknown string is "". File names are those that
 * the server works with, relative to the share's root.
 *
 * Opcodes, [MS-SMB2] 2.2.1.2, which sdtkit's tools print as names:
 * 0 NEGOTIATE, 1 SESSION_SETUP, 2 LOGOFF, 3 TREE_CONNECT, 4 TREE_DISCONNECT,
 * 5 CREATE, 6 CLOSE, 7 FLUSH, 8 READ, 9 WRITE, 10 LOCK, 11 IOCTL, 12 CANCEL,
 * 13 ECHO, 14 QUERY_DIRECTORY, 15 CHANGE_NOTIFY, 16 QUERY_INFO, 17 SET_INFO,
 * 18 OPLOCK_BREAK.
 *
 * DTrace cannot use these probes under a name that ends in a digit; SystemTap,
 * bpftrace, perf and gdb can.
 */
provider smb2 {
	/*
	 * A command is dispatched for the first time.
	 * Fires once per element of a compound, before session, tree and file
	 * are looked up and before any check, so it fires also for commands
	 * that are then rejected. Partner: request_end, by (pid, req); for
	 * CANCEL it is request_cancel. A second start with the same req means
	 * that the first command ended without a probe: overwrite it. In Samba:
	 * smbd_smb2_request_dispatch().
	 */
	probe request_start(
		uint64_t mid,		/* MessageId of the header; not a key */
		uint16_t opcode,	/* command, see the provider */
		void *req,		/* the request: pairing key with pid */
		void *xconn,		/* the connection, as in smbnet */
		uint64_t session_id,	/* SessionId, of a related element that
					 * of the one before; 0 before logon */
		uint32_t tree_id,	/* TreeId, likewise; 0 without a tree */
		uint32_t hdr_flags,	/* Flags: 2 async (CANCEL only), 4
					 * related, 8 signed, 0x70 priority,
					 * 0x10000000 DFS, 0x20000000 replay */
		uint16_t credit_charge,	/* CreditCharge: credits it costs; 0
					 * counts as 1 */
		uint16_t compound_idx,	/* place in its compound, from 0 */
		uint16_t compound_count,	/* commands in the PDU; less
						 * once replies of the first are
						 * sent ahead */
		uint64_t in_bytes);	/* size of the command: header, body and
					 * data, without framing */

	/*
	 * Session, tree and file of a command are known; its handler runs next.
	 * Fires between request_start and request_end of the same (pid, req),
	 * and once more after each request_resume. Does not fire for a command
	 * that is rejected before its handler. A CREATE has no file here, and a
	 * TREE_CONNECT no share: request_end has them. In Samba:
	 * smbd_smb2_request_dispatch(), just before the switch over the
	 * opcodes.
	 */
	probe request_exec(
		uint64_t mid,		/* MessageId; not a key */
		uint16_t opcode,	/* command */
		void *req,		/* the request: pairing key with pid */
		sdtkit_str_t share,	/* name of the share, "" without a
					 * tree */
		sdtkit_str_t file,	/* file of the handle that the command
					 * names, "." for the root of the share,
					 * "" if none; lacks the name of a
					 * stream */
		sdtkit_str_t user,	/* Unix user of the session, "" before
					 * logon */
		uint64_t in_bytes,	/* size of the command: header, body and
					 * data, without framing */
		uint64_t fnum,		/* volatile file id of the handle, as in
					 * create_done; 0 if none */
		uint64_t session_id,	/* SessionId of the session that was
					 * found, 0 if none */
		uint32_t sec_flags);	/* 1 the reply is signed, 2 the command
					 * came encrypted, 4 the reply is
					 * encrypted */

	/*
	 * The handler returned without a result: the command waits from now on.
	 * Fires once per wait: for I/O in a thread, locks, change notifies,
	 * pipes, deferred opens. Does not fire for a command that its handler
	 * finishes at once. The wait ends with request_resume (a deferred
	 * CREATE) or, for all others, in the event handler that fires
	 * request_end. Partner by (pid, req). In Samba:
	 * smbd_smb2_request_pending_queue().
	 */
	probe request_suspend(
		uint64_t mid,		/* MessageId; not a key */
		uint16_t opcode,	/* command */
		void *req,		/* the request: pairing key with pid */
		void *subreq,		/* what it waits for: the req of the
					 * tevent provider */
		uint32_t defer_usec,	/* microseconds until the client is told
					 * (request_pending), 0 never */
		uint64_t elapsed_ns,	/* as in request_summary; 0 unless that,
					 * request_details or request_notes is
					 * traced */
		uint64_t in_bytes,	/* as in request_start; 0 likewise */
		uint64_t session_id,	/* as in request_start */
		uint64_t fnum,		/* volatile file id of the handle, as in
					 * create_done; 0 if none */
		const void *in_header);	/* the command as it came: header and
					 * body */

	/*
	 * A deferred CREATE is dispatched again.
	 * It has the same req and the same mid, and there is no second
	 * request_start. Fires when the oplock or sharing conflict is over or
	 * its time is up, as smblock:open_retry does. Partner: the
	 * request_suspend before it, by (pid, req); another suspend may follow.
	 */
	probe request_resume(
		uint64_t mid,		/* MessageId; not a key */
		uint16_t opcode,	/* command: 5, CREATE */
		void *req);		/* the request: pairing key with pid */

	/*
	 * The client is told that its command takes longer.
	 * Fires after request_suspend, when the time given there is up: an
	 * interim response with STATUS_PENDING is about to be queued. This is
	 * not the end: request_end of the same (pid, req) follows, with 2 in
	 * its hdr_flags.
	 */
	probe request_pending(
		uint64_t mid,		/* MessageId; not a key */
		uint16_t opcode,	/* command */
		void *req,		/* the request: pairing key with pid */
		uint64_t async_id,	/* AsyncId by which the client may
					 * cancel */
		uint16_t credits_granted);	/* credits in it; the final
						 * response then grants 0 */

	/*
	 * The result of a command is known and its reply is about to be queued.
	 * Fires once per element of a compound. Partner: request_start, by
	 * (pid, req): req is arg3 here, arg2 in the other request_ probes. Does
	 * not fire for CANCEL, for commands that are alive when the process
	 * ends, as it does with the last connection of its client, and for
	 * those that make the server drop the connection. If the client has
	 * another channel, such commands end, but no reply is sent. Signing,
	 * encryption and sendfile come later; a compound is sent after its last
	 * element. Status codes that are not failures: 0xc0000016
	 * (MORE_PROCESSING_REQUIRED) in SESSION_SETUP, 0x80000006
	 * (NO_MORE_FILES) in QUERY_DIRECTORY, 0xc0000120 (CANCELLED) in
	 * CHANGE_NOTIFY, 0xc0000011 (END_OF_FILE) in READ. In Samba:
	 * smbd_smb2_request_done_ex().
	 */
	probe request_end(
		uint64_t mid,		/* MessageId; not a key */
		uint16_t opcode,	/* command */
		uint32_t status,	/* NTSTATUS of the reply, 0 success */
		void *req,		/* the request: pairing key with pid */
		uint64_t out_bytes,	/* size of the reply: header, body
					 * and data (sendfile too), without
					 * framing */
		uint32_t hdr_flags,	/* Flags of the reply, as in
					 * request_start: 1 always, 2 if an
					 * interim response was sent */
		void *xconn,		/* the connection, as in smbnet */
		sdtkit_str_t share,	/* name of the share, "" without a
					 * tree */
		sdtkit_str_t file,	/* file, as in request_exec; a CREATE
					 * has it now, a CLOSE no more ("") */
		sdtkit_str_t location,	/* where in the server the result was
					 * set: "file:line" */
		sdtkit_str_t user,	/* Unix user of the session, as in
					 * request_exec; "" after its LOGOFF */
		const void *in_body);	/* body of the command as it came,
					 * [MS-SMB2] 2.2, by opcode; NULL if it
					 * is shorter than it says */

	/*
	 * A CANCEL was processed; it gets no reply and no request_end.
	 * Partner: request_start of the CANCEL itself, by (pid, req): drop its
	 * state here. The command that is cancelled has its own request_end,
	 * now or later, often with 0xc0000120 (STATUS_CANCELLED). In Samba:
	 * smbd_smb2_request_process_cancel().
	 */
	probe request_cancel(
		uint64_t mid,		/* MessageId of the CANCEL: that of its
					 * target unless it is async */
		uint64_t async_id,	/* AsyncId of its target, if
					 * request_start's hdr_flags had 2; else
					 * no meaning */
		void *req,		/* the CANCEL: pairing key with pid */
		void *target_req,	/* the waiting command that is
					 * cancelled, NULL if nothing matched */
		uint64_t elapsed_ns,	/* as in request_summary; 0 unless that,
					 * request_details or request_notes is
					 * traced */
		uint64_t bytes,		/* in_bytes of request_start; 0
					 * likewise */
		uint16_t opcode);	/* command: 12, CANCEL */

	/*
	 * A command has ended: all that a count of requests needs, in one hit.
	 * Fires with request_end and has no partner: the server notes when it
	 * dispatched the command while this probe, request_details or
	 * request_notes is traced.
	 * So a tracer needs one hit for a command where request_start and
	 * request_end are two, and two for a command that waits: also
	 * request_suspend, to tell when it ran. For CANCEL, which has no end,
	 * request_cancel has the same. If request_details is traced too, both
	 * have the same elapsed_ns. Still cheaper, and more work for the
	 * tracer: request_notes.
	 */
	probe request_summary(
		uint16_t opcode,	/* command */
		uint32_t status,	/* NTSTATUS of the reply, 0 success */
		void *req,		/* the request: pairing key with pid */
		uint64_t elapsed_ns,	/* nanoseconds since it was dispatched
					 * for the first time; 0 if nobody
					 * traced then */
		uint64_t in_bytes,	/* size of the command, as in
					 * request_start; 0 likewise */
		uint64_t out_bytes);	/* size of the reply, as in
					 * request_end */

	/*
	 * A command has ended: the same as request_summary, with names.
	 * Fires with request_end. A tracer needs this one or request_summary,
	 * which takes the server less time. A CLOSE has its file here, if it
	 * began while this probe was traced.
	 */
	probe request_details(
		uint16_t opcode,	/* command */
		uint32_t status,	/* NTSTATUS of the reply, 0 success */
		void *req,		/* the request: pairing key with pid */
		uint64_t elapsed_ns,	/* as in request_summary */
		uint64_t in_bytes,	/* size of the command, as in
					 * request_start; 0 likewise */
		uint64_t out_bytes,	/* size of the reply, as in
					 * request_end */
		sdtkit_str_t share,	/* name of the share, "" without a
					 * tree */
		sdtkit_str_t file,	/* file, as in request_end, and that of
					 * a CLOSE */
		sdtkit_str_t user,	/* Unix user of the session, as in
					 * request_end */
		const void *in_header,	/* the command as it came: header and
					 * body, [MS-SMB2] 2.2, by opcode; the
					 * body may be shorter than it says */
		uint64_t fnum,		/* volatile file id of the handle, as in
					 * create_done; 0 if none */
		const void *running);	/* where the process notes what it runs,
					 * to be read when it dies: the first
					 * two words of request_notes */

	/*
	 * What the server has noted of its commands has to be read now.
	 * While this probe is traced, the server notes in its own memory what
	 * request_details and request_suspend tell. A tracer reads the notes
	 * when the server sends a reply or waits for events, so most commands
	 * take no hit. This probe fires only if the notes cannot wait until
	 * then: for the first one of a process, and if the one before is older
	 * than 100 ms, so that whoever traces only since then learns where they
	 * are; for each 16th one, before the ring is overwritten; for an element
	 * of a compound; and if no reply can be sent.
	 * All processes that one parent has forked have this memory at the same
	 * address. In a process of 64 bits it begins with four words, in the
	 * byte order of the machine:
	 *   in_header of the command that runs now, or NULL
	 *   since when it runs, in nanoseconds of CLOCK_MONOTONIC
	 *   0x3145544f4e424d53, by which to tell that these are notes
	 *   how many notes the process has made: the next one goes to place
	 *   number % 16 of the ring that follows
	 * Each place has 16 words:
	 *   12 arguments; the last two have no meaning in request_suspend
	 *   whose arguments: 1, of request_details; 2, of request_suspend
	 *   when that was, in nanoseconds of CLOCK_MONOTONIC
	 *   two without a meaning
	 * Pointers in it are valid until the reply has been sent or the server
	 * waits, and those of strings may be NULL. An elapsed_ns of 0 means that
	 * nobody traced when the command was dispatched.
	 */
	probe request_notes(
		const void *notes);	/* the address of that memory */

	/*
	 * Credits are put into the header of a response.
	 * Fires for each element when a reply is complete, after its
	 * request_end, and for each interim response, before its
	 * request_pending. No partner. A client that runs out of credits
	 * stalls: then granted is below requested, or total_granted is near 0.
	 */
	probe credit_grant(
		uint64_t mid,		/* MessageId of the response; not a
					 * key */
		uint16_t opcode,	/* command */
		void *xconn,		/* the connection, as in smbnet */
		uint16_t requested,	/* credits that the client asked for */
		uint16_t granted,	/* credits it gets; 0 in a final reply
					 * after an interim response */
		uint16_t total_granted,	/* credits the client now holds */
		uint16_t charge,	/* CreditCharge of the command, at least
					 * 1 */
		uint16_t seq_range,	/* width of the window of mids that are
					 * allowed now */
		uint16_t max);		/* most credits a client may hold */

	/*
	 * A CREATE was decoded and the open begins.
	 * Fires between request_exec and request_suspend or request_end of the
	 * same (pid, req), and again after each request_resume: keep the first.
	 * Partner: create_done, by (pid, req). A CREATE that is rejected while
	 * it is decoded has neither. In Samba:
	 * smbd_smb2_request_process_create().
	 */
	probe create_start(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		sdtkit_str_t name,	/* name asked for, in the share, "" for
					 * its root; with stream, separators as
					 * sent */
		uint32_t desired_access,	/* DesiredAccess, [MS-SMB2]
						 * 2.2.13.1 */
		uint32_t disposition,	/* 0 SUPERSEDE, 1 OPEN, 2 CREATE, 3
					 * OPEN_IF, 4 OVERWRITE, 5
					 * OVERWRITE_IF */
		uint32_t options,	/* CreateOptions: 1 directory, 0x40
					 * no directory, 0x1000 delete on
					 * close... */
		uint32_t share_access,	/* 1 read, 2 write, 4 delete may be
					 * shared */
		uint8_t oplock_level,	/* asked for: 0 none, 1 level II, 8
					 * exclusive, 9 batch, 0xff lease */
		uint32_t attributes);	/* FileAttributes for a new file */

	/*
	 * An open succeeded or failed.
	 * Partner: create_start, by (pid, req); request_end follows.
	 */
	probe create_done(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		uint32_t status,	/* NTSTATUS, 0 if the file is open */
		uint64_t fnum,		/* volatile file id, key of the handle
					 * with pid; 0 on failure */
		uint32_t create_action,	/* 0 superseded, 1 opened, 2 created, 3
					 * overwritten; no meaning on failure */
		uint8_t oplock_level,	/* granted, as in create_start; 0 on
					 * failure */
		uint64_t eof);		/* size of the file in bytes, 0 on
					 * failure */

	/*
	 * A READ was checked and starts to be served.
	 * Partner: read_done, by (pid, req). A READ that is rejected while it
	 * is decoded has neither.
	 */
	probe read_start(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t offset,	/* first byte, from the start of the
					 * file */
		uint32_t length,	/* bytes asked for */
		uint64_t fnum,		/* volatile file id, as in
					 * create_done */
		uint32_t flags);	/* 1 unbuffered, 2 compressed; 0 before
					 * dialect 3.0.2 */

	/*
	 * The data of a READ is there, or will be sent from the file directly.
	 * Partner: read_start, by (pid, req); request_end follows. With
	 * sendfile the disk has not been read yet: that happens between
	 * smbnet:send_start and send_done.
	 */
	probe read_done(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		uint32_t status,	/* NTSTATUS; 0xc0000011 is
					 * END_OF_FILE */
		uint64_t nread);	/* bytes in the reply, 0 on failure */

	/*
	 * A WRITE was checked and starts to be served.
	 * Partner: write_done, by (pid, req). A WRITE that is rejected while it
	 * is decoded has neither.
	 */
	probe write_start(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t offset,	/* first byte, from the start of the
					 * file; ~0 appends */
		uint32_t length,	/* bytes to write */
		uint64_t fnum,		/* volatile file id, as in
					 * create_done */
		uint32_t flags);	/* 1 write through, 2 unbuffered */

	/*
	 * A WRITE is done or has failed.
	 * Partner: write_start, by (pid, req); request_end follows.
	 */
	probe write_done(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		uint32_t status,	/* NTSTATUS */
		uint32_t nwritten);	/* bytes written, 0 on failure */

	/*
	 * A CLOSE was checked and starts to be served.
	 * Fires between request_exec and request_suspend or request_end of the
	 * same (pid, req), while the file still has its name. Does not fire for
	 * a handle that is not open. The server waits for writes of this file
	 * that are under way. Partner: request_end, by (pid, req), which has
	 * the status.
	 */
	probe close_start(
		uint64_t mid,		/* MessageId; not a key */
		void *req,		/* the request: pairing key with pid */
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t fnum,		/* volatile file id, as in create_done:
					 * may be used again from now on */
		uint32_t flags);	/* 1 the reply has times and size */

	/*
	 * A user has logged on.
	 * Fires during the SESSION_SETUP that succeeds. Does not fire when a
	 * session is bound to one more connection, or when the user logs on
	 * again. Partner: session_end, by (pid, session_id).
	 */
	probe session_start(
		uint64_t session_id,	/* SessionId: key with pid */
		sdtkit_str_t user,	/* Unix user */
		sdtkit_str_t domain,	/* domain of the user */
		sdtkit_str_t remote,	/* address of the client,
					 * "ipv4:192.0.2.7:50123" */
		uint16_t dialect,	/* 0x202, 0x210, 0x300, 0x302, 0x311 */
		uint16_t cipher,	/* 0 none, 1 AES-128-CCM, 2 AES-128-GCM,
					 * 3 AES-256-CCM, 4 AES-256-GCM */
		uint16_t sign_algo,	/* 0 HMAC-SHA256, 1 AES-CMAC, 2
					 * AES-GMAC */
		int guest);		/* 1 for guest or anonymous, else 0 */

	/*
	 * A session is closed.
	 * Fires once per session: by LOGOFF, with the last of its connections,
	 * or when the process exits. Trees that are still connected get their
	 * tree_end with it. Partner: session_start, by (pid, session_id);
	 * sessions without a successful logon end without a start.
	 */
	probe session_end(
		uint64_t session_id);	/* SessionId */

	/*
	 * A share is connected.
	 * Fires during the TREE_CONNECT that succeeds. Partner: tree_end, by
	 * (pid, session_id, tree_id).
	 */
	probe tree_start(
		uint32_t tree_id,	/* TreeId, unique in its session; in
					 * Samba on the whole server */
		uint64_t session_id,	/* SessionId */
		sdtkit_str_t share,	/* name of the share */
		sdtkit_str_t remote,	/* address of the client */
		int snum);		/* number of the share in the server's
					 * configuration */

	/*
	 * A share is disconnected.
	 * Fires by TREE_DISCONNECT, with its session, or when the process
	 * exits. Partner: tree_start, by (pid, session_id, tree_id).
	 */
	probe tree_end(
		uint32_t tree_id,	/* TreeId */
		sdtkit_str_t share,	/* name of the share */
		uint64_t session_id);	/* SessionId */
};
