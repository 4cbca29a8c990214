/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the service and of what takes its reports: options.def. */
#ifndef TSMBD_SERVE_OPTIONS_H
#define TSMBD_SERVE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

enum { SERVE_MAX_TEXTS = 16 };

/* An option that may be repeated. */
struct texts {
	const char *items[SERVE_MAX_TEXTS];
	int count;
};

struct serve_options {
#define HEADING(text)
#define FLAG(member, name, doc)				bool member;
#define TEXT(member, name, argument, check, doc)	const char *member;
#define LIST(member, name, argument, check, doc)	struct texts member;
#define NUMBER(member, name, argument, normal, least, most, doc)	\
	unsigned int member;
#define CHOICE(member, name, choices, doc)		unsigned int member;
#include "options.def"
#undef HEADING
#undef FLAG
#undef TEXT
#undef LIST
#undef NUMBER
#undef CHOICE
};

/* What getopt_long() returns for each: SERVE_config, SERVE_html... */
enum {
	SERVE_FIRST = 511,
#define HEADING(text)
#define FLAG(member, name, doc)				SERVE_ ## member,
#define TEXT(member, name, argument, check, doc)	SERVE_ ## member,
#define LIST(member, name, argument, check, doc)	SERVE_ ## member,
#define NUMBER(member, name, argument, normal, least, most, doc)	\
	SERVE_ ## member,
#define CHOICE(member, name, choices, doc)		SERVE_ ## member,
#include "options.def"
#undef HEADING
#undef FLAG
#undef TEXT
#undef LIST
#undef NUMBER
#undef CHOICE
	SERVE_END,
};

void serve_options_defaults(struct serve_options *options);

/* Writes them for getopt_long(), without an end mark. */
void serve_options_list(struct option *list);

/* Sets the one for which getopt_long() returned option. */
void serve_options_set(struct serve_options *options, int option,
		       const char *value);

/* Whether an option may be given several times. */
bool serve_options_repeat(int option);

/* Whether options below a heading differ; below any heading for NULL. */
bool serve_options_differ(const struct serve_options *a,
			  const struct serve_options *b, const char *heading);

/* Prints their lines of --help. */
void serve_options_help(FILE *out);

#endif /* TSMBD_SERVE_OPTIONS_H */
