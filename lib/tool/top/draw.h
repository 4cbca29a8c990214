/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the screen, for its keys (screen.c) and its picture (draw.c). */
#ifndef SDTKIT_TOOL_TOP_DRAW_H
#define SDTKIT_TOOL_TOP_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "top/order.h"

struct screen {
	/* A SCREEN of ncurses. */
	void *terminal;
	const struct table *table;
	struct order order;
	/* The first row that is shown, and how many there is room for. */
	size_t first;
	size_t room;
	/* How many columns there is no room for. */
	size_t hidden;
	bool paused;
	bool helping;
	/* Keys are letters of the filter. */
	bool prompting;
	bool quit;
	/* The last key that the screen does not know, or 0. */
	int other;
};

/*
 * Draws all of it. The rows are in order already; corrects the first row that
 * is shown, if there are fewer now.
 */
void screen_draw(struct screen *screen);

/* Corrects the first row that is shown, if there are too few behind it. */
void screen_keep_rows(struct screen *screen);

#endif /* SDTKIT_TOOL_TOP_DRAW_H */
