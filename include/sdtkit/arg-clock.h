/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-clock.h - the clocks that tracers read.
 *
 * Part of libsdtkit, or of a file that has SDTKIT_ARG_INLINE; sdtkit/arg.h
 * describes the functions. On x86-64 Linux they make the system call
 * themselves, because libc's function may use vector registers and these
 * functions must not.
 */
#ifndef SDTKIT_ARG_CLOCK_H
#define SDTKIT_ARG_CLOCK_H

#include <sdtkit/arg-declare.h>

SDTKIT_ARG_BEGIN

/*
 * Return the nanoseconds of CLOCK_MONOTONIC, which is bpftrace's nsecs and
 * BPF's bpf_ktime_get_ns(), and of CLOCK_BOOTTIME, bpftrace's nsecs(boot). In a
 * time namespace with offsets they differ from the times that tracers get.
 */
SDTKIT_ARG_DECLARE uint64_t sdtkit_arg_monotonic(void)
	SDTKIT_ARG_SYMBOL(sdtkit_arg_monotonic);
SDTKIT_ARG_DECLARE uint64_t sdtkit_arg_boottime(void)
	SDTKIT_ARG_SYMBOL(sdtkit_arg_boottime);

SDTKIT_ARG_END

#ifdef SDTKIT_ARG_DEFINES
#include <time.h>

SDTKIT_ARG_C

#if defined(__linux__) && defined(__x86_64__) && defined(__LP64__)

/* Numbers of the kernel's interface, which a strict -std=c99 hides. */
enum {
	SDTKIT_CLOCK_GETTIME = 228,
	SDTKIT_CLOCK_MONOTONIC = 1,
	SDTKIT_CLOCK_BOOTTIME = 7,
};

SDTKIT_ARG_LOCAL uint64_t sdtkit_clock_ns(long clock)
{
	long result = SDTKIT_CLOCK_GETTIME;
	uint64_t now[2];		/* seconds, nanoseconds */

	__asm__ __volatile__("syscall"
			     : "+a" (result), "=m" (now)
			     : "D" (clock), "S" (now)
			     : "rcx", "r11", "cc");
	return now[0] * 1000000000 + now[1];
}

#elif defined(__linux__) && !defined(CLOCK_MONOTONIC)

/* A strict -std=c11 hides libc's function and its clocks, not its symbol. */
enum {
	SDTKIT_CLOCK_MONOTONIC = 1,
	SDTKIT_CLOCK_BOOTTIME = 7,
};

int sdtkit_clock_gettime(int clock, void *now) __asm__("clock_gettime");

SDTKIT_ARG_LOCAL uint64_t sdtkit_clock_ns(int clock)
{
#ifdef __x86_64__
	uint64_t now[2] = { 0, 0 };	/* x32 */
#else
	unsigned long now[2] = { 0, 0 };
#endif

	sdtkit_clock_gettime(clock, now);
	return (uint64_t)now[0] * 1000000000 + (uint64_t)now[1];
}

#else

#define SDTKIT_CLOCK_MONOTONIC	CLOCK_MONOTONIC
#ifdef CLOCK_BOOTTIME
#define SDTKIT_CLOCK_BOOTTIME	CLOCK_BOOTTIME
#else
#define SDTKIT_CLOCK_BOOTTIME	CLOCK_MONOTONIC
#endif

SDTKIT_ARG_LOCAL uint64_t sdtkit_clock_ns(clockid_t clock)
{
	struct timespec now = { 0, 0 };

	clock_gettime(clock, &now);	/* cannot fail for a known clock */
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif

SDTKIT_ARG_DEFINE uint64_t sdtkit_arg_monotonic(void)
{
	return sdtkit_clock_ns(SDTKIT_CLOCK_MONOTONIC);
}
SDTKIT_ARG_PLAIN(sdtkit_arg_monotonic)

SDTKIT_ARG_DEFINE uint64_t sdtkit_arg_boottime(void)
{
	return sdtkit_clock_ns(SDTKIT_CLOCK_BOOTTIME);
}
SDTKIT_ARG_PLAIN(sdtkit_arg_boottime)

SDTKIT_ARG_C_END
#endif

#endif /* SDTKIT_ARG_CLOCK_H */
