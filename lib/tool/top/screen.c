/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * screen.c - a table on a terminal, through ncurses: the terminal and its keys.
 *
 * ncurses knows the terminals and their keys, writes what has changed only,
 * and gives the terminal back when a signal stops or ends the process. It
 * takes SIGINT and SIGTERM only if nobody has taken them before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>

#include "common/tool.h"
#include "top/draw.h"
#include "top/screen.h"

enum {
	KEY_ESCAPE = 0x1b,
	KEY_CONTROL_L = 'L' & 0x1f,
	KEY_CONTROL_U = 'U' & 0x1f,
	KEY_DELETE_LEFT = 0x7f,
	ESCAPE_DELAY_MS = 50,
};

/* For atexit(). */
static struct screen *opened;

static void order_and_draw(struct screen *screen)
{
	if (screen->table == NULL)
		return;
	order_apply(&screen->order, screen->table);
	screen_draw(screen);
}

static void do_quit(struct screen *screen)
{
	screen->quit = true;
}

static void do_left(struct screen *screen)
{
	order_move(&screen->order, screen->table, -1);
}

static void do_right(struct screen *screen)
{
	order_move(&screen->order, screen->table, 1);
}

static void do_reverse(struct screen *screen)
{
	screen->order.reversed = !screen->order.reversed;
}

static void do_pause(struct screen *screen)
{
	screen->paused = !screen->paused;
}

static void do_help(struct screen *screen)
{
	screen->helping = !screen->helping;
}

static void do_filter(struct screen *screen)
{
	screen->prompting = true;
	screen->order.filter[0] = '\0';
}

/* Leaves the help, or else the filter. */
static void do_escape(struct screen *screen)
{
	if (!screen->helping)
		screen->order.filter[0] = '\0';
	screen->helping = false;
}

static void do_redraw(struct screen *screen)
{
	clearok(curscr, TRUE);
}

/* ncurses prefers $LINES and $COLUMNS to what the terminal says. */
static void do_resize(struct screen *screen)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_row > 0 && size.ws_col > 0 &&
	    is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	do_redraw(screen);
}

static void scroll_by(struct screen *screen, size_t rows, bool up)
{
	if (!up)
		screen->first += rows;
	else
		screen->first -= rows < screen->first ? rows : screen->first;
	/* The next key may come before it is drawn. */
	screen_keep_rows(screen);
}

static void do_up(struct screen *screen)
{
	scroll_by(screen, 1, true);
}

static void do_down(struct screen *screen)
{
	scroll_by(screen, 1, false);
}

static void do_page_up(struct screen *screen)
{
	scroll_by(screen, screen->room, true);
}

static void do_page_down(struct screen *screen)
{
	scroll_by(screen, screen->room, false);
}

static void do_home(struct screen *screen)
{
	screen->first = 0;
}

static void do_end(struct screen *screen)
{
	screen->first = screen->order.count;
	screen_keep_rows(screen);
}

static const struct {
	int key;
	void (*act)(struct screen *screen);
} keys[] = {
	{ 'q', do_quit },
	{ '<', do_left }, { KEY_LEFT, do_left },
	{ '>', do_right }, { KEY_RIGHT, do_right },
	{ 'r', do_reverse },
	{ 'p', do_pause }, { ' ', do_pause },
	{ 'h', do_help }, { '?', do_help },
	{ '/', do_filter }, { KEY_ESCAPE, do_escape },
	{ KEY_UP, do_up }, { 'k', do_up },
	{ KEY_DOWN, do_down }, { 'j', do_down },
	{ KEY_PPAGE, do_page_up }, { KEY_NPAGE, do_page_down },
	{ KEY_HOME, do_home }, { KEY_END, do_end },
	{ KEY_CONTROL_L, do_redraw }, { KEY_RESIZE, do_resize },
};

/* Removes the last character: in UTF-8, with the bytes that continue it. */
static void drop_letter(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && (text[--length] & 0xc0) == 0x80)
		;
	text[length] = '\0';
}

/* While the filter is typed; it is applied with each letter. */
static void edit_filter(struct screen *screen, int key)
{
	char *filter = screen->order.filter;
	size_t length = strlen(filter);

	if (key == KEY_ESCAPE)
		filter[0] = '\0';
	if (key == KEY_ESCAPE || key == '\n' || key == '\r' || key == KEY_ENTER)
		screen->prompting = false;
	else if (key == KEY_CONTROL_U)
		filter[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == KEY_DELETE_LEFT ||
		  key == '\b') && length > 0)
		drop_letter(filter);
	else if (key >= ' ' && key <= 0xff && key != KEY_DELETE_LEFT &&
		 length + 1 < sizeof(screen->order.filter))
		memcpy(filter + length, (char[]){ (char)key, '\0' }, 2);
}

static void obey(struct screen *screen, int key)
{
	size_t i;

	if (screen->table == NULL && key != 'q')
		return;
	if (screen->prompting && key != KEY_RESIZE) {
		edit_filter(screen, key);
		return;
	}
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].key == key)
			break;
	}
	if (i < sizeof(keys) / sizeof(keys[0]))
		keys[i].act(screen);
	else
		screen->other = key;
}

/* A terminal that is gone is always ready, and never has a key. */
static bool is_gone(const struct screen *screen)
{
	struct pollfd fd = { .fd = screen_fd(screen), .events = POLLIN };

	return poll(&fd, 1, 0) > 0 &&
		(fd.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

enum screen_wish screen_input(struct screen *screen)
{
	bool any = false;
	int key;

	while (!screen->quit && (key = getch()) != ERR) {
		obey(screen, key);
		any = true;
	}
	if (screen->quit || (!any && is_gone(screen)))
		return SCREEN_QUIT;
	if (any)
		order_and_draw(screen);
	return SCREEN_GOES_ON;
}

void screen_show(struct screen *screen, const struct table *table)
{
	screen->table = table;
	order_and_draw(screen);
}

int screen_fd(const struct screen *screen)
{
	return STDIN_FILENO;
}

int screen_other_key(struct screen *screen)
{
	int key = screen->other;

	screen->other = 0;
	return key;
}

bool screen_is_paused(const struct screen *screen)
{
	return screen->paused;
}

static void close_opened(void)
{
	if (opened != NULL)
		endwin();
}

static SCREEN *take_terminal(void)
{
	SCREEN *terminal;

	/* names may have letters that are not in ASCII */
	setlocale(LC_CTYPE, "");
	terminal = newterm(NULL, stdout, stdin);
	if (terminal == NULL)
		return NULL;
	if (tigetstr("cup") == NULL) {
		endwin();
		delscreen(terminal);
		return NULL;
	}
	return terminal;
}

static void set_modes(void)
{
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_DELAY_MS);
	curs_set(0);
}

int screen_open(struct screen **screen, size_t sort_by)
{
	static bool at_exit;
	struct screen *s;

	if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
		return -ENOTTY;
	s = tool_zeros(1, sizeof(*s));
	s->terminal = take_terminal();
	if (s->terminal == NULL) {
		free(s);
		return -ENOTSUP;
	}
	set_modes();
	do_resize(s);
	s->order.column = sort_by;
	opened = s;
	if (!at_exit)
		at_exit = atexit(close_opened) == 0;
	*screen = s;
	return 0;
}

void screen_close(struct screen *screen)
{
	if (screen == NULL)
		return;
	opened = NULL;
	endwin();
	delscreen(screen->terminal);
	order_free(&screen->order);
	free(screen);
}
