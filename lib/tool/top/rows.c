/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.c - the tables of sdtkit top: tables.def as arrays, and their keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/base/when.h"
#include "top/catalogue.h"
#include "top/rows.h"

static const struct plan *plan;

struct rows_choice rows_choice = { .sums = true, .sort = "sum_us" };

const struct span *rows_span(const struct span_row *row)
{
	return row->key.span < TOP_SPANS ? &plan->spans.span[row->key.span] :
					   NULL;
}

static bool is_span(const void *row)
{
	return rows_span(row) != NULL;
}

unsigned long long rows_longest(const struct span_row *row,
				const unsigned long long *ns, int count)
{
	unsigned long long least, end, longest = 0;
	int slot = SLOTS_FINE - 1;
	bool is_last, found = false;
	int i;

	while (slot > 0 && row->slots[slot] == 0)
		slot--;
	is_last = slot == SLOTS_FINE - 1;
	least = TOP_UNIT * slots_least(slot);
	end = TOP_UNIT * slots_least(slot + 1);
	for (i = 0; i < count; i++) {
		if (ns[i] < least || (ns[i] >= end && !is_last))
			continue;
		found = true;
		if (ns[i] > longest)
			longest = ns[i];
	}
	if (found)
		return longest;
	return is_last ? least : end;
}

static bool has_error(const void *row)
{
	return is_span(row) && rows_span(row)->has_error;
}

static unsigned long long percentile(const struct span_row *row, double part)
{
	return (unsigned long long)(0.5 + TOP_UNIT * report_quantile(
		&top_table[ROWS_SPANS], row, part));
}

static unsigned long long tenths_a_second(const struct span_row *row)
{
	return row->elapsed_ns == 0 ? 0 : (unsigned long long)
	       (0.5 + (double)row->count * 1e10 / (double)row->elapsed_ns);
}

#define REPORT_DEF "top/tables.def"
#define REPORT_DECIMALS(unit)						\
	((unit) == REPORT_NS ? NS_DECIMALS : (unit) == REPORT_RATE)
#define REPORT_SLOTS_NS TOP_UNIT
#include "lib/report/define.h"

static const char *provider_of(unsigned long long number,
			       char buffer[REPORT_NAME])
{
	return number < TOP_SPANS ? plan->spans.span[number].provider :
	       catalogue.probe[number - TOP_SPANS].provider;
}

static const char *name_of(unsigned long long number, char buffer[REPORT_NAME])
{
	return number < TOP_SPANS ? plan->spans.span[number].text->name :
	       catalogue.probe[number - TOP_SPANS].name;
}

#define NAMED(type, member, name_key_, name_) {				\
	.name_key = name_key_, .name = name_,				\
	.offset = offsetof(type, member),				\
	.wide = sizeof(((type *)NULL)->member) > sizeof(int) }
#define SPAN(type, member, name)					\
	NAMED(type, member, "provider", provider_of),			\
	NAMED(type, member, name, name_of)

/* Texts may be the same where names are not: they are cut. */
static const struct report_key span_keys[] = {
	SPAN(struct span_row, key.span, "span"),
	REPORT_TEXT(struct span_row, name, "name", NULL),
	NAMED(struct span_row, key.other, NULL, NULL),
	NAMED(struct span_row, key.name[0], NULL, NULL),
	NAMED(struct span_row, key.name[1], NULL, NULL),
};
static const struct report_key probe_keys[] = {
	SPAN(struct span_row, key.span, "probe"),
};
static const struct report_key total_keys[] = {
	SPAN(struct total_row, span, "span"),
};
static const struct report_key slow_keys[] = {
	NAMED(struct top_line, time, "clock", when_exact),
	{ .key = "pid", .offset = offsetof(struct top_line, pid) },
	{ .key = "tid", .offset = offsetof(struct top_line, tid) },
	SPAN(struct top_line, span, "span"),
};

static struct report_group span_groups[SPANS_GROUPS] = {
	[SPANS_ERRORS] = { .has = has_error },
	[SPANS_TIMES] = { .has = is_span }, [SPANS_LIMITS] = { .has = is_span },
	[SPANS_RUNNING] = { .has = is_span }, [SPANS_SELF] = { .has = is_span },
};
static const struct report_group plain_groups[TOTAL_GROUPS];

#define COUNT_OF(array)	(sizeof(array) / sizeof((array)[0]))
#define DESCRIBED(type, name, groups_, num_groups_)			\
	.row_size = sizeof(type), .keys = name##_keys,			\
	.num_keys = COUNT_OF(name##_keys), .columns = name##_columns,	\
	.num_columns = COUNT_OF(name##_columns), .groups = groups_,	\
	.num_groups = num_groups_

struct report_table top_table[ROWS_TABLES] = {
	[ROWS_SPANS] = { .name = "spans", .grouped = true,
		DESCRIBED(struct span_row, span, span_groups, SPANS_GROUPS) },
	[ROWS_PROBES] = { .name = "probes",
		DESCRIBED(struct span_row, probe, plain_groups,
			  PROBE_GROUPS) },
	[ROWS_TOTALS] = { .name = "totals",
		DESCRIBED(struct total_row, total, plain_groups,
			  TOTAL_GROUPS) },
	[ROWS_LOST] = { .name = "lost", .shape = REPORT_INLINE,
		.row_size = sizeof(struct lost_row), .columns = lost_columns,
		.num_columns = COUNT_OF(lost_columns), .groups = plain_groups,
		.num_groups = LOST_GROUPS },
	[ROWS_SLOW] = { .name = "slow", .shape = REPORT_HIDDEN,
		DESCRIBED(struct top_line, slow, plain_groups, SLOW_GROUPS) },
};

const struct report_tables top_tables = { top_table, ROWS_TABLES };

void rows_describe(const struct plan *described)
{
	unsigned int flags = described->flags;

	plan = described;
	span_groups[SPANS_ERRORS].hidden = !(flags & TOP_HAS_ERROR);
	span_groups[SPANS_RUNNING].hidden = !(flags & TOP_SUSPENDS);
	span_groups[SPANS_SELF].hidden =
		!(flags & (TOP_HAS_PARENT | TOP_BY_THREAD));
}

static void complain_of_column(const char *option, const char *name,
			       const char *other)
{
	const struct report_table *table = &top_table[ROWS_SPANS];
	char *names;
	FILE *file = tool_open_text(&names);
	size_t i;

	for (i = 0; i < table->num_columns; i++) {
		const char *key = table->columns[i].key;

		if (key != NULL)
			fprintf(file, "%.*s, ", (int)(strstr(key, "_us") != NULL ?
				strlen(key) - 3 : strlen(key)), key);
	}
	tool_close_text(file);
	tool_complain("invalid value '%s' for %s: use %sor %s", name, option,
		      names, other);
	free(names);
}

bool rows_choose_columns(const char *list)
{
	struct rows_choice *c = &rows_choice;
	char name[REPORT_NAME];

	c->sums = false;
	for (c->count = 0; c->count < REPORT_COLUMNS; list++) {
		struct rows_column *column = &c->column[c->count];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(list, ","),
			 list);
		column->column = report_column_named(&top_table[ROWS_SPANS],
						     name, &column->scales);
		if (strcmp(name, "sums") == 0) {
			c->sums = true;
		} else if (column->column == NULL) {
			complain_of_column("--columns", name, "sums");
			return false;
		} else {
			c->count++;
		}
		list += strcspn(list, ",");
		if (*list == '\0')
			return true;
	}
	tool_complain("--columns: %d columns are too many", REPORT_COLUMNS);
	return false;
}

bool rows_choose_order(const char *name)
{
	bool scales;
	const struct report_column *column =
		strchr(name, ',') != NULL ? NULL :
		report_column_named(&top_table[ROWS_SPANS], name, &scales);

	rows_choice.sort = column != NULL ? column->key : NULL;
	rows_choice.is_sorted = column != NULL;
	if (column != NULL || strcmp(name, "name") == 0)
		return true;
	complain_of_column("--sort", name, "name");
	return false;
}

void rows_finish(struct report *r)
{
	struct span_row *row;
	size_t t, i;

	for (t = ROWS_SPANS; t <= ROWS_PROBES; t++) {
		for (i = 0; i < r->rows[t].count; i++) {
			row = report_row(r, t, i);
			row->elapsed_ns = r->elapsed_ns;
		}
	}
	(rows_choice.is_sorted ? report_sort_ungrouped : report_sort)(
		r, ROWS_SPANS, rows_choice.sort);
}

void rows_text(size_t table, const void *row, bool provider, char *text,
	       size_t size)
{
	const struct report_key *keys = top_table[table].keys;
	char buffer[REPORT_NAME];

	snprintf(text, size, "%s%s%s", provider ?
		 report_key_text(&keys[0], row, buffer) : "",
		 provider ? ":" : "", report_key_text(&keys[1], row, buffer));
}
