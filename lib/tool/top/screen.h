/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table on a terminal that a person sorts, filters and scrolls with keys.
 *
 *	ret = screen_open(&screen, 0);
 *	while (!ended) {
 *		poll(screen_fd(screen) and others, until the next interval);
 *		if (screen_input(screen) == SCREEN_QUIT)
 *			break;
 *		if (the interval is over && !screen_is_paused(screen))
 *			screen_show(screen, &table);
 *	}
 *	screen_close(screen);
 *
 * There is one screen per process. As long as it is open, nothing else may be
 * written to the terminal.
 */
#ifndef SDTKIT_TOOL_TOP_SCREEN_H
#define SDTKIT_TOOL_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "top/order.h"

struct screen;

enum screen_wish { SCREEN_GOES_ON, SCREEN_QUIT };

/*
 * Takes the terminal, and sorts by this column. Returns 0, or
 *	-ENOTTY: standard input or output is not a terminal;
 *	-ENOTSUP: $TERM does not name a terminal whose cursor can be moved.
 * The caller then prints tables as lines.
 */
int screen_open(struct screen **screen, size_t sort_by);

/* Gives the terminal back as it was; exit() does this too. */
void screen_close(struct screen *screen);

/*
 * Shows a table. It and its rows have to last until the next call: keys and
 * new sizes of the window draw them again.
 */
void screen_show(struct screen *screen, const struct table *table);

/* To be polled for input. */
int screen_fd(const struct screen *screen);

/*
 * Obeys all keys that were pressed, and a new size of the window. Does not
 * wait. To be called after each poll(), also after one that a signal ended.
 */
enum screen_wish screen_input(struct screen *screen);

/*
 * Returns the last key that the screen has no use for, or 0; once. The table's
 * help says what they do.
 */
int screen_other_key(struct screen *screen);

/* The person wants to read what is there: do not show another table. */
bool screen_is_paused(const struct screen *screen);

#endif /* SDTKIT_TOOL_TOP_SCREEN_H */
