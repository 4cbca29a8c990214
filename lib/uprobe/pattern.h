/* SPDX-License-Identifier: BSD-2-Clause */
/* pattern.h - what a string of the program is compared with, in the kernel. */
#ifndef UPROBE_PATTERN_H
#define UPROBE_PATTERN_H

#include <stdbool.h>

enum {
	UPROBE_PATTERN = 64,		/* bytes of a pattern, with its NUL */
	UPROBE_COMPARED = 255,		/* of a string of the program */
};

/* How struct uprobe_test compares strings: enum sdtkit_record_compare. */
enum { UPROBE_LIKE = 6, UPROBE_UNLIKE = 7 };

/* These bytes, or those before the * and those behind it. */
struct uprobe_pattern {
	unsigned char first;		/* how many there are before the * */
	unsigned char last;		/* and behind it */
	unsigned char has_star;
	unsigned char text[UPROBE_PATTERN];	/* a ? is any byte */
};

/* Returns false if the text has more than one *, which may be repeated. */
bool pattern_set(struct uprobe_pattern *pattern, const char *text);

#endif /* UPROBE_PATTERN_H */
