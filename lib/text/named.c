/* SPDX-License-Identifier: BSD-2-Clause */
/* named.c - compares probes with what a span names, see named.h. */
#include <string.h>

#include "named.h"

static bool is_same(const char *name, const char *text, size_t length)
{
	return strncmp(name, text, length) == 0 && name[length] == '\0';
}

bool sdtkit_is_named(const char *provider, const char *probe,
		     const char *text, size_t length, const char *owner)
{
	const char *colon = memchr(text, ':', length);

	if (colon == NULL)
		return is_same(probe, text, length) &&
		       (owner == NULL || strcmp(provider, owner) == 0);
	return is_same(provider, text, (size_t)(colon - text)) &&
	       is_same(probe, colon + 1, length - (size_t)(colon + 1 - text));
}
