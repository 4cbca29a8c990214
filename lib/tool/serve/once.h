/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages about files of others, each of which is given once. */
#ifndef SDTKIT_TOOL_SERVE_ONCE_H
#define SDTKIT_TOOL_SERVE_ONCE_H

#include <stddef.h>
#include <stdint.h>

enum { ONCE_MOST = 256, ONCE_TEXT = 1024 };

/* Begins with zeros, but for say(). */
struct once {
	void (*say)(const char *sentence);
	uint64_t said[ONCE_MOST];		/* hashes */
	size_t count;
};

/*
 * Says a sentence, which is cut to ONCE_TEXT bytes, unless it was said before.
 * After ONCE_MOST different ones nothing is said any more.
 */
__attribute__((format(printf, 2, 3)))
void once_say(struct once *once, const char *format, ...);

#endif /* SDTKIT_TOOL_SERVE_ONCE_H */
