/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the service and of what takes its reports: options.def. */
#ifndef TSMBD_SERVE_OPTIONS_H
#define TSMBD_SERVE_OPTIONS_H

#include <stdbool.h>

#include "settings/table.h"

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

/* The table of them. */
extern const struct settings serve_settings;

#endif /* TSMBD_SERVE_OPTIONS_H */
