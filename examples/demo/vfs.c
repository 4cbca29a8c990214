/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfs.c - the system calls on files, each between two probes.
 *
 * Samba counts the same calls with START_PROFILE() and END_PROFILE() and the
 * same names. Each of the two probes has a single site, so a tracer
 * attaches to two places and not to two for each call.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "proto.h"
#include "vfs.h"
#include "vfs_probes.h"

enum vfs_call {
	CALL_OPENAT,
	CALL_MKDIRAT,
	CALL_UNLINKAT,
	CALL_FSTAT,
	CALL_CLOSE,
	CALL_PREAD,
	CALL_PWRITE
};

static const char *const call_names[] = {
	[CALL_OPENAT] = "syscall_openat",
	[CALL_MKDIRAT] = "syscall_mkdirat",
	[CALL_UNLINKAT] = "syscall_unlinkat",
	[CALL_FSTAT] = "syscall_fstat",
	[CALL_CLOSE] = "syscall_close",
	[CALL_PREAD] = "syscall_pread",
	[CALL_PWRITE] = "syscall_pwrite",
};

/* ENOTDIR and ELOOP: a component of the path is a file or a symbolic link. */
static const struct {
	int error;
	uint32_t status;
} statuses[] = {
	{ EACCES, NT_STATUS_ACCESS_DENIED },
	{ EPERM, NT_STATUS_ACCESS_DENIED },
	{ ELOOP, NT_STATUS_ACCESS_DENIED },
	{ ENXIO, NT_STATUS_ACCESS_DENIED },
	{ EBUSY, NT_STATUS_ACCESS_DENIED },
	{ ETXTBSY, NT_STATUS_ACCESS_DENIED },
	{ ENOENT, NT_STATUS_OBJECT_NAME_NOT_FOUND },
	{ EEXIST, NT_STATUS_OBJECT_NAME_COLLISION },
	{ ENOTDIR, NT_STATUS_OBJECT_PATH_NOT_FOUND },
	{ ENAMETOOLONG, NT_STATUS_OBJECT_NAME_INVALID },
	{ EILSEQ, NT_STATUS_OBJECT_NAME_INVALID },
	{ EISDIR, NT_STATUS_FILE_IS_A_DIRECTORY },
	{ ENOTEMPTY, NT_STATUS_DIRECTORY_NOT_EMPTY },
	{ EINVAL, NT_STATUS_INVALID_PARAMETER },
	{ EMFILE, NT_STATUS_TOO_MANY_OPENED_FILES },
	{ ENFILE, NT_STATUS_TOO_MANY_OPENED_FILES },
	{ ENOMEM, NT_STATUS_NO_MEMORY },
	{ EROFS, NT_STATUS_MEDIA_WRITE_PROTECTED },
	{ ENOSPC, NT_STATUS_DISK_FULL },
	{ EDQUOT, NT_STATUS_DISK_FULL },
	{ EFBIG, NT_STATUS_DISK_FULL },
	{ EIO, NT_STATUS_IO_DEVICE_ERROR },
};

static void op_start(enum vfs_call call, size_t bytes)
{
	VFS_OP_START(call_names[call], (int)call, bytes);
}

static void op_done(enum vfs_call call)
{
	VFS_OP_DONE(call_names[call], (int)call);
}

int vfs_openat(int dir, const char *name, int flags, mode_t mode)
{
	int fd;

	op_start(CALL_OPENAT, 0);
	fd = openat(dir, name, flags, mode);
	op_done(CALL_OPENAT);
	return fd;
}

int vfs_mkdirat(int dir, const char *name, mode_t mode)
{
	int ret;

	op_start(CALL_MKDIRAT, 0);
	ret = mkdirat(dir, name, mode);
	op_done(CALL_MKDIRAT);
	return ret;
}

int vfs_unlinkat(int dir, const char *name, int flags)
{
	int ret;

	op_start(CALL_UNLINKAT, 0);
	ret = unlinkat(dir, name, flags);
	op_done(CALL_UNLINKAT);
	return ret;
}

int vfs_fstat(int fd, struct stat *st)
{
	int ret;

	op_start(CALL_FSTAT, 0);
	ret = fstat(fd, st);
	op_done(CALL_FSTAT);
	return ret;
}

int vfs_close(int fd)
{
	int ret;

	op_start(CALL_CLOSE, 0);
	ret = close(fd);
	op_done(CALL_CLOSE);
	return ret;
}

/* Fewer bytes than asked for are not the end of the file: it may be remote. */
static ssize_t read_all(int fd, char *buf, size_t count, off_t offset)
{
	size_t done = 0;
	ssize_t ret = 1;

	while (done < count && ret > 0) {
		ret = pread(fd, buf + done, count - done,
			    offset + (off_t)done);
		if (ret > 0)
			done += (size_t)ret;
	}
	return ret < 0 ? ret : (ssize_t)done;
}

static ssize_t write_all(int fd, const char *buf, size_t count, off_t offset)
{
	size_t done = 0;
	ssize_t ret = 1;

	while (done < count && ret > 0) {
		ret = pwrite(fd, buf + done, count - done,
			     offset + (off_t)done);
		if (ret > 0)
			done += (size_t)ret;
	}
	return ret < 0 ? ret : (ssize_t)done;
}

ssize_t vfs_pread(int fd, void *buf, size_t count, off_t offset)
{
	ssize_t ret;

	op_start(CALL_PREAD, count);
	ret = read_all(fd, buf, count, offset);
	op_done(CALL_PREAD);
	return ret;
}

ssize_t vfs_pwrite(int fd, const void *buf, size_t count, off_t offset)
{
	ssize_t ret;

	op_start(CALL_PWRITE, count);
	ret = write_all(fd, buf, count, offset);
	op_done(CALL_PWRITE);
	return ret;
}

uint32_t vfs_status(int error)
{
	size_t i;

	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		if (statuses[i].error == error)
			return statuses[i].status;
	}
	return NT_STATUS_UNSUCCESSFUL;
}
