/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * draw.c - what the person sees, written through ncurses, see draw.h.
 *
 *	sdtkit top: postgres, 8 processes, every 1 s	headings
 *	SPAN          COUNT   P50 US   MAX US  NAME	titles
 *	query          1203     38.1    912.0  SELECT	rows
 *	query           402     51.7    388.2  UPDATE
 *							notes
 *	q quit  h help  / filter ...			the bottom line
 */
#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

#include "common/escape.h"
#include "common/tool.h"
#include "top/draw.h"
#include "top/layout.h"

/* Text for the terminal, of at most this width. */
struct fitted {
	wchar_t text[TABLE_CELL];
	int width;
};

/* Bytes that are not a character of the user's locale become question marks. */
static void fit(struct fitted *fitted, const char *text, int width)
{
	char escaped[TABLE_CELL];
	size_t size = escape_into(escaped, sizeof(escaped), text, ESCAPE_PATH);
	mbstate_t state = { 0 };
	size_t at = 0, count = 0;

	fitted->width = 0;
	while (at < size && count < TABLE_CELL - 1) {
		wchar_t c;
		size_t length = mbrtowc(&c, escaped + at, size - at, &state);
		int wide;

		if (length == 0 || length > size - at) {
			memset(&state, 0, sizeof(state));
			length = 1;
			c = L'?';
		}
		wide = wcwidth(c) < 0 ? 0 : wcwidth(c);
		if (fitted->width + wide > width)
			break;
		fitted->text[count++] = c;
		fitted->width += wide;
		at += length;
	}
	fitted->text[count] = L'\0';
}

/* A line of text, from the left edge. */
static void put_line(int y, attr_t style, const char *text)
{
	struct fitted fitted;

	if (y < 0 || y >= LINES)
		return;
	fit(&fitted, text, COLS);
	attrset(style);
	mvaddwstr(y, 0, fitted.text);
	attrset(A_NORMAL);
}

/* Text is cut at the edge of the window; a number is whole, or left out. */
static bool is_shown(int x, int width, bool is_text)
{
	return is_text ? x < COLS : x + width <= COLS;
}

static void put_cell(int y, int x, const char *text, int width, bool left)
{
	struct fitted fitted;
	int room = COLS - x;

	if (!is_shown(x, width, left))
		return;
	fit(&fitted, text, left && width < room ? width : room);
	if (!left && fitted.width < width)
		x += width - fitted.width;
	mvaddwstr(y, x, fitted.text);
}

static void put_titles(const struct layout *layout, int y)
{
	size_t i;

	mvhline(y, 0, ' ' | A_REVERSE, COLS);
	for (i = 0; i < layout->count; i++) {
		const struct table_column *column = layout->shown[i].column;

		attrset(layout->shown[i].sorted ?
			A_REVERSE | A_BOLD | A_UNDERLINE : A_REVERSE);
		put_cell(y, layout->shown[i].x, column->title,
			 layout->shown[i].width, column->is_text);
	}
	attrset(A_NORMAL);
}

static void put_row(const struct layout *layout, int y, const void *row)
{
	char cell[TABLE_CELL];
	size_t i;

	for (i = 0; i < layout->count; i++) {
		const struct table_column *column = layout->shown[i].column;

		column->print(column, row, cell, sizeof(cell));
		put_cell(y, layout->shown[i].x, cell, layout->shown[i].width,
			 column->is_text);
	}
}

/* What the keys do, and what the columns mean. */
static void put_help(const struct screen *screen, int y, int end)
{
	static const char *const keys[] = {
		"< >, left, right  sort by another column",
		"r                 reverse the order",
		"/                 show only rows with this text; Esc: all",
		"up, down, PgUp, PgDn, Home, End  scroll",
		"p, space          pause, and go on",
		"h, ?              this help, and back",
		"q, Ctrl-C         quit",
	};
	const struct table *table = screen->table;
	char line[TABLE_CELL];
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]) && y < end; i++)
		put_line(y++, A_NORMAL, keys[i]);
	for (i = 0; i < table->num_help && y < end; i++)
		put_line(y++, A_NORMAL, table->help[i]);
	y++;
	for (i = 0; i < table->num_columns && y < end; i++) {
		if (table->columns[i].doc == NULL)
			continue;
		snprintf(line, sizeof(line), "%-10s %s",
			 table->columns[i].title, table->columns[i].doc);
		put_line(y++, A_NORMAL, line);
	}
}

static void put_bottom(const struct screen *screen)
{
	const struct table *table = screen->table;
	const struct order *order = &screen->order;
	char line[TABLE_CELL];
	bool filters = order->filter[0] != '\0';
	char hidden[48] = "";

	if (screen->prompting) {
		snprintf(line, sizeof(line), "filter: %s", order->filter);
		put_line(LINES - 1, A_BOLD, line);
		return;
	}
	/* The filter has to be seen, in 80 columns, too. */
	if (screen->hidden > 0 && !filters)
		snprintf(hidden, sizeof(hidden), "< > %zu more column%s  ",
			 screen->hidden, tool_plural(screen->hidden));
	snprintf(line, sizeof(line),
		 "%sq quit  h help  %s%s|  %zu of %zu rows by %s%s%s%s",
		 screen->paused ? "PAUSED  " : "",
		 filters ? "Esc all  " : "/ filter  p pause  ", hidden,
		 order->count,
		 table->num_rows, table->num_columns > 0 ?
		 table->columns[order->column].title : "nothing",
		 order->reversed ? ", reversed" : "",
		 filters ? ", with: " : "", order->filter);
	put_line(LINES - 1, screen->paused ? A_BOLD : A_DIM, line);
}

void screen_keep_rows(struct screen *screen)
{
	size_t count = screen->order.count;

	if (screen->first + screen->room > count)
		screen->first = count > screen->room ? count - screen->room : 0;
}

static size_t count_hidden(const struct layout *layout,
			   const struct table *table)
{
	size_t shown = 0;
	size_t i;

	for (i = 0; i < layout->count; i++)
		shown += is_shown(layout->shown[i].x, layout->shown[i].width,
				  layout->shown[i].column->is_text);
	return table->num_columns - shown;
}

/* The titles, and the rows that there is room for. */
static void put_table(struct screen *screen, int y, int end)
{
	const struct order *order = &screen->order;
	struct layout layout;
	size_t i;

	if (screen->table->num_columns == 0)
		return;
	layout_make(&layout, screen->table, order, COLS);
	screen->hidden = count_hidden(&layout, screen->table);
	put_titles(&layout, y++);
	screen->room = y < end ? (size_t)(end - y) : 0;
	screen_keep_rows(screen);
	for (i = screen->first; i < order->count && y < end; i++)
		put_row(&layout, y++, order->rows[i].row);
}

/*
 * Returns the number of the first note to show. Notes take no more than half of
 * the lines below the headings; if there are more, the last ones are shown, which
 * are the newest.
 */
static size_t first_note(const struct table *table)
{
	int room = LINES - 1 - (int)table->num_headings;
	size_t most = room > 0 ? (size_t)room / 2 : 0;

	return table->num_notes > most ? table->num_notes - most : 0;
}

void screen_draw(struct screen *screen)
{
	const struct table *table = screen->table;
	size_t note = first_note(table);
	int end = LINES - 1 - (int)(table->num_notes - note);
	int y = 0;
	size_t i;

	erase();
	for (i = 0; i < table->num_headings; i++)
		put_line(y++, A_BOLD, table->headings[i]);
	if (screen->helping)
		put_help(screen, y + 1, end);
	else if (y < LINES - 1)
		put_table(screen, y, end);
	for (i = note; i < table->num_notes; i++)
		put_line(end + (int)(i - note), A_NORMAL, table->notes[i]);
	move(LINES - 1, 0);
	clrtoeol();
	put_bottom(screen);
	refresh();
}
