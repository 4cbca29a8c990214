/* SPDX-License-Identifier: BSD-2-Clause */
#pragma sdtkit nowarn bpftrace-args

/* Names of values. */
enum smblock_oplock {
	NO_OPLOCK, EXCLUSIVE_OPLOCK, BATCH_OPLOCK, LEVEL_II_OPLOCK = 4,
	LEASE_OPLOCK = 0x100
};
enum smblock_type { READ_LOCK, WRITE_LOCK, UPGRADE_LOCK, DOWNGRADE_LOCK };
#pragma sdtkit names smblock_oplock requested oplock_type
enum smblock_at { OPEN, UPDATE, CLOSE };
enum smblock_persistent { VOLATILE, PERSISTENT };
enum smblock_persist { STORE, DELETE };
#pragma sdtkit names smblock_type type
#pragma sdtkit names smblock_at at
#pragma sdtkit names smblock_persistent persistent
#pragma sdtkit names smblock_persist what

/* A client is asked to give up its oplock, until it does or its time is up. */
#pragma sdtkit span oplock start=oplock_break end=oplock_ack,break_timeout \
	key=fnum
/* A client is asked to give up its lease, until it does. */
#pragma sdtkit span lease start=lease_break end=lease_ack key=key0,key1
/* An open waits for a break, or because of a sharing violation. */
#pragma sdtkit span deferred start=open_defer end=open_retry key=req
/* A process waits for a g_lock. */
#pragma sdtkit span g_lock start=g_lock_start end=g_lock_done key=tid \
	name=db,type error=status parent=running
/* A process waits for a record of a database on this machine. */
#pragma sdtkit span record_lock start=record_lock_start end=record_lock_done \
	key=tid name=db error=ok ok=1 parent=running
/* The record of a handle is stored, or deleted. */
#pragma sdtkit span store start=store_start end=store_done key=tid \
	name=store_done.at,persistent error=status
/* What a persistent handle needs is written to the disk. */
#pragma sdtkit span persist start=persist_start end=persist_done key=tid \
	name=db,what error=status parent=store

/*
 * Oplocks, leases, share modes and byte range locks: which client waits for
 * which.
 *
 * A conflict of two clients over one file fires probes in two processes:
 *   A  break_request     an open conflicts: the holder is asked
 *   A  open_defer        the open has to wait
 *   B  break_received    the process of the holder gets the message
 *   B  oplock_break      it tells its client (or lease_break)
 *   B  oplock_ack        the client answers (or lease_ack), or
 *   B  break_timeout     the client does not answer
 *   A  open_retry        the open is tried again
 * Sharing violations have open_defer and open_retry only.
 *
 * Keys: (pid, req) for an open, as in smb2. (inode, share_file_id) for the
 * handle to be broken, the same in both processes; break_request has the
 * process of the holder, break_received that of the asker. (pid, fnum) for an
 * oplock, (key0, key1) for a lease. For most reports inode alone identifies a
 * file well enough, although two file systems may both have it. g_lock and
 * record_lock pair by (pid, tid), because start and done are in one function.
 *
 * Lease states are bits: 1 read, 2 handle, 4 write caching. break_to has these
 * bits for oplocks too. Oplock levels on the wire: 0 none, 1 level II, 8
 * exclusive, 9 batch, 0xff lease.
 *
 * key and key_len are bytes, not a string, and their address does not identify
 * them: compare the bytes, buf(arg1, arg2) in bpftrace.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64), D has arg0 to arg9;
 * no probe has more than seven arguments. Strings are never NULL: an unknown
 * string is "".
 */
provider smblock {
	/*
	 * An open was granted an oplock or lease, or none.
	 * Fires once per open of a file that has passed the checks before. If
	 * less than requested was granted, others have the file open, or the
	 * server's configuration forbids it. No partner. In Samba:
	 * delay_for_oplock().
	 */
	probe oplock_grant(
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t inode,		/* inode of the file */
		uint64_t fnum,		/* volatile file id, as in smb2 */
		int requested,		/* what the client asked for: 0 none, 1
					 * exclusive, 2 batch, 4 level II, 0x100
					 * lease; 8 is the server's own */
		int oplock_type,	/* what it got, likewise */
		uint32_t lease_state);	/* what it got, as a lease state */

	/*
	 * An open meets a persistent handle of a client that is away, for which
	 * the server keeps it.
	 * Fires for each such handle in Samba 4.25 and later. No partner; if
	 * refused, the CREATE ends with STATUS_FILE_NOT_AVAILABLE, else what
	 * the client has to give up is told when it is back. In Samba:
	 * delay_for_oplock_fn().
	 */
	probe handle_kept(
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t inode,		/* inode of the file */
		uint64_t share_file_id,	/* the handle, unique with inode */
		uint32_t lease_state,	/* lease state it has */
		int refused);		/* 1 the open fails, 0 it may go on */

	/*
	 * This process asks the holder of an oplock or lease to give it up.
	 * Fires for each holder that an open or a change conflicts with.
	 * Partner: break_received in the holder's process, by (inode,
	 * share_file_id). The holder may be this process itself. In Samba:
	 * send_break_message().
	 */
	probe break_request(
		uint64_t inode,		/* inode of the file */
		uint64_t share_file_id,	/* the handle that holds it, unique with
					 * inode */
		uint32_t holder_vnn,	/* node of the holder in a cluster,
					 * 0xffffffff without a cluster */
		uint64_t holder_pid,	/* process of the holder */
		uint16_t break_to);	/* lease state it may keep */

	/*
	 * This process is asked to make its client give up an oplock or lease.
	 * oplock_break or lease_break follows, unless the file was closed
	 * meanwhile or a break is under way. Partner: break_request in
	 * from_pid, by (inode, share_file_id). In Samba:
	 * process_oplock_break_message().
	 */
	probe break_received(
		uint64_t inode,		/* inode of the file */
		uint64_t share_file_id,	/* the handle that holds it */
		uint64_t from_pid,	/* process that asks */
		uint16_t break_to);	/* lease state it may keep */

	/*
	 * A client is told that its oplock is broken.
	 * Fires when the notification is queued, after break_received or on
	 * request of the kernel. Partner, by (pid, fnum): oplock_ack or
	 * break_timeout. A break from level II to none is not answered. In
	 * Samba: smbd_smb2_send_oplock_break().
	 */
	probe oplock_break(
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t fnum,		/* volatile file id, as in smb2 */
		uint64_t session_id,	/* SessionId */
		uint8_t level);		/* level it may keep: 0 none, 1 level
					 * II */

	/*
	 * A client is told that its lease is broken.
	 * Fires when the notification is queued. Partner, if flags has 1:
	 * lease_ack, by (pid, key0, key1), or break_timeout, by pid and file.
	 * In Samba: smbd_smb2_send_lease_break().
	 */
	probe lease_break(
		sdtkit_str_t remote,	/* address of the client */
		uint64_t key0,		/* first half of the lease key */
		uint64_t key1,		/* second half */
		uint32_t state_from,	/* lease state until now */
		uint32_t state_to,	/* lease state it may keep */
		uint32_t flags,		/* 1 the client must acknowledge */
		uint16_t epoch);	/* epoch of the lease, 0 for version
					 * 1 */

	/*
	 * A client acknowledges that its oplock is broken.
	 * Partner: oplock_break, by (pid, fnum).
	 */
	probe oplock_ack(
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t fnum,		/* volatile file id, as in smb2 */
		uint8_t level,		/* level it keeps: 0 none, 1 level II */
		uint64_t mid);		/* MessageId of its OPLOCK_BREAK */

	/*
	 * A client acknowledges that its lease is broken.
	 * Fires before the acknowledgement is checked; the status is in
	 * smb2:request_end. Partner: lease_break, by (pid, key0, key1).
	 */
	probe lease_ack(
		uint64_t key0,		/* first half of the lease key */
		uint64_t key1,		/* second half */
		uint32_t state,		/* lease state it keeps */
		uint64_t mid);		/* MessageId of its OPLOCK_BREAK */

	/*
	 * A client did not acknowledge in time: it loses its oplock or lease.
	 * Other clients have waited for it until now (in Samba 35 seconds).
	 * Partner: oplock_break, by (pid, fnum), or lease_break, by pid.
	 */
	probe break_timeout(
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t fnum,		/* volatile file id, as in smb2 */
		int is_lease);		/* 1 lease, 0 oplock */

	/*
	 * An open has to wait, for a break or because of a sharing violation.
	 * smb2:request_suspend of the same (pid, req) follows. Partner:
	 * open_retry, by (pid, req); missing if the open is cancelled or the
	 * client is gone. In Samba: push_deferred_open_message_smb2().
	 */
	probe open_defer(
		uint64_t mid,		/* MessageId of the CREATE; not a key */
		void *req,		/* the request: pairing key with pid */
		uint64_t inode,		/* inode of the file */
		uint64_t timeout_usec);	/* microseconds, from the arrival of the
					 * request, after which it is tried
					 * again anyhow */

	/*
	 * An open that had to wait is tried again.
	 * smb2:request_resume of the same (pid, req) follows. Partner:
	 * open_defer, by (pid, req); it may have to wait again.
	 */
	probe open_retry(
		uint64_t mid,		/* MessageId of the CREATE; not a key */
		void *req);		/* the request: pairing key with pid */

	/*
	 * A process wants a g_lock: a database lock that outlives one call.
	 * In Samba they guard share modes and transactions: g_lock_lock().
	 * Partner: g_lock_done, by (pid, tid). It is missing after two rare
	 * errors: the next start of the same key replaces the old one.
	 */
	probe g_lock_start(
		sdtkit_str_t db,	/* name of the database */
		void *key,		/* key of the record: key_len bytes */
		uint64_t key_len,	/* its length */
		int type);		/* 0 read, 1 write, 2 upgrade, 3
					 * downgrade */

	/*
	 * A g_lock was not free at the first try: the process waits for it.
	 * Fires between g_lock_start and g_lock_done of the same (pid, tid),
	 * and for each upgrade and downgrade. Other events of the server are
	 * not handled meanwhile.
	 */
	probe g_lock_contended(
		sdtkit_str_t db,	/* name of the database */
		void *key,		/* key of the record: key_len bytes */
		uint64_t key_len);	/* its length */

	/*
	 * A g_lock is taken, or could not be had.
	 * Partner: g_lock_start, by (pid, tid). The time from here to
	 * g_lock_unlock is the time of holding the lock: join by pid, db and
	 * the bytes of key.
	 */
	probe g_lock_done(
		sdtkit_str_t db,	/* name of the database */
		void *key,		/* key of the record: key_len bytes */
		uint64_t key_len,	/* its length */
		uint32_t status);	/* NTSTATUS, 0 if it has it */

	/*
	 * A g_lock is released.
	 * Fires when others can take it, or if the release failed. Partner:
	 * g_lock_done with status 0, by pid, db and the bytes of key.
	 */
	probe g_lock_unlock(
		sdtkit_str_t db,	/* name of the database */
		void *key,		/* key of the record: key_len bytes */
		uint64_t key_len);	/* its length */

	/*
	 * A record of a database on this machine is about to be locked.
	 * Partner: record_lock_done, by (pid, tid). There is no probe for
	 * unlocking. In Samba: db_tdb_fetch_locked(). Does not fire in
	 * dbwrap_do_locked(), the hot path, for databases in memory, for which
	 * nobody waits, and for those of a cluster, which have
	 * ctdb:fetch_locked.
	 */
	probe record_lock_start(
		sdtkit_str_t db,	/* name of the database */
		void *key,		/* key of the record: key_len bytes */
		uint64_t key_len);	/* its length */

	/*
	 * A record of a database is locked, or could not be.
	 * Partner: record_lock_start, by (pid, tid).
	 */
	probe record_lock_done(
		sdtkit_str_t db,	/* name of the database */
		void *key,		/* key of the record: key_len bytes */
		uint64_t key_len,	/* its length */
		int ok);		/* 1 locked, 0 failed */

	/*
	 * A byte range lock was granted or refused.
	 * Fires once per range and attempt: a LOCK that waits tries again. Does
	 * not fire for unlocking. No partner. In Samba: do_lock().
	 */
	probe byte_range(
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t offset,	/* first byte */
		uint64_t length,	/* bytes, 0 is allowed */
		int type,		/* 0 read (shared), 1 write
					 * (exclusive) */
		int wait_pid,		/* if refused, the process whose lock is
					 * in the way, else 0 */
		uint32_t status);	/* NTSTATUS: 0 granted, 0xc0000055 not
					 * granted, 0xc0000054 conflict */

	/*
	 * The record of a handle is about to be stored in the table of all
	 * open handles.
	 * Fires for each handle, persistent or not, in Samba 4.25 and later:
	 * when it is opened, when it becomes durable or persistent, and when it
	 * is closed or its client is away. Partner: store_done, by (pid, tid).
	 * In Samba: smbXsrv_open_create(), smbXsrv_open_update(),
	 * smbXsrv_open_close().
	 */
	probe store_start(
		int at);		/* 0 open, 1 update, 2 close */

	/*
	 * The record is stored, or deleted.
	 * Partner: store_start.
	 */
	probe store_done(
		int at,			/* as in store_start */
		int persistent,		/* 1 the handle is persistent, 0 not */
		uint32_t status);	/* NTSTATUS */

	/*
	 * What a persistent handle needs after a restart is about to be written
	 * to the disk, or deleted there.
	 * Fires in Samba 4.25 and later. The database says what: handles, share
	 * modes with leases, or byte range locks. Partner: persist_done, by
	 * (pid, tid). In Samba: db_tdb_storev(), db_tdb_delete(); in a cluster
	 * db_ctdb_storev().
	 */
	probe persist_start(
		sdtkit_str_t db,	/* database, a path */
		int what);		/* 0 store, 1 delete */

	/*
	 * It is on the disk.
	 * Missing in a cluster if it fails. Partner: persist_start.
	 */
	probe persist_done(
		uint32_t status);	/* NTSTATUS */
};
