/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See safe_read.h.  The copy is made by process_vm_readv(2) on this process.
 * Where that is not available (qemu-user, some sandboxes), the bytes are
 * written from the address into a memory file and read back.  The file is
 * created for each read: a program may close all of its descriptors, and the
 * number of a kept one could then stand for a file of the program.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "safe_read.h"

enum {
	/* No machine has smaller pages: a piece lies in one page. */
	PIECE = 4096,
};

static bool by_file(uintptr_t address, void *to, size_t size)
{
	int fd = memfd_create("sdtkit-tap", MFD_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = pwrite(fd, (const void *)address, size, 0) == (ssize_t)size &&
	       pread(fd, to, size, 0) == (ssize_t)size;
	close(fd);
	return done;
}

bool sdtkit_tap_safe_read(pid_t pid, uintptr_t address, void *to, size_t size)
{
	struct iovec here = { .iov_base = to, .iov_len = size };
	struct iovec there = { .iov_base = (void *)address, .iov_len = size };
	ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);

	if (got >= 0 || errno == EFAULT)
		return got == (ssize_t)size;
	return by_file(address, to, size);
}

/* Up to the end of the page that the address is in. */
static size_t piece_at(uintptr_t address, size_t capacity)
{
	size_t piece = PIECE - address % PIECE;

	return piece < capacity ? piece : capacity;
}

long sdtkit_tap_safe_read_string(pid_t pid, uintptr_t address, char *to,
				 size_t size, bool *whole)
{
	size_t length = 0;

	*whole = false;
	while (length < size - 1) {
		size_t piece = piece_at(address + length, size - 1 - length);
		const char *end;

		if (!sdtkit_tap_safe_read(pid, address + length, to + length,
					  piece))
			return -EFAULT;
		end = memchr(to + length, '\0', piece);
		if (end != NULL) {
			*whole = true;
			return end - to;
		}
		length += piece;
	}
	to[length] = '\0';
	return (long)length;
}
