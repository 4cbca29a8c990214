/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that restrict their system calls (seccomp). A hit makes some system
 * calls, and a filter may kill the process for it. So tracing the process ends
 * before it has a filter, and the end of the trace says so.
 *
 *	prctl(PR_SET_SECCOMP, ...)		by hand
 *	syscall(SYS_seccomp, ...)		libseccomp
 */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

SDTKIT_PRELOAD_NEXT(prctl)
SDTKIT_PRELOAD_NEXT(syscall)

enum {
	PRCTL_ARGUMENTS = 4,
	SYSCALL_ARGUMENTS = 6,
};

/*
 * The C library reads its arguments like this: there are always that many,
 * though some may be meaningless.
 */
#define TAKE(arguments, count, last)					\
	do {								\
		va_list list_;						\
		int i_;							\
									\
		va_start(list_, last);					\
		for (i_ = 0; i_ < (count); i_++)			\
			(arguments)[i_] = va_arg(list_, long);		\
		va_end(list_);						\
	} while (0)

SDTKIT_PRELOAD_REPLACED
int prctl(int option, ...)
{
	long a[PRCTL_ARGUMENTS];

	TAKE(a, PRCTL_ARGUMENTS, option);
	if (option == PR_SET_SECCOMP)
		sdtkit_preload_end();
	return next_prctl()(option, a[0], a[1], a[2], a[3]);
}

static bool locks_up(long number, const long *a)
{
	if (number == SYS_prctl)
		return a[0] == PR_SET_SECCOMP;
	return number == SYS_seccomp && (a[0] == SECCOMP_SET_MODE_STRICT ||
					 a[0] == SECCOMP_SET_MODE_FILTER);
}

SDTKIT_PRELOAD_REPLACED
long syscall(long number, ...)
{
	long a[SYSCALL_ARGUMENTS];

	TAKE(a, SYSCALL_ARGUMENTS, number);
	if (locks_up(number, a))
		sdtkit_preload_end();
	return next_syscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
