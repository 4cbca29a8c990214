/* SPDX-License-Identifier: BSD-2-Clause */
#pragma sdtkit single_site op_start op_done

/* An operation that its thread waits for. */
#pragma sdtkit span op start=op_start end=op_done key=tid name=name sum=bytes
/* An asynchronous operation; it runs while a thread works on it. */
#pragma sdtkit span async start=async_start end=async_done \
	suspend=async_idle resume=async_busy key=key name=name sum=bytes
/* A read or write waits for the limits of its share. */
#pragma sdtkit span limit start=limit_start end=limit_done key=key name=name \
	sum=bytes

/*
 * File system operations of the server, timed where its profiling counts them.
 *
 * The names are those of Samba's profiling, source3/include/smbprofile.h:
 * "syscall_" and the system call ("syscall_openat", "syscall_fcntl_lock"),
 * "push_sec_ctx" and similar ones for changes of the user, "fget_nt_acl". The
 * macros of that file fire the probes, so each operation that is counted has
 * them, in each VFS module. Most operations on extended attributes are not
 * counted. readdir, telldir and seekdir have no probes, because they run for
 * each entry of a directory.
 *
 * Synchronous operations fire op_start and op_done. Asynchronous ones
 * ("syscall_asys_pread", ..._pwrite, ..._fsync, ..._getxattrat) fire
 * async_start, async_idle, async_busy, async_idle, async_done. From start to
 * busy the operation waits for a thread, from busy to idle the thread works,
 * and from idle to done the result returns to the event loop. busy and the idle
 * after it fire in the thread that works, the others in the main thread: use
 * the key (pid, key), not tid.
 *
 * An operation belongs to the smb2 command that its thread runs at the moment.
 * For async operations note the command at async_start.
 *
 * op_start and op_done have one site each in a library, however many places use
 * them, because tracers make a program per site, and some accept at most 512.
 * In a stack the operation is one frame up. Operations nest, so a sum over all
 * names counts some time twice.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64); no probe here has
 * more arguments.
 */
provider vfs {
	/*
	 * An operation begins.
	 * Partner: op_done, by (pid, tid, name); operations nest: the one that
	 * began last ends first.
	 */
	probe op_start(
		sdtkit_str_t name,	/* name of the operation, a literal */
		int id,			/* its number, fixed within one build; 0
					 * for all in Samba without profiling
					 * data: then use name */
		uint64_t bytes);	/* bytes to move in pread, pwrite,
					 * sendfile, recvfile; else 0 */

	/*
	 * An operation has returned.
	 * The probe does not have its result. Partner: op_start, by (pid, tid,
	 * name).
	 */
	probe op_done(
		sdtkit_str_t name,	/* name of the operation, a literal */
		int id);		/* its number, as in op_start */

	/*
	 * An asynchronous operation begins.
	 * Partner: async_done, by (pid, key).
	 */
	probe async_start(
		sdtkit_str_t name,	/* name of the operation, a literal */
		void *key,		/* the operation: pairing key with pid;
					 * reused after async_done */
		uint64_t bytes);	/* bytes to move, 0 in fsync and
					 * getxattrat */

	/*
	 * An asynchronous operation waits: for a thread, or for the event loop.
	 * Fires right after async_start in the main thread, and after the work
	 * in the thread that did it. Does not fire if the work is done at once.
	 * Partner of the second: async_busy, by (pid, key).
	 */
	probe async_idle(
		void *key);		/* the operation, see async_start */

	/*
	 * A thread begins to work on an asynchronous operation.
	 * Partner: the async_idle that follows, by (pid, key). If no thread is
	 * available, busy and idle fire in the main thread and after
	 * async_done: ignore a key that has no async_start.
	 */
	probe async_busy(
		void *key);		/* the operation, see async_start */

	/*
	 * An asynchronous operation is done, and its result is about to be
	 * used.
	 * Partner: async_start, by (pid, key).
	 */
	probe async_done(
		void *key);		/* the operation, see async_start */

	/*
	 * A read or write waits, because there are more than its share may have.
	 * Fires in the module aio_ratelimit of Samba 4.24 and later, before the
	 * async_start of the operation. Partner: limit_done, by (pid, key);
	 * missing if the client is gone. In Samba:
	 * vfs_aio_ratelimit_pread_send(), vfs_aio_ratelimit_pwrite_send().
	 */
	probe limit_start(
		sdtkit_str_t name,	/* "pread" or "pwrite" */
		void *key,		/* pairing key with pid; reused after
					 * limit_done */
		sdtkit_str_t file,	/* file, relative to the share's root */
		uint64_t bytes,		/* bytes to move */
		uint32_t delay_usec);	/* microseconds it has to wait */

	/*
	 * A read or write has waited for its share's limits, and begins.
	 * Partner: limit_start, by (pid, key).
	 */
	probe limit_done(
		sdtkit_str_t name,	/* "pread" or "pwrite" */
		void *key);		/* see limit_start */
};
