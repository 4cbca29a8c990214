/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * once.c - the owner of a program decides how many files are wrong: neither the
 * log nor what is remembered of it may grow with them.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "common/escape.h"
#include "serve/once.h"

/* FNV-1a */
static uint64_t hash(const char *text)
{
	uint64_t sum = 0xcbf29ce484222325;

	while (*text != '\0')
		sum = (sum ^ (unsigned char)*text++) * 0x100000001b3;
	return sum;
}

void once_say(struct once *once, const char *format, ...)
{
	char raw[ONCE_TEXT], text[ONCE_TEXT];
	uint64_t sum;
	va_list args;
	size_t i;

	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	escape_into(text, sizeof(text), raw, ESCAPE_PATH);
	sum = hash(text);
	for (i = 0; i < once->count; i++) {
		if (once->said[i] == sum)
			return;
	}
	if (once->count == ONCE_MOST)
		return;
	once->said[once->count++] = sum;
	once->say(text);
	if (once->count == ONCE_MOST)
		once->say("there were too many messages about files: no more "
			  "are written");
}
