/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - what the command lines of server and client have in common. */
#include <errno.h>
#include <stdlib.h>

#include "options.h"

int option_number(const char *text, uint64_t max, uint64_t *value)
{
	unsigned long long number;
	char *end;

	/* strtoull() would take "-1" and " 1" too */
	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0' || number > max)
		return -EINVAL;
	*value = number;
	return 0;
}
