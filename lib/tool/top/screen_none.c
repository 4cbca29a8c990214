/* SPDX-License-Identifier: BSD-2-Clause */
/* For a build without ncurses: no terminal will do, see screen.h. */
#include <errno.h>

#include "top/screen.h"

int screen_open(struct screen **screen, size_t sort_by)
{
	(void)screen;
	(void)sort_by;
	return -ENOTSUP;
}

void screen_close(struct screen *screen)
{
	(void)screen;
}

void screen_show(struct screen *screen, const struct table *table)
{
	(void)screen;
	(void)table;
}

int screen_fd(const struct screen *screen)
{
	(void)screen;
	return -1;
}

enum screen_wish screen_input(struct screen *screen)
{
	(void)screen;
	return SCREEN_QUIT;
}

int screen_other_key(struct screen *screen)
{
	(void)screen;
	return 0;
}

bool screen_is_paused(const struct screen *screen)
{
	(void)screen;
	return false;
}
