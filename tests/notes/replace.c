/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload: as soon as the program has opened $REPLACE_OLD, the
 * file $REPLACE_NEW is renamed to it, as in an upgrade at the worst moment. If
 * the program opens the path a second time, it gets another build.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_and_replace(const char *function, const char *path, int flags,
			    mode_t mode)
{
	const char *old = getenv("REPLACE_OLD"), *new = getenv("REPLACE_NEW");
	int (*next)(const char *, int, ...);
	int fd;

	*(void **)&next = dlsym(RTLD_NEXT, function);
	fd = next(path, flags, mode);
	if (old != NULL && new != NULL && strcmp(path, old) == 0)
		rename(new, old);
	return fd;
}

#define REPLACING(name)							\
	int name(const char *path, int flags, ...)			\
	{								\
		mode_t mode = 0;					\
		va_list ap;						\
									\
		va_start(ap, flags);					\
		if (flags & (O_CREAT | O_TMPFILE))			\
			mode = va_arg(ap, mode_t);			\
		va_end(ap);						\
		return open_and_replace(#name, path, flags, mode);	\
	}

REPLACING(open)
REPLACING(open64)
