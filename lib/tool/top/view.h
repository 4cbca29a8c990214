/* SPDX-License-Identifier: BSD-2-Clause */
/* A way to show reports: a table, JSON, the screen. */
#ifndef SDTKIT_TOOL_TOP_VIEW_H
#define SDTKIT_TOOL_TOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "top/engine.h"
#include "top/plan.h"
#include "top/rows.h"

/* What views are told. */
struct view_context {
	const struct engine *engine;
	const struct plan *plan;
	const char *target;		/* what is traced, in a few words */
	bool histograms;		/* -d */
	bool several;			/* reports follow each other: -i */
};

struct view {
	/* Any of these may be NULL. Returns false after a complaint. */
	bool (*begin)(const struct view_context *context);
	/* A report; last: none follows. */
	void (*show)(const struct view_context *context,
		     const struct report *report, bool last);
	/* A span that took long. */
	void (*line)(const struct view_context *context,
		     const struct top_line *line);
	/* Input from this descriptor, or -1; key() returns false to end. */
	int fd;
	bool (*key)(const struct view_context *context);
	void (*end)(const struct view_context *context);
	/* Reports in this time if there is no -i; 0: only one, at the end. */
	double interval;
};

#endif /* SDTKIT_TOOL_TOP_VIEW_H */
