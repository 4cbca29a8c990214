/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System calls for the path of a hit, which may call nothing: functions of the
 * C library may use vector registers, which hold values of the program there.
 * Elsewhere than on x86-64 hits come by a signal, whose context has all
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
#else
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
