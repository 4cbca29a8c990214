/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.c - reports and slow spans go to the history.
 *
 * A report tells its end by the clock that nobody sets, CLOCK_MONOTONIC. The
 * time of day is noted with it, so both survive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/when.h"
#include "history/options.h"
#include "history/sink.h"
#include "history/write.h"

enum { HOST = 65, BOOT = 40, WORDS = 256 };

static struct history_writer *writer;

static bool wanted(const struct sink_setup *setup)
{
	const struct history_options *o = sink_options(setup, history_settings);

	return o->history != NULL;
}

/* "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" */
static void read_boot(char boot[BOOT])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	boot[0] = '\0';
	if (file == NULL)
		return;
	if (fgets(boot, BOOT, file) != NULL)
		boot[strcspn(boot, "\n")] = '\0';
	fclose(file);
}

/* Lists of names: each report has the first ones of all that there are. */
static unsigned int lists(const struct report_tables *tables)
{
	unsigned int bits = 0;
	size_t t;

	for (t = 0; t < tables->count; t++) {
		if (tables->table[t].optional && tables->table[t].limit > 0)
			bits |= 1U << t;
	}
	return bits;
}

/* What there is in the history: optional tables, and what else was asked. */
static void describe(const struct sink_setup *setup, unsigned int tables,
		     char words[WORDS])
{
	const struct report_program *program = setup->program;
	const char *asked = program->asked == NULL ? "" :
		program->asked(setup->options);
	size_t t, length;

	snprintf(words, WORDS, "%s", asked);
	for (t = 0; t < program->tables->count; t++) {
		if (!(tables & 1U << t))
			continue;
		length = strlen(words);
		snprintf(words + length, WORDS - length, " %s",
			 program->tables->table[t].name);
	}
}

static void open_history(const struct sink_setup *setup,
			 struct sink_needs *needs)
{
	const struct history_options *o = sink_options(setup, history_settings);
	char host[HOST] = "", boot[BOOT], words[WORDS];
	const struct history_run run = { host, boot, words };
	unsigned int tables = lists(setup->program->tables);

	needs->tables |= tables;
	sink_need_slow(needs, HISTORY_SLOW_MS);
	describe(setup, tables | setup->program->shown(setup->options) |
		 1U << setup->program->slow, words);
	read_boot(boot);
	gethostname(host, sizeof(host) - 1);
	writer = history_create(o->history, (unsigned long long)
				o->history_size << 20, setup->program, &run);
	if (writer == NULL)
		exit(1);
}

static void take(const struct sink_setup *setup, const struct report *r)
{
	(void)setup;
	if (r->elapsed_ns > 0)
		history_write(writer, when_offset() + r->end_ns, r);
}

/* Other events are not recorded. A row begins with its end. */
static void take_row(const struct sink_setup *setup,
		     const struct report_table *table, const void *row)
{
	const struct report_program *program = setup->program;
	unsigned long long end_ns;

	if (table != &program->tables->table[program->slow])
		return;
	memcpy(&end_ns, row, sizeof(end_ns));
	history_write_row(writer, when_offset() + end_ns, row);
}

static bool close_history(const struct sink_setup *setup)
{
	bool good = history_finish(writer);

	(void)setup;
	writer = NULL;
	return good;
}

const struct sink history_sink = {
	.group = "History",
	.wanted = wanted,
	.open = open_history,
	.take = take,
	.row = take_row,
	.close = close_history,
};
