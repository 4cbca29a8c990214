/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge.c - tsmbd merge: one report of several.
 *
 *	tsmbd merge alpha.json beta.json
 *	ssh beta tsmbd --json -c 60 | tsmbd merge alpha.json -
 *	tsmbd merge --from -2h alpha.db beta.db
 *
 * Percentiles are computed from the sums of the distributions.
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/when.h"
#include "settings/values.h"
#include "commands.h"
#include "history/read.h"
#include "report/hosts.h"
#include "report/json.h"
#include "options.h"
#include "output.h"
#include "parse.h"
#include "report.h"
#include "rows.h"

static const char usage[] =
"Usage: tsmbd merge [OPTION]... FILE...\n"
"Prints one report of several: of what 'tsmbd --json' has printed to files, of\n"
"the standard input (-), or of histories of 'tsmbd --history'.\n"
"\n"
"  -j, --json            print a JSON object\n"
"  -d, --distributions   print histograms\n"
"      --by=ORDER        sort names by requests (the default), bytes, time or\n"
"                        errors\n"
"      --lines=NUMBER    print NUMBER rows of each table of names (10)\n"
"      --from=TIME       of histories: from then on, as with 'tsmbd replay'\n"
"      --to=TIME         of histories: until then\n";

enum { BY = 256, LINES, FROM, TO, MAX_LINE = 64 << 20 };

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "distributions", no_argument, NULL, 'd' },
	{ "by", required_argument, NULL, BY },
	{ "lines", required_argument, NULL, LINES },
	{ "from", required_argument, NULL, FROM },
	{ "to", required_argument, NULL, TO },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const char *const orders[] = { "requests", "bytes", "time", "errors" };

struct merge {
	struct options options;
	unsigned long long from_ns;
	unsigned long long to_ns;
	struct hosts *hosts;
	unsigned int tables;		/* that any report has */
	bool filtered;			/* it is said already */
	struct stat *inputs;		/* so far */
	size_t num_inputs;
};

static void set_option(struct merge *m, int option)
{
	switch (option) {
	case 'j':
		m->options.json = true;
		return;
	case 'd':
		m->options.distributions = true;
		return;
	case BY:
		m->options.top_order = TSMBD_BY_REQUESTS +
			value_choice("--by", optarg, orders, 4);
		return;
	case LINES:
		m->options.top_lines = value_number("--lines", optarg, 1,
						    1000000000);
		return;
	case FROM:
		options_moment("--from", optarg, &m->from_ns);
		return;
	case TO:
		options_moment("--to", optarg, &m->to_ns);
		return;
	case 'h':
		fputs(usage, stdout);
		exit(fflush(stdout) != 0);
	default:
		values_hint();
	}
}

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
	struct report *r = report_new(&smbd_tables);
	unsigned int tables;
	char why[REPORT_WHY];

	if (!report_from_json(object, r, &tables, why))
		errx(1, "%s: this is not a report of tsmbd --json: %s", where,
		     why);
	if (json_object_get(object, "filters") != NULL && !m->filtered) {
		warnx("%s: this report is about some requests only, because "
		      "of its filters", where);
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
		     "report of tsmbd --json", where);
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

static void read_history(struct merge *m, const char *path)
{
	struct history_tick tick;
	char word[VALUES_WORD];
	struct history *h;
	unsigned int t;

	h = history_open(path, &smbd_program, m->from_ns, m->to_ns);
	if (h == NULL)
		exit(1);
	values_word(path, word);
	while (history_next(h, &tick)) {
		m->tables |= tick.tables & SMBD_NAMES;
		for (t = SMBD_CALLS; t <= SMBD_WAITS; t++) {
			if (!(SMBD_NAMES & 1U << t) && history_has_word(
				    tick.recorded, smbd_tables.table[t].name))
				m->tables |= 1U << t;
		}
		hosts_add(m->hosts, tick.report, word);
	}
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

static void parse(struct merge *m, int argc, char **argv)
{
	char *none[] = { argv[0], NULL };
	int option;

	options_parse(1, none, &m->options);
	m->to_ns = ~0ULL;
	optind = 0;
	while ((option = getopt_long(argc, argv, "jdh", long_options,
				     NULL)) != -1) {
		values_check_word(argv, long_options, option);
		set_option(m, option);
	}
	if (optind == argc)
		values_refuse("there is nothing to merge: give files of 'tsmbd "
			      "--json' or histories of 'tsmbd --history'");
}

/*
 * Returns the host of a node, or "" if no report, or more than one, is of it.
 * Numbers are those of one cluster: nothing in a report tells which.
 */
static const char *host_of(const struct merge *m, unsigned long long vnn)
{
	const char *host = "";
	size_t i;

	for (i = 0; i < hosts_count(m->hosts); i++) {
		const struct report *r = hosts_sum(m->hosts, i);

		if (vnn == 0 || server_row(r)->vnn != vnn)
			continue;
		if (host[0] != '\0')
			return "";
		host = r->hosts;
	}
	return host;
}

/* The waits of each host get its name as their node. */
static void name_waits(const struct merge *m, const struct report *r)
{
	struct waited *w;

	REPORT_FOR_EACH_ROW(w, r, SMBD_WAITS) {
		if (w->node[0] == '\0')
			snprintf(w->node, TSMBD_NODE, "%.*s", TSMBD_NODE - 1,
				 r->hosts);
		if (w->holder_node[0] == '\0')
			snprintf(w->holder_node, TSMBD_NODE, "%.*s",
				 TSMBD_NODE - 1, host_of(m, w->holder_vnn));
	}
}

static void print_sum(struct merge *m, const struct report *sum)
{
	struct options *o = &m->options;

	o->tops = m->tables >> SMBD_CLIENTS & ((1U << TSMBD_KINDS) - 1);
	o->oplocks = (m->tables & 1U << SMBD_WAITS) != 0;
	o->calls = (m->tables & 1U << SMBD_CALLS) != 0;
	smbd_write(stdout, o, sum, false);
}

int merge_main(int argc, char **argv)
{
	struct report *sum = report_new(&smbd_tables);
	static struct merge m;
	size_t i;

	values_command("tsmbd merge");
	parse(&m, argc, argv);
	when_recorded();
	m.hosts = hosts_new(&smbd_tables);
	for (; optind < argc; optind++)
		read_input(&m, argv[optind]);
	if (hosts_count(m.hosts) == 0)
		errx(1, "there is no report in what was given");
	for (i = 0; i < hosts_count(m.hosts); i++)
		name_waits(&m, hosts_sum(m.hosts, i));
	hosts_join(m.hosts, sum);
	smbd_sort(sum, m.options.top_order);
	print_sum(&m, sum);
	report_free(sum);
	free(m.inputs);
	return output_written() ? 0 : 1;
}
