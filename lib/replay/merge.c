/* SPDX-License-Identifier: BSD-2-Clause */
/* merge.c - reads reports of hosts, and prints their sum. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/when.h"
#include "history/minute.h"
#include "history/read.h"
#include "replay/merge.h"
#include "replay/replay.h"
#include "settings/values.h"

enum { MAX_LINE = 64 << 20 };

struct merge {
	const struct merge_command *command;
	struct replay_period period;
	struct merge_asked asked;
	struct hosts *hosts;
	unsigned int tables;		/* that any report has */
	bool filtered;			/* it is said already */
	struct stat *inputs;		/* so far */
	size_t num_inputs;
};

/* Returns a line without its end, or NULL; it is freed by the caller. */
static char *read_line(FILE *file, const char *where, size_t *length)
{
	char *line = NULL;
	int c;

	*length = 0;
	while ((c = getc_unlocked(file)) != EOF && c != '\n') {
		if (*length == MAX_LINE)
			errx(1, "%s: the line is longer than %d bytes", where,
			     MAX_LINE);
		line = memory_grow(line, *length, 1);
		line[(*length)++] = (char)c;
	}
	if (line == NULL && c == '\n')
		line = calloc(1, 1);
	if (line == NULL && c != '\n' && !feof(file))
		err(1, "%s", where);
	return line;
}

static void read_report(struct merge *m, json_t *object, const char *where)
{
	const struct report_program *program = m->command->program;
	struct report *r = report_new(program->tables);
	unsigned int tables;
	char why[REPORT_WHY];

	if (!report_from_json(object, r, &tables, why))
		errx(1, "%s: this is not a report of %s: %s", where,
		     m->command->prints, why);
	if (json_object_get(object, "filters") != NULL && !m->filtered &&
	    !m->asked.quiet) {
		warnx("%s: this report is about some %ss only, because of its "
		      "filters", where, program->heat->noun);
		m->filtered = true;
	}
	m->tables |= tables;
	hosts_add(m->hosts, r, where);
	report_free(r);
}

static void read_object(struct merge *m, const char *line, size_t length,
			const char *where)
{
	json_error_t error;
	json_t *object;

	if (length == 0)
		return;
	object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	if (object == NULL)
		errx(1, "%s: this is not JSON: %s", where, error.text);
	if (!json_is_object(object))
		errx(1, "%s: this is not a JSON object: each line has to be a "
		     "report of %s", where, m->command->prints);
	/* lines of --slow and others, among reports */
	if (json_object_get(object, "event") == NULL)
		read_report(m, object, where);
	json_decref(object);
}

static void read_file(struct merge *m, FILE *file, const char *name)
{
	char where[HOSTS_WHERE], word[VALUES_WORD];
	unsigned long number;
	size_t length;
	char *line;

	values_word(name, word);
	for (number = 1;; number++) {
		snprintf(where, sizeof(where), "%s:%lu", word, number);
		line = read_line(file, where, &length);
		if (line == NULL)
			return;
		read_object(m, line, length, where);
		free(line);
	}
}

/* Tables that a tick has, or would have if they had rows. */
static unsigned int tables_of(const struct merge *m,
			      const struct history_tick *tick)
{
	const struct report_tables *tables = m->command->program->tables;
	const struct report_table *table = tables->table;
	unsigned int found = 0, t;

	for (t = 0; t < tables->count; t++) {
		if (minute_alone_has(&table[t]) ? tick->tables & 1U << t :
		    history_has_word(tick->recorded, table[t].name))
			found |= 1U << t;
	}
	return found;
}

static void read_history(struct merge *m, const char *path)
{
	struct history_tick tick;
	char word[VALUES_WORD];
	struct history *h;
	bool any = false;

	h = history_open(path, m->command->program, m->period.from_ns,
			 m->period.to_ns);
	if (h == NULL)
		exit(1);
	values_word(path, word);
	while (history_next(h, &tick)) {
		m->tables |= tables_of(m, &tick);
		hosts_add(m->hosts, tick.report, word);
		any = true;
	}
	if (!any && !m->asked.quiet)
		warnx("%s: nothing was recorded in this time", word);
	history_damage(h);
	history_close(h);
}

/* A history is a database of SQLite. */
static bool is_history(FILE *file, const struct stat *st)
{
	static const char magic[16] = "SQLite format 3";
	char begin[sizeof(magic)];

	return S_ISREG(st->st_mode) &&
	       pread(fileno(file), begin, sizeof(begin), 0) == sizeof(begin) &&
	       memcmp(begin, magic, sizeof(begin)) == 0;
}

/* Returns whether it is an input for the first time. */
static bool is_new(struct merge *m, const char *path, const struct stat *st)
{
	size_t i;

	for (i = 0; i < m->num_inputs; i++) {
		if (m->inputs[i].st_dev != st->st_dev ||
		    m->inputs[i].st_ino != st->st_ino)
			continue;
		warnx("%s is the same file as one before: it counts once",
		      path);
		return false;
	}
	m->inputs = memory_grow(m->inputs, i, sizeof(*m->inputs));
	m->inputs[m->num_inputs++] = *st;
	return true;
}

static void read_input(struct merge *m, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "re");
	struct stat st;

	if (file == NULL || fstat(fileno(file), &st) != 0)
		err(1, "cannot read %s", path);
	if (is_new(m, path, &st)) {
		if (is_history(file, &st))
			read_history(m, path);
		else
			read_file(m, file, path);
	}
	if (!standard)
		fclose(file);
}

int merge_run(const struct merge_command *command, int argc, char **argv)
{
	const struct report_program *program = command->program;
	void *options = memory_zeros(1, program->options_size);
	struct report *sum = report_new(program->tables);
	static struct merge m;
	int i;

	m.command = command;
	m.hosts = hosts_new(program->tables);
	values_command(command->name);
	argc = replay_options(argv, command->usage, &m.period, NULL);
	i = command->parse(argc, argv, options, &m.asked);
	if (argv[i] == NULL)
		values_refuse("there is nothing to merge: give files of '%s' "
			      "or histories of '%s'", command->prints,
			      command->records);
	when_recorded();
	for (; argv[i] != NULL; i++)
		read_input(&m, argv[i]);
	if (hosts_count(m.hosts) == 0)
		errx(1, "there is no report in what was given");
	if (command->join != NULL)
		command->join(m.hosts);
	hosts_join(m.hosts, sum);
	report_choose(sum, m.asked.rows);
	if (!replay_finds(sum, m.asked.rows)) {
		replay_complain(m.asked.rows, command->name);
		return 1;
	}
	program->sort(options, sum);
	if (command->show != NULL)
		command->show(options, m.tables);
	if (command->begin != NULL)
		command->begin();
	report_write(program, stdout, options, m.asked.json, sum, false);
	report_free(sum);
	free(options);
	free(m.inputs);
	return replay_written() ? 0 : 1;
}
