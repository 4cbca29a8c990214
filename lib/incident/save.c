/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.c - writes the files of an incident.
 *
 * The files have what the program prints and draws at other times too: reports,
 * lines and pictures of the time before, during and after the incident. They are
 * written into a hidden directory, which gets its name when it is complete.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "describe.h"
#include "room.h"
#include "save.h"
#include "flamegraph.h"
#include "base/when.h"
#include "report/heat.h"

struct saving {
	struct record *record;
	const struct report_program *program;
	void *text;			/* options of what is printed */
	void *json;
	const struct report_file *file;	/* that is written */
	FILE *out;			/* of lines, with these options */
	const void *options;
	char directory[PATH_MAX];
	bool good;
};

static const char *const titles[RECORD_PARTS] = {
	"BEFORE the incident", "DURING the incident", "AFTER it held last",
};

static void name_file(const struct saving *s, const char *name,
		      char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%s/%s", s->directory, name);

	if (length >= PATH_MAX)		/* room_begin() has seen to it */
		abort();
}

static void complain(struct saving *s, const char *name)
{
	int error = errno;

	if (s->good)
		warnx("cannot save an incident: %s/%s: %s", s->directory, name,
		      strerror(error));
	s->good = false;
}

/* Calls a function to write a file. */
static void write_file(struct saving *s, const char *name,
		       void (*print)(struct saving *s, FILE *out))
{
	char path[PATH_MAX];
	bool bad;
	FILE *out;

	if (!s->good)
		return;
	name_file(s, name, path);
	out = fopen(path, "wxe");
	if (out == NULL) {
		complain(s, name);
		return;
	}
	print(s, out);
	errno = EIO;
	bad = fflush(out) != 0 || ferror(out);
	if (bad)
		complain(s, name);
	if (fclose(out) != 0 && !bad)
		complain(s, name);
}

static void print_title(FILE *out, const struct saving *s, int part)
{
	const struct report *r = &s->record->parts[part];

	fprintf(out, "=== %s: %llu s ===\n", titles[part],
		(r->elapsed_ns + 500000000) / 1000000000);
}

/* Calls a function for each part that has a time. */
static void print_parts(struct saving *s, FILE *out,
			void (*print)(struct saving *s, FILE *out,
				      const struct report *r))
{
	int part;

	for (part = 0; part < RECORD_PARTS; part++) {
		if (s->record->parts[part].elapsed_ns == 0)
			continue;
		print_title(out, s, part);
		print(s, out, &s->record->parts[part]);
		putc('\n', out);
	}
}

static void print_report(struct saving *s, FILE *out, const struct report *r)
{
	s->program->print(out, s->text, r, false);
}

static void print_reports(struct saving *s, FILE *out)
{
	print_parts(s, out, print_report);
}

static void print_json(struct saving *s, FILE *out)
{
	int part;

	for (part = 0; part < RECORD_PARTS; part++) {
		if (s->record->parts[part].elapsed_ns != 0)
			report_line(out, s->program->json(
				s->json, &s->record->parts[part]));
	}
}

static void print_table(struct saving *s, FILE *out, const struct report *r)
{
	if (r->rows[s->file->table].count == 0 && s->file->none != NULL)
		fputs(s->file->none, out);
	else
		s->file->print(out, r);
}

static void print_tables(struct saving *s, FILE *out)
{
	print_parts(s, out, print_table);
}

static void print_line(const struct report_table *table, const void *row,
		       void *context)
{
	const struct saving *s = context;

	s->program->line(s->out, s->options, table, row);
}

/* Returns whether these are all. */
static bool print_events(struct saving *s, FILE *out, const void *options)
{
	s->out = out;
	s->options = options;
	return past_lines(record_from(s->record), print_line, s);
}

static void print_lines(struct saving *s, FILE *out)
{
	const struct report_program *program = s->program;

	program->line(out, s->text, &program->tables->table[program->slow],
		      NULL);
	if (!print_events(s, out, s->text))
		fprintf(out, "There were more: these are the last %d.\n",
			PAST_LINES);
}

static void print_json_lines(struct saving *s, FILE *out)
{
	print_events(s, out, s->json);
}

static void print_description(struct saving *s, FILE *out)
{
	json_t *object = incident_describe(s->record);

	json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	putc('\n', out);
	json_decref(object);
}

/* The clock on the wall at a time of the kernel's clock. */
static struct timespec wall_clock(unsigned long long ns)
{
	unsigned long long at = ns + when_offset();

	return (struct timespec){ .tv_sec = (time_t)(at / 1000000000),
				  .tv_nsec = (long)(at % 1000000000) };
}

static void draw_heatmap(struct saving *s)
{
	unsigned long long at = record_from(s->record);
	const struct moment *m;
	struct report *one;
	struct heat *heat;
	char path[PATH_MAX];

	if (!s->good)
		return;
	heat = heat_new(s->program, " around an incident", at, 1000000000);
	one = report_new(s->program->tables);
	for (; (m = past_after(at)) != NULL; at = m->end_ns) {
		past_heat(m, one);
		heat_add(heat, one);
	}
	report_free(one);
	name_file(s, "heatmap.svg", path);
	s->good = heat_write(heat, path);
}

static void draw_flame(struct saving *s)
{
	struct flamegraph *flame = s->record->flame;
	char path[PATH_MAX];
	int part;

	if (!s->good || flame == NULL)
		return;
	flame->lost = 0;
	for (part = RECORD_DURING; part < RECORD_PARTS; part++)
		flame->lost += s->program->flames->lost(
			&s->record->parts[part]);
	name_file(s, "flame.svg", path);
	s->good = flamegraph_draw(flame, path);
}

/* "2026-11-23T10:15:02Z-p99-CREATE" */
static void name_incident(const struct record *record, char name[NAME_MAX + 1])
{
	struct timespec begin = wall_clock(record->since);
	char label[CONDITION_LABEL];
	char day[32];
	struct tm tm;

	gmtime_r(&begin.tv_sec, &tm);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%SZ", &tm);
	snprintf(name, NAME_MAX + 1, "%s-%s", day,
		 condition_label(&record->condition->terms[0], label));
}

static void write_tables(struct saving *s, const void *options)
{
	unsigned int shown = s->program->shown(options);
	const struct report_file *file;

	for (file = s->program->files; file->name != NULL; file++) {
		s->file = file;
		if (file->needed || (shown & 1U << file->table) != 0)
			write_file(s, file->name, print_tables);
	}
}

static void write_files(struct saving *s, const void *options)
{
	int part;

	for (part = 0; part < RECORD_PARTS; part++)
		s->program->sort(options, &s->record->parts[part]);
	write_file(s, "report.txt", print_reports);
	write_file(s, "report.json", print_json);
	write_file(s, "slow.txt", print_lines);
	write_file(s, "slow.json", print_json_lines);
	write_tables(s, options);
	draw_heatmap(s);
	draw_flame(s);
	write_file(s, "incident.json", print_description);
}

bool save(const void *options, const struct incident_options *incident,
	  struct record *record, char path[PATH_MAX])
{
	unsigned long long limit = incident->save_size;
	struct saving s = {
		.record = record, .program = record->program,
		/* all is printed that is known, whatever is shown otherwise */
		.text = record->program->complete(options, false),
		.json = record->program->complete(options, true),
		.good = true,
	};
	char name[NAME_MAX + 1];
	mode_t mask = umask(027);
	bool good;

	name_incident(record, name);
	good = room_begin(incident->save, s.directory);
	if (good) {
		write_files(&s, options);
		good = s.good;
		if (!good)
			room_abandon(s.directory);
		else
			good = room_commit(incident->save, s.directory, name,
					   limit << 20, path);
	}
	umask(mask);
	free(s.text);
	free(s.json);
	return good;
}
