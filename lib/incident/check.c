/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - checks the value of --when. */
#include "check.h"
#include "condition.h"

const char *check_when(const void *context, const char *value)
{
	static char message[CONDITION_MESSAGE];
	struct condition condition;

	(void)context;
	if (condition_parse(value, &condition, message))
		return NULL;
	return message;
}
