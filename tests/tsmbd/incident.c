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

#include "flame.h"
#include "history/add.h"
#include "incident/incident.h"
#include "made_up.h"
#include "stack.h"
#include "tally.h"
#include "waits.h"

static const char hostile[] = "a\nb\x1b[2J\"<script>\xff/../..";

static struct options options;
static const struct report_program program = { .settings = options_settings };
static const struct sink_setup setup = { &program, &options, 0 };
static struct sink_needs needs;
static struct smbd_report r;
static unsigned long long now;
static const char *name = "letter.odt";
static unsigned int mid;

/* What log.c and incident.c need of the kernel. */

void client_name(unsigned int pid, const char *remote, char text[TSMBD_NAME])
{
	(void)pid;
	snprintf(text, TSMBD_NAME, "%s", remote);
}

void waits_resolve(const struct tsmbd_wait_key *key,
		   const struct tsmbd_wait *wait, struct waited *waited)
{
	(void)key;
	(void)wait;
	memset(waited, 0, sizeof(*waited));
}

int stack_frames(const struct tsmbd_text_event *event)
{
	return event->frames;
}

void stack_format(const struct tsmbd_text_event *event, int frame, char *line,
		  size_t size)
{
	(void)event;
	snprintf(line, size, "%d", frame);
}

struct flamegraph *flame_begin(void)
{
	return NULL;
}

void flame_end(struct flamegraph *graph)
{
	(void)graph;
}

static void send_slow(void)
{
	struct tsmbd_request_event e = {
		.event = {
			.kind = TSMBD_EVENT_SLOW, .pid = 1, .time = now - 1,
			.remote = "ipv4:192.0.2.7:50123",
		},
		.request = {
			.opcode = TSMBD_CREATE, .start = now - 60000001,
			.mid = ++mid,
		},
	};

	strcpy(e.detail.user, "anna");
	snprintf(e.detail.share, sizeof(e.detail.share), "%s", name);
	snprintf(e.detail.file, sizeof(e.detail.file), "%s", name);
	incident_sink.event_old(&setup, &e.event);
}

static void add_wait(void)
{
	r.waits = calloc(1, sizeof(*r.waits));
	r.num_waits = 1;
	strcpy(r.waits->client, "ipv4:192.0.2.7");
	strcpy(r.waits->holder, "ipv4:192.0.2.8");
	snprintf(r.waits->share, sizeof(r.waits->share), "%s", name);
	snprintf(r.waits->file, sizeof(r.waits->file), "%s", name);
	r.waits->count = 1;
	r.waits->ns = r.waits->max = 5000000;
}

static void add_clients(int count)
{
	struct top *top = &r.tops[TSMBD_CLIENTS];

	top->rows = calloc((size_t)count, sizeof(*top->rows));
	top->capacity = count;
	while (top->count < count) {
		struct top_row *row = &top->rows[top->count++];

		snprintf(row->name, sizeof(row->name), "client-%d", top->count);
		row->value.requests = 1;
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

static void one_second(const char *line)
{
	char copy[4096];
	char *word;

	now += 1000000000;
	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " \n"); word != NULL;
	     word = strtok(NULL, " \n"))
		read_word(word);
	r.end_ns = now;
	r.elapsed_ns = 1000000000;
	r.tally.connected = r.tally.processes = 1;
	r.tally.sum_ns = r.tally.elapsed_ns = 1000000000;
	smbd_report_add_up(&r);
	incident_sink.take_old(&setup, &r);
	smbd_report_clear(&r);
}

int main(int argc, char **argv)
{
	struct timespec clock;
	char line[4096];
	int times, used;

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
