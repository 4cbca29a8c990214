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

static bool has_cell(const struct report_table *table,
		     const struct report_column *column, const void *row)
{
	const struct report_group *group = &table->groups[column->group];

	return group->has == NULL || group->has(row);
}

const char *report_text_title(const struct report_column *column,
			      const struct report_time *unit,
			      char title[REPORT_CELL])
{
	int length = (int)strlen(column->title);

	if (unit == NULL)
		return column->title;
	snprintf(title, REPORT_CELL, "%.*s%s", length - (int)strlen("us"),
		 column->title, unit->name);
	return title;
}

const char *report_text_cell(const struct report_table *table,
			     const struct report_column *column,
			     const struct report_time *unit,
			     const void *row, bool brief,
			     char cell[REPORT_CELL])
{
	unsigned int scale = report_scale(column);
	unsigned long long value;

	if (!has_cell(table, column, row))
		return strcpy(cell, "-");
	value = report_value(column, row);
	if (unit != NULL && brief)
		shorten((double)report_get(column, row) / unit->ns,
			unit->decimals > 0, cell);
	else if (unit != NULL)
		snprintf(cell, REPORT_CELL, "%.*f", unit->decimals,
			 (double)report_get(column, row) / unit->ns);
	else if (brief)
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

const struct report_time *
report_text_unit(const struct report_text *text,
		 const struct report_column *column)
{
	static const struct report_time units[] = {
		{ "s", 1000000000, 3 }, { "ms", 1000000, 3 }, { "us", 1000, 1 },
		{ "ns", 1, 0 },
	};
	const struct report_time *unit = &units[0];
	unsigned long long longest = 0, value;
	size_t i;

	if (column->unit != REPORT_NS)
		return NULL;
	for (i = 0; i < text->num_rows; i++) {
		if (!has_cell(text->table, column, row_of(text, i)))
			continue;
		value = report_get(column, row_of(text, i));
		longest = value > longest ? value : longest;
	}
	while (unit->ns > 1 && longest < 10ULL * unit->ns)
		unit++;
	return unit;
}

/* Returns the width of the title, or of the longest number. */
static int width_of(const struct report_text *text,
		    const struct report_column *column,
		    const struct report_time *unit)
{
	int width = (int)strlen(column->title);
	char cell[REPORT_CELL];
	int length;
	size_t i;

	width = width > column->width ? width : column->width;
	for (i = 0; i < text->num_rows; i++) {
		length = (int)strlen(report_text_cell(
			text->table, column, unit, row_of(text, i), false,
			cell));
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
		if (column->title != NULL)
			report_text_column(text, column, false);
	}
}

void report_text_column(struct report_text *text,
			const struct report_column *column, bool scales)
{
	const struct report_time *unit = scales ?
		report_text_unit(text, column) : NULL;

	if (text->num_columns == REPORT_COLUMNS)
		return;
	text->width[text->num_columns] = width_of(text, column, unit);
	text->unit[text->num_columns] = unit;
	text->columns[text->num_columns++] = column;
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
	char title[REPORT_CELL];
	size_t used = 0;
	size_t i;

	line[0] = '\0';
	for (i = 0; i < text->num_columns; i++)
		used = append(line, used, text->width[i], report_text_title(
			text->columns[i], text->unit[i], title));
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
					       text->unit[i], row,
					       text->brief, cell));
	return line;
}

static void print_slots(FILE *out, const char *title, const char *unit,
			const unsigned long long *slots, double scale)
{
	static const char bar[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	unsigned long long most = 0;
	int first = REPORT_POWERS;
	int last = -1;
	int i;

	for (i = 0; i < REPORT_POWERS; i++) {
		if (slots[i] == 0)
			continue;
		most = slots[i] > most ? slots[i] : most;
		first = i < first ? i : first;
		last = i;
	}
	if (last < 0)
		return;
	fprintf(out, "\n%s distribution (%s)\n%10s |%-*s count\n", title, unit,
		"value", (int)sizeof(bar) - 1,
		"----------------------------------------");
	for (i = first; i <= last; i++) {
		int width = (int)(slots[i] * (sizeof(bar) - 1) / most);

		fprintf(out, "%10.10g |%-*.*s %llu\n", i == 0 ? 0 :
			scale * (double)(1ULL << i), (int)sizeof(bar) - 1,
			width, bar, slots[i]);
	}
}

void report_text_distribution(FILE *out, const struct report_table *table,
			      const void *row, const char *title,
			      const char *unit, double scale)
{
	unsigned long long powers[REPORT_POWERS];
	size_t c;

	for (c = 0; c < table->num_columns; c++) {
		if (table->columns[c].kind != REPORT_SLOTS)
			continue;
		report_fold(&table->columns[c], row, powers);
		print_slots(out, title, unit, powers, scale);
	}
}
