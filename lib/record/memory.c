/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory on the path of a hit: that of the thread, pages for the file, whether a
 * load may fault, and copies of what it may not touch. See write.h for the rules.
 */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "access.h"
#include "system.h"
#include "write.h"

SDTKIT_RECORD_IN_HIT struct sdtkit_record_thread sdtkit_record_thread;

enum {
	/* How far the frames of two hits on one stack are apart, at most. */
	NEAR = 64 << 10,
	/* The kernel's struct sigaction, which is not that of the C library. */
	KERNEL_ACTION_WORDS = 4,
};

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

static bool is_handled(int number)
{
	uintptr_t action[KERNEL_ACTION_WORDS] = { 0 };

	sdtkit_record_system(SYS_rt_sigaction, number, 0, (long)action,
			     sizeof(uint64_t), 0, 0);
	return action[0] == (uintptr_t)sdtkit_record_on_fault;
}

bool sdtkit_record_is_careful(void)
{
	uint64_t set = 0, faults = 1ull << (SIGSEGV - 1) |
				   1ull << (SIGBUS - 1);

	sdtkit_record_system(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&set,
			     sizeof(set), 0, 0);
	return (set & faults) != 0 || !is_handled(SIGSEGV) ||
	       !is_handled(SIGBUS);
}

/*
 * How many of this thread's hits the present one interrupts. A handler of a
 * signal may have left some of them by siglongjmp(). Stacks grow downwards, so
 * the frame of a hit that was interrupted is above that of the present one, or
 * it is on the thread's own stack and the present one on that of a handler. A
 * hit that is wrongly taken for an interrupted one costs a ring.
 */
__attribute__((cold)) uint32_t sdtkit_record_find_level(uint32_t level,
							uintptr_t here)
{
	stack_t other = { .ss_flags = SS_DISABLE };
	uintptr_t start, size, most = UINTPTR_MAX;

	sdtkit_record_system(SYS_sigaltstack, 0, (long)&other, 0, 0, 0, 0);
	start = (uintptr_t)other.ss_sp;
	size = (uintptr_t)other.ss_size;
	/* It may be in use and not be known: SS_AUTODISARM. */
	if (other.ss_flags & SS_DISABLE) {
		size = 0;
		most = NEAR;
	}
	for (; level > 0; level--) {
		uintptr_t frame = sdtkit_record_thread.frames[level - 1];
		bool is_on_other = here - start < size;
		bool was_on_other = frame - start < size;

		if (frame == 0 || (was_on_other == is_on_other ?
				   here - frame > most || frame > here :
				   is_on_other))
			break;
	}
	return level;
}
