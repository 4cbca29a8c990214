/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and names as C declares them, see declare.h. */
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "probes/declare.h"

/*
 * The index at which the name has to be inserted: within "(*)", before "[4]",
 * or at the end.
 */
static size_t find_index(const char *type)
{
	const char *pointer = strstr(type, "(*");
	size_t length;

	if (pointer != NULL)
		return (size_t)(pointer - type) + strcspn(pointer, ")[");
	length = strcspn(type, "[");
	while (length > 0 && type[length - 1] == ' ')
		length--;
	return length;
}

char *declare(const char *type, const char *name)
{
	size_t index = find_index(type);
	const char *rest = type + index;
	bool joined = index > 0 && type[index - 1] == '*';

	if (name[0] == '\0')
		return tool_format("%s", type);
	return tool_format("%.*s%s%s%s", (int)index, type, joined ? "" : " ",
			   name, rest + strspn(rest, " "));
}
