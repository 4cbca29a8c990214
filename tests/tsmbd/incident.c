/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * incident.c - tsmbd's incidents, of seconds that are made up.
 *
 *	incident --when=CONDITION --save=DIR <<.
 *	5:10x60000
 *	5:10x60000 slow
 *	7*5:10x100
 *	.
 *
 * A line is a second, with requests as OPCODE:COUNTxMICROSECONDS, and before it
 * may have a number of seconds that are the same. Other words of a line:
 *
 *	slow	 sends a line for a slow request of this second
 *	waits	 a client has waited for another one in it
 *	clients=N  that many clients had a request each
 *	names	 the names are hostile from here on
 *	stop	 raises SIGSTOP before it, so that a test can do something
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "incident/incident.h"
#include "incidents.h"
#include "options.h"
#include "log.h"
#include "made_up.h"
#include "report.h"
#include "stack.h"
#include "waits.h"
#include "parse.h"

static const char hostile[] = "a\nb\x1b[2J\"<script>\xff/../..";

static void sort(const void *options, struct report *report)
{
	smbd_sort(report, ((const struct options *)options)->top_order);
}

static struct options options;
static const struct report_program program = {
	.name = "tsmbd", .version = TSMBD_VERSION, .tables = &smbd_tables,
	.settings = options_settings, .shown = options_tables, .slow = SMBD_SLOW,
	.measures = &smbd_measures, .heat = &smbd_heat, .files = smbd_files,
	.complete = options_complete, .sort = sort, .print = smbd_print,
	.json = smbd_json, .line = log_row,
};
static const struct sink_setup setup = { &program, &options, 0 };
static struct sink_needs needs;
static struct report r = { .tables = &smbd_tables };
static unsigned long long now;
static const char *name = "letter.odt";
static unsigned int mid;

/* What log.c needs of the kernel. */

void client_name(unsigned int pid, const char *remote, char text[TSMBD_NAME])
{
	snprintf(text, TSMBD_NAME, "%s", remote);
}

void waits_resolve(const struct tsmbd_wait_key *key,
		   const struct tsmbd_wait *wait, struct waited *waited)
{
	memset(waited, 0, sizeof(*waited));
}

int stack_frames(const struct tsmbd_text_event *event)
{
	return event->frames;
}

void stack_format(const struct tsmbd_text_event *event, int frame, char *line,
		  size_t size)
{
	snprintf(line, size, "%d", frame);
}

static void send_slow(void)
{
	struct slow_row row = {
		.end_ns = now - 1, .kind = TSMBD_EVENT_SLOW, .pid = 1,
		.opcode = TSMBD_CREATE, .total_ns = 60000000,
		.waited_ns = 60000000, .mid = ++mid,
		.client = "ipv4:192.0.2.7:50123", .user = "anna",
	};

	strcpy(row.share, name);
	strcpy(row.file, name);
	incident_sink.row(&setup, &smbd_tables.table[SMBD_SLOW], &row);
}

static void add_wait(void)
{
	struct waited *w = report_append(&r, SMBD_WAITS);

	strcpy(w->client, "ipv4:192.0.2.7");
	strcpy(w->holder, "ipv4:192.0.2.8");
	strcpy(w->share, name);
	strcpy(w->file, name);
	w->count = 1;
	w->ns = w->max = 5000000;
}

static void add_clients(int count)
{
	struct name_row *row;
	int i;

	for (i = 1; i <= count; i++) {
		row = report_append(&r, SMBD_CLIENTS);
		snprintf(row->name, sizeof(row->name), "client-%d", i);
		row->requests = 1;
	}
}

static void read_word(const char *word)
{
	unsigned int opcode;
	int clients;

	if (made_up_requests(&r, word, &opcode))
		return;
	if (sscanf(word, "clients=%d", &clients) == 1)
		add_clients(clients);
	else if (strcmp(word, "slow") == 0)
		send_slow();
	else if (strcmp(word, "waits") == 0)
		add_wait();
	else if (strcmp(word, "names") == 0)
		name = hostile;
	else if (strcmp(word, "stop") == 0)
		raise(SIGSTOP);
	else
		errx(1, "unknown word '%s'", word);
}

/* The rows that each report has. */
static void begin_second(void)
{
	struct server_row *server = server_row_new(&r);
	unsigned int i;

	now += 1000000000;
	r.end_ns = now;
	r.elapsed_ns = 1000000000;
	server->tally.connected = server->tally.processes = 1;
	server->tally.sum_ns = server->tally.elapsed_ns = 1000000000;
	for (i = 0; i < 2; i++) {
		((struct disk_row *)report_append(&r, SMBD_DISK))->direction =
			i;
		((struct size_row *)report_append(&r, SMBD_SIZES))->direction =
			i;
	}
}

static void one_second(const char *line)
{
	char copy[4096];
	char *word;

	begin_second();
	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " \n"); word != NULL;
	     word = strtok(NULL, " \n"))
		read_word(word);
	incident_sink.take(&setup, &r);
	report_clear(&r);
}

int main(int argc, char **argv)
{
	struct timespec clock;
	char line[4096];
	int times, used;

	if (argc > 1 && strcmp(argv[1], "when") == 0)
		return when_main(argc - 1, argv + 1);
	options_parse(argc, argv, &options);
	if (incident_sink.wanted(&setup))
		incident_sink.open(&setup, &needs);
	options_need(&options, &needs);
	fprintf(stderr, "slow %g\n", options_slow_ms(&options));
	clock_gettime(CLOCK_MONOTONIC, &clock);
	now = (unsigned long long)clock.tv_sec * 1000000000;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "%d*%n", &times, &used) != 1 ||
		    strchr(line, '*') == NULL) {
			times = 1;
			used = 0;
		}
		while (times-- > 0)
			one_second(line + used);
	}
	return incident_sink.close(&setup) ? 0 : 1;
}
