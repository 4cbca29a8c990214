/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * short_reads.c - for LD_PRELOAD: pread() and pwrite() take part of the bytes
 * that they are asked for, as those of a network file system may.
 */
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const size_t most = 4096;

static size_t part(size_t count)
{
	return count < most ? count : most;
}

ssize_t pread(int fd, void *buf, size_t count, off_t offset)
{
	return syscall(SYS_pread64, fd, buf, part(count), offset);
}

ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)
{
	return syscall(SYS_pwrite64, fd, buf, part(count), offset);
}

ssize_t pread64(int fd, void *buf, size_t count, off_t offset)
	__attribute__((alias("pread")));
ssize_t pwrite64(int fd, const void *buf, size_t count, off_t offset)
	__attribute__((alias("pwrite")));
