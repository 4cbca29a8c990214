/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfs.h - the system calls on files, each between two probes.
 *
 * They have the arguments, results and errno of the calls that they are named
 * for.
 */
#ifndef DEMO_VFS_H
#define DEMO_VFS_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

int vfs_openat(int dir, const char *name, int flags, mode_t mode);
int vfs_mkdirat(int dir, const char *name, mode_t mode);
int vfs_unlinkat(int dir, const char *name, int flags);
int vfs_fstat(int fd, struct stat *st);
int vfs_close(int fd);
ssize_t vfs_pread(int fd, void *buf, size_t count, off_t offset);
ssize_t vfs_pwrite(int fd, const void *buf, size_t count, off_t offset);

/* Returns the NTSTATUS for an errno; else NT_STATUS_UNSUCCESSFUL. */
uint32_t vfs_status(int error);

#endif /* DEMO_VFS_H */
