/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfs_probes.h - what the macros of smbprofile.h call.
 *
 *	START_PROFILE(syscall_openat);
 *
 * fires vfs:op_start("syscall_openat", id, 0). Without --with-static-probes
 * the macros here are empty.
 *
 * readdir, telldir and seekdir have no probes: they run once per entry of a
 * directory, and mostly make no system call. A share's folder of 200 files is
 * searched for each new name, so they were nine of ten operations there.
 */
#ifndef LIB_STATIC_PROBES_VFS_PROBES_H
#define LIB_STATIC_PROBES_VFS_PROBES_H

#ifdef WITH_STATIC_PROBES

#include <stddef.h>
#include <string.h>
#include "lib/static_probes/vfs_on.h"

#ifdef WITH_PROFILE
#define PROBES_OP_ID(_stats)	offsetof(struct profile_stats, values._stats)
#endif

/* a constant: the compiler compares literals */
#define PROBES_IS_PER_ENTRY(_name) \
	(strcmp(_name, "syscall_readdir") == 0 || \
	 strcmp(_name, "syscall_telldir") == 0 || \
	 strcmp(_name, "syscall_seekdir") == 0)

#define PROBES_OP_START(_name, _id, _bytes) do { \
	if (!PROBES_IS_PER_ENTRY(_name)) { \
		VFS_OP_START(_name, _id, _bytes); \
	} \
} while (0);
#define PROBES_OP_DONE(_name, _id) do { \
	if (!PROBES_IS_PER_ENTRY(_name)) { \
		VFS_OP_DONE(_name, _id); \
	} \
} while (0);

#define PROBES_ASYNC_START(_name, _async, _bytes) \
	VFS_ASYNC_START(_name, &(_async), _bytes);
#define PROBES_ASYNC_IDLE(_async)	VFS_ASYNC_IDLE(&(_async));
#define PROBES_ASYNC_BUSY(_async)	VFS_ASYNC_BUSY(&(_async));
/* END_PROFILE_BYTES() comes by here with a variable called __profasync_... */
#define PROBES_ASYNC_DONE(_async) do { \
	if ((#_async)[0] != '_') { \
		VFS_ASYNC_DONE(&(_async)); \
	} \
} while (0);

#define PROBES_LIMIT_START(_name, _key, _file, _bytes, _usec) \
	VFS_LIMIT_START(_name, _key, _file, _bytes, _usec);
#define PROBES_LIMIT_DONE(_name, _key)	VFS_LIMIT_DONE(_name, _key);

#else

#define PROBES_OP_START(_name, _id, _bytes)
#define PROBES_OP_DONE(_name, _id)
#define PROBES_ASYNC_START(_name, _async, _bytes)
#define PROBES_ASYNC_IDLE(_async)
#define PROBES_ASYNC_BUSY(_async)
#define PROBES_ASYNC_DONE(_async)
#define PROBES_LIMIT_START(_name, _key, _file, _bytes, _usec)
#define PROBES_LIMIT_DONE(_name, _key)

#endif

#endif /* LIB_STATIC_PROBES_VFS_PROBES_H */
