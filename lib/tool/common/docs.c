/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of documentation in messages, see docs.h.
 *
 *	  -j, --json   for programs: docs/list.schema.json
 *	                             \____________________/
 *	               /usr/share/sdtkit/schema/list.schema.json
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/beside.h"
#include "common/docs.h"

static const char prefix[] = "docs/";

/* Where files of a kind are, relative to the directory of this program. */
static const struct kind {
	const char *suffix;
	const char *directory;
} kinds[] = {
	{ ".schema.json", TOOL_SCHEMA_BESIDE },
	{ ".md", TOOL_DOCS_BESIDE },
};

static char named[8192];
static size_t used;

__attribute__((format(printf, 1, 2)))
static void append(const char *format, ...)
{
	va_list ap;
	int length;

	va_start(ap, format);
	length = vsnprintf(named + used, sizeof(named) - used, format, ap);
	va_end(ap);
	if (length > 0)
		used += (size_t)length;
	if (used >= sizeof(named))
		used = sizeof(named) - 1;
}

/* The length of a name with one of the suffixes, or 0. */
static size_t name_length(const char *name, const struct kind **kind)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz-.");
	size_t i;

	while (length > 0 && name[length - 1] == '.')	/* full stop */
		length--;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t suffix = strlen(kinds[i].suffix);

		if (length > suffix && memcmp(name + length - suffix,
					      kinds[i].suffix, suffix) == 0) {
			*kind = &kinds[i];
			return length;
		}
	}
	return 0;
}

const char *docs_named(const char *text)
{
	char file[PATH_MAX], path[PATH_MAX];
	const struct kind *kind;
	const char *at;

	used = 0;
	named[0] = '\0';
	while ((at = strstr(text, prefix)) != NULL) {
		const char *name = at + strlen(prefix);
		int length = (int)name_length(name, &kind);

		if (length > 0)
			snprintf(file, sizeof(file), "%s/%.*s",
				 kind->directory, length, name);
		if (length > 0 && beside_path(file, path))
			append("%.*s%s", (int)(at - text), text, path);
		else
			append("%.*s", (int)(name - text) + length, text);
		text = name + length;
	}
	append("%s", text);
	return named;
}
