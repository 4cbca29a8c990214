/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory on the path of a hit: pages for the file, and copies of what a load
 * may not touch. See write.h for the rules.
 */
#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "access.h"
#include "system.h"
#include "write.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

static long call(long number, long a, long b, long c)
{
	return sdtkit_record_system(number, a, b, c, 0, 0, 0);
}

bool sdtkit_record_back(unsigned char *data, size_t size)
{
	long ret = call(SYS_madvise, (long)data, (long)size,
			MADV_POPULATE_WRITE);
	size_t i;

	if (ret != -EINVAL)
		return ret == 0;
	/* Before Linux 5.14: the kernel writes into each page, or fails. */
	for (i = 0; i < size; i += SDTKIT_RECORD_PAGE) {
		uint64_t *words = (void *)(data + i);

		if (call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)words, 0)
		    != 0)
			return false;
		words[0] = words[1] = 0;
	}
	return true;
}

bool sdtkit_record_load_by_file(uintptr_t address, void *to, size_t size)
{
	long fd = call(SYS_memfd_create, (long)"sdtkit-recorder", MFD_CLOEXEC,
		       0);
	bool done;

	if (fd < 0)
		return false;
	done = call(SYS_write, fd, (long)address, (long)size) == (long)size &&
	       call(SYS_lseek, fd, 0, SEEK_SET) == 0 &&
	       call(SYS_read, fd, (long)to, (long)size) == (long)size;
	call(SYS_close, fd, 0, 0);
	return done;
}
