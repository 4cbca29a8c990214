/* SPDX-License-Identifier: BSD-2-Clause */
/* See descriptor.h. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"

#ifndef SYS_close_range
#define SYS_close_range	436
#endif

enum {
	/* CLOSE_RANGE_UNSHARE */
	UNSHARE = 1 << 1,
};

void sdtkit_record_note_descriptor(struct sdtkit_record_descriptor *descriptor,
				   int fd)
{
	struct stat status = { 0 };

	descriptor->fd = fd;
	fstat(fd, &status);
	descriptor->device = status.st_dev;
	descriptor->inode = status.st_ino;
}

int sdtkit_record_above_standard(int fd)
{
	int higher;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return higher;
}

bool sdtkit_record_is_same(const struct sdtkit_record_descriptor *descriptor,
			   int fd)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 &&
	       status.st_dev == descriptor->device &&
	       status.st_ino == descriptor->inode;
}

bool sdtkit_record_is_ours(const struct sdtkit_record_descriptor *descriptor)
{
	return sdtkit_record_is_same(descriptor, descriptor->fd);
}

void sdtkit_record_drop(struct sdtkit_record_descriptor *descriptor)
{
	if (sdtkit_record_is_ours(descriptor))
		close(descriptor->fd);
	descriptor->fd = -1;
}

static bool close_between(int low, int high, int flags)
{
	return low >= high || syscall(SYS_close_range, low, high - 1, flags)
	       == 0;
}

/* Opens /dev/null as 0 to 2: the C library may write there in this thread. */
static void fill_standard(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	} while (fd >= 0 && fd < STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

bool sdtkit_record_own_descriptors(int one, int other)
{
	int low = one < other ? one : other;
	int high = one < other ? other : one;

	/* First, since the kernel does not even copy what is closed so. */
	if (syscall(SYS_close_range, high + 1, ~0u, UNSHARE) < 0)
		return false;
	close_between(low + 1, high, 0);
	close_between(0, low, 0);
	fill_standard();
	return true;
}
