/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module.c - a library with probes that an actor loads while it runs, as smbd
 * does with the modules of a share.
 */
#include "vfs_probes.h"

void module_limit(long key, const char *file)
{
	VFS_LIMIT_START("pread", (char *)0x9000 + key, file, 4096, 1000);
}

void module_limited(long key)
{
	VFS_LIMIT_DONE("pread", (char *)0x9000 + key);
}
