/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the table of the options. */
#include "condition.h"
#include "options.h"

static const char *check_when(const void *measures, const char *value)
{
	static char message[CONDITION_MESSAGE];
	struct condition condition;

	if (condition_parse(measures, value, &condition, message))
		return NULL;
	return message;
}

const struct setting incident_settings[] = {
	{ SETTING(LIST, struct incident_options, when, "when", "CONDITION",
		  "say so when CONDITION holds: 'p99(NAME) > 50ms "
		  "for 10s'"),
	  .check = check_when, .most = MOST_CONDITIONS },
	{ SETTING(TEXT, struct incident_options, save, "save", "DIR",
		  "save what happened before, during and after it in "
		  "a directory in DIR") },
	{ SETTING(NUMBER, struct incident_options, save_size,
		  "save-size", "MIB",
		  "remove the oldest of these directories if they "
		  "need more than MIB"),
	  .normal = 256, .least = 1, .most = 1048576 },
	{ .name = NULL },
};
