/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern.c - the pattern of a filter in the form that the kernel reads.
 *
 *	"home*.txt"	4 bytes before the *, 4 behind it: home.txt
 */
#include <string.h>

#include "pattern.h"

bool pattern_set(struct uprobe_pattern *pattern, const char *text)
{
	const char *star = strchrnul(text, '*');
	const char *rest = star + strspn(star, "*");

	*pattern = (struct uprobe_pattern){
		.first = (unsigned char)(star - text),
		.last = (unsigned char)strlen(rest),
		.has_star = *star == '*',
	};
	memcpy(pattern->text, text, pattern->first);
	memcpy(pattern->text + pattern->first, rest, pattern->last);
	return strchr(rest, '*') == NULL;
}
