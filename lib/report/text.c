/* SPDX-License-Identifier: BSD-2-Clause */
/* text.c - rows of a table as lines of text, see text.h. */
#include <stdio.h>
#include <string.h>

#include "report/text.h"

enum { SHORT = 7 };		/* what shorten() writes at most */

/* Four significant digits at most: 12.3, 12345, 264k, 37.8M. */
static void shorten(double value, bool fraction, char cell[REPORT_CELL])
{
	static const char units[] = " kMGTPE";
	size_t unit = 0;

	if (value < 99999.5) {
		snprintf(cell, REPORT_CELL, fraction ? "%.1f" : "%.0f", value);
		return;
	}
	while (value >= 999.5 && units[unit + 1] != '\0') {
		value /= 1000;
		unit++;
	}
	snprintf(cell, REPORT_CELL, value < 99.95 ? "%.1f%c" : "%.0f%c", value,
		 units[unit]);
}

const char *report_text_cell(const struct report_table *table,
			     const struct report_column *column,
			     const void *row, bool brief,
			     char cell[REPORT_CELL])
{
	const struct report_group *group = &table->groups[column->group];
	unsigned int scale = report_scale(column);
	unsigned long long value;

	if (group->has != NULL && !group->has(row))
		return strcpy(cell, "-");
	value = report_value(column, row);
	if (brief)
		shorten((double)value / scale, scale > 1, cell);
	else if (scale > 1)
		snprintf(cell, REPORT_CELL, "%.*f", column->decimals,
			 (double)value / scale);
	else
		snprintf(cell, REPORT_CELL, "%llu", value);
	return cell;
}

int report_text_brief_width(const struct report_column *column)
{
	int title = (int)strlen(column->title);

	return title > SHORT ? title : SHORT;
}

static const void *row_of(const struct report_text *text, size_t i)
{
	return (const char *)text->rows->rows + i * text->table->row_size;
}

/* Returns the width of the title, or of the longest number. */
static int width_of(const struct report_text *text,
		    const struct report_column *column)
{
	int width = (int)strlen(column->title);
	char cell[REPORT_CELL];
	int length;
	size_t i;

	width = width > column->width ? width : column->width;
	for (i = 0; i < text->num_rows; i++) {
		length = (int)strlen(report_text_cell(
			text->table, column, row_of(text, i), false, cell));
		width = length > width ? length : width;
	}
	return width;
}

void report_text_begin(struct report_text *text, const struct report *report,
		       size_t table, size_t lines)
{
	size_t count = report->rows[table].count;

	*text = (struct report_text){
		.rows = &report->rows[table],
		.table = report_table(report, table),
		.num_rows = lines > 0 && lines < count ? lines : count,
	};
}

static bool has_any(const struct report_text *text, unsigned int group)
{
	size_t i;

	for (i = 0; i < text->num_rows; i++) {
		if (report_any(text->table, group, row_of(text, i)))
			return true;
	}
	return false;
}

void report_text_group(struct report_text *text, unsigned int group)
{
	const struct report_column *column;

	if (text->table->groups[group].hidden ||
	    (text->table->groups[group].if_any && !has_any(text, group)))
		return;
	REPORT_FOR_EACH(column, text->table, group) {
		if (column->title == NULL ||
		    text->num_columns == REPORT_COLUMNS)
			continue;
		text->width[text->num_columns] = width_of(text, column);
		text->columns[text->num_columns++] = column;
	}
}

void report_text_brief(struct report_text *text)
{
	size_t i;

	text->brief = true;
	for (i = 0; i < text->num_columns; i++)
		text->width[i] = report_text_brief_width(text->columns[i]);
}

size_t report_text_width(const struct report_text *text, size_t columns)
{
	size_t width = 0;
	size_t i;

	for (i = 0; i < columns; i++)
		width += 1 + (size_t)text->width[i];
	return width;
}

/* Appends a cell; what does not fit is cut. */
static size_t append(char *line, size_t used, int width, const char *cell)
{
	int length = snprintf(line + used, REPORT_LINE - used, " %*s", width,
			      cell);

	used += (size_t)length;
	return used < REPORT_LINE ? used : REPORT_LINE - 1;
}

const char *report_text_titles(const struct report_text *text,
			       char line[REPORT_LINE])
{
	size_t used = 0;
	size_t i;

	line[0] = '\0';
	for (i = 0; i < text->num_columns; i++)
		used = append(line, used, text->width[i],
			      text->columns[i]->title);
	return line;
}

const char *report_text_row(const struct report_text *text, const void *row,
			    char line[REPORT_LINE])
{
	char cell[REPORT_CELL];
	size_t used = 0;
	size_t i;

	line[0] = '\0';
	for (i = 0; i < text->num_columns; i++)
		used = append(line, used, text->width[i],
			      report_text_cell(text->table, text->columns[i],
					       row, text->brief, cell));
	return line;
}
