/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.c - writes the files of an incident.
 *
 * They are what tsmbd prints and draws otherwise, of the parts of the time:
 * before, during and after. They are written into a directory beside, which
 * gets its name when it is complete.
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
#include "tsmbd/flame.h"
#include "flamegraph.h"
#include "heatmap.h"
#include "history/add.h"
#include "tsmbd/log.h"
#include "tsmbd/names.h"

struct saving {
	const struct record *record;
	struct options text;		/* of what is printed */
	struct options json;
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
	const struct smbd_report *r = &s->record->parts[part];

	fprintf(out, "=== %s: %llu s ===\n", titles[part],
		(r->elapsed_ns + 500000000) / 1000000000);
}

/* Calls a function for each part that has a time. */
static void print_parts(struct saving *s, FILE *out,
			void (*print)(struct saving *s, FILE *out,
				      const struct smbd_report *r))
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

static void print_report(struct saving *s, FILE *out, const struct smbd_report *r)
{
	smbd_report_print(out, &s->text, r, false);
}

static void print_reports(struct saving *s, FILE *out)
{
	print_parts(s, out, print_report);
}

static void print_json(struct saving *s, FILE *out)
{
	json_t *object;
	int part;

	for (part = 0; part < RECORD_PARTS; part++) {
		if (s->record->parts[part].elapsed_ns == 0)
			continue;
		object = smbd_report_object(&s->json, &s->record->parts[part]);
		json_dumpf(object, out, JSON_COMPACT);
		putc('\n', out);
		json_decref(object);
	}
}

static void print_wait(struct saving *s, FILE *out, const struct smbd_report *r)
{
	(void)s;
	if (r->num_waits == 0)
		fputs("\nNo open waited for another client.\n", out);
	else
		smbd_report_waits(out, r);
}

static void print_waits(struct saving *s, FILE *out)
{
	print_parts(s, out, print_wait);
}

static void print_call(struct saving *s, FILE *out, const struct smbd_report *r)
{
	(void)s;
	smbd_report_calls(out, r);
}

static void print_calls(struct saving *s, FILE *out)
{
	print_parts(s, out, print_call);
}

struct printing {
	const struct options *options;
	FILE *out;
};

static void print_line(const struct tsmbd_event *event, void *context)
{
	const struct printing *p = context;

	log_event(p->out, p->options, event);
}

static bool print_events(const struct saving *s, FILE *out,
			 const struct options *options)
{
	struct printing p = { options, out };

	return past_lines(record_from(s->record), print_line, &p);
}

static void print_lines(struct saving *s, FILE *out)
{
	log_columns(out, &s->text);
	if (!print_events(s, out, &s->text))
		fprintf(out, "There were more: these are the last %d.\n",
			PAST_LINES);
}

static void print_json_lines(struct saving *s, FILE *out)
{
	print_events(s, out, &s->json);
}

static void print_description(struct saving *s, FILE *out)
{
	json_t *object = describe(s->record);

	json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	putc('\n', out);
	json_decref(object);
}

/* The clock on the wall at a time of the kernel's clock. */
static struct timespec wall_clock(unsigned long long ns)
{
	struct timespec real, monotonic;
	long long at;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	at = (real.tv_sec - monotonic.tv_sec) * 1000000000LL +
	     real.tv_nsec - monotonic.tv_nsec + (long long)ns;
	return (struct timespec){ at / 1000000000, at % 1000000000 };
}

static void count(struct heatmap *map, const struct moment *m)
{
	unsigned long long slots[SLOTS_POWERS];
	int op, i;

	heatmap_advance(map, m->end_ns);
	for (op = 0; op < TSMBD_OPS; op++) {
		for (i = 0; i < SLOTS_POWERS; i++)
			slots[i] = m->slots[op][i];
		heatmap_count(map, map->fields[op], slots);
	}
}

static void draw_heatmap(struct saving *s)
{
	struct heatmap map = {
		.title = "SMB2 requests around an incident",
		.description = "A field for each command: time to the right, "
			"latency upwards, the number of requests as colour.",
		.noun = "request",
		.unit_ns = 1000,
		.slots = SLOTS_POWERS,
	};
	unsigned long long at = record_from(s->record);
	const struct moment *m;
	char path[PATH_MAX];
	unsigned int op;

	if (!s->good)
		return;
	name_file(s, "heatmap.svg", path);
	heatmap_begin(&map, at, 1000000000);
	map.started = wall_clock(at);
	for (op = 0; op < TSMBD_OPS; op++) {
		if (heatmap_add_field(&map, name_of_op(op)) == NULL)
			err(1, NULL);
	}
	while ((m = past_after(at)) != NULL) {
		count(&map, m);
		at = m->end_ns;
	}
	s->good = heatmap_draw(&map, path);
	heatmap_free(&map);
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
		flame->lost += s->record->parts[part]
			.counters.lost[TSMBD_LOST_SAMPLES];
	name_file(s, "flame.svg", path);
	s->good = flamegraph_draw(flame, path);
}

/* All that is known is printed, whatever the report of this tsmbd shows. */
static void set_options(struct saving *s, const struct options *options)
{
	s->text = *options;
	s->text.tops = options_tops(options);
	s->text.json = false;
	s->text.slow = true;
	s->text.oplocks = true;
	s->json = s->text;
	s->json.json = true;
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

static void write_files(struct saving *s)
{
	int part;

	for (part = 0; part < RECORD_PARTS; part++)
		smbd_report_sort((struct smbd_report *)&s->record->parts[part],
			    s->text.top_order);
	write_file(s, "report.txt", print_reports);
	write_file(s, "report.json", print_json);
	write_file(s, "slow.txt", print_lines);
	write_file(s, "slow.json", print_json_lines);
	write_file(s, "waits.txt", print_waits);
	if (s->text.calls)
		write_file(s, "syscalls.txt", print_calls);
	draw_heatmap(s);
	draw_flame(s);
	write_file(s, "incident.json", print_description);
}

bool save(const struct options *options, const struct record *record,
	  char path[PATH_MAX])
{
	unsigned long long limit = options->incident.save_size;
	struct saving s = { .record = record, .good = true };
	char name[NAME_MAX + 1];
	mode_t mask = umask(027);
	bool good;

	set_options(&s, options);
	name_incident(record, name);
	good = room_begin(options->incident.save, s.directory);
	if (good) {
		write_files(&s);
		good = s.good;
		if (!good)
			room_abandon(s.directory);
		else
			good = room_commit(options->incident.save, s.directory,
					   name, limit << 20, path);
	}
	umask(mask);
	return good;
}
