/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - makes the table of options.def. */
#include "checks.h"
#include "options.h"

static const struct setting rows[] = {
#define ALSO(member)							\
	SERVE_ ## member, offsetof(struct serve_options, member)
#define HEADING(text)	{ .kind = SETTING_HEADING, .name = text },
#define FLAG(member, option, text)					\
	{ SETTING_FLAG, ALSO(member), option, NULL, NULL, 0, 0, 0, text },
#define TEXT(member, option, argument, check, text)			\
	{ SETTING_TEXT, ALSO(member), option, argument, check, 0, 0, 0, text },
#define LIST(member, option, argument, check, text)			\
	{ SETTING_LIST, ALSO(member), option, argument, check, 0, 0, 0, text },
#define NUMBER(member, option, argument, normal, least, most, text)	\
	{ SETTING_NUMBER, ALSO(member), option, argument, NULL, normal,	\
	  least, most, text },
#define CHOICE(member, option, choices, text)				\
	{ SETTING_CHOICE, ALSO(member), option, choices, NULL, 0, 0, 0, text },
#include "options.def"
};

const struct settings serve_settings = {
	rows, sizeof(rows) / sizeof(rows[0]),
};
