/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exchange.c - preloaded: whoever opens $EXCHANGE_FILE for the first time reads
 * it as it is; then $EXCHANGE_FILE.next, if there is one, takes its place.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_and_exchange(const char *name, const char *path, int flags,
			     mode_t mode)
{
	const char *file = getenv("EXCHANGE_FILE");
	int (*next)(const char *, int, ...);
	char other[4096];
	int fd;

	*(void **)&next = dlsym(RTLD_NEXT, name);
	fd = next(path, flags, mode);
	if (file == NULL || strcmp(path, file) != 0)
		return fd;
	snprintf(other, sizeof(other), "%s.next", file);
	rename(other, file);
	return fd;
}

#define DEFINE(name)							\
	int name(const char *path, int flags, ...)			\
	{								\
		mode_t mode = 0;					\
		va_list args;						\
									\
		if (flags & O_CREAT) {					\
			va_start(args, flags);				\
			mode = va_arg(args, mode_t);			\
			va_end(args);					\
		}							\
		return open_and_exchange(#name, path, flags, mode);	\
	}

DEFINE(open)
DEFINE(open64)
