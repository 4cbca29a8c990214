/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System calls for the path of a hit, which may call nothing: functions of the
 * C library may use vector registers, which hold values of the program there.
 * On machines without jumps hits come by a signal, whose context has all
 * registers.
 */
#ifndef SDTKIT_RECORD_SYSTEM_H
#define SDTKIT_RECORD_SYSTEM_H

#include <sys/syscall.h>

#ifdef __x86_64__
static inline long sdtkit_record_system(long number, long a, long b, long c,
					long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ __volatile__("syscall" : "=a" (ret)
			     : "a" (number), "D" (a), "S" (b), "d" (c),
			       "r" (r10), "r" (r8), "r" (r9)
			     : "rcx", "r11", "memory");
	return ret;
}
#define SDTKIT_RECORD_CALLS_KERNEL	1
#elif defined(__aarch64__)
static inline long sdtkit_record_system(long number, long a, long b, long c,
					long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ __volatile__("svc #0" : "+r" (x0)
			     : "r" (x8), "r" (x1), "r" (x2), "r" (x3),
			       "r" (x4), "r" (x5)
			     : "memory");
	return x0;
}
#define SDTKIT_RECORD_CALLS_KERNEL	1
#elif defined(__powerpc64__)
/* The kernel says by a bit of cr0 that the number is an error. */
static inline long sdtkit_record_system(long number, long a, long b, long c,
					long d, long e, long f)
{
	register long r0 __asm__("r0") = number;
	register long r3 __asm__("r3") = a;
	register long r4 __asm__("r4") = b;
	register long r5 __asm__("r5") = c;
	register long r6 __asm__("r6") = d;
	register long r7 __asm__("r7") = e;
	register long r8 __asm__("r8") = f;

	__asm__ __volatile__("sc\n\tbns+ 1f\n\tneg %1, %1\n1:"
			     : "+r" (r0), "+r" (r3), "+r" (r4), "+r" (r5),
			       "+r" (r6), "+r" (r7), "+r" (r8)
			     : : "r9", "r10", "r11", "r12", "cr0", "ctr",
			       "xer", "memory");
	return r3;
}
#define SDTKIT_RECORD_CALLS_KERNEL	1
#else
#define SDTKIT_RECORD_CALLS_KERNEL	0
#include <errno.h>
#include <unistd.h>

static inline long sdtkit_record_system(long number, long a, long b, long c,
					long d, long e, long f)
{
	int error = errno;
	long ret = syscall(number, a, b, c, d, e, f);

	if (ret < 0)
		ret = -errno;
	errno = error;
	return ret;
}
#endif

#endif /* SDTKIT_RECORD_SYSTEM_H */
