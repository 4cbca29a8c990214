/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of --slow as text. */
#ifndef SDTKIT_TOOL_TOP_LINES_H
#define SDTKIT_TOOL_TOP_LINES_H

#include "top/view.h"

void lines_print(const struct view_context *context,
		 const struct top_line *line);

/* The same without its end, as it came: escape it before it is printed. */
void lines_text(const struct view_context *context,
		const struct top_line *line, char *text, size_t size);

/* Calls each() for the arguments of a start or an end. */
struct line_argument {
	const char *name;		/* "opcode", or "arg1" */
	const char *text;		/* of the value */
	bool quoted;			/* the value is text */
	bool is_address;
};
void lines_arguments(const struct view_context *context,
		     const struct top_values *values,
		     void (*each)(const struct line_argument *argument,
				  void *data), void *data);

#endif /* SDTKIT_TOOL_TOP_LINES_H */
