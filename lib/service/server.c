/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * server.c - takes reports from the tracer, and hands them to the sinks.
 *
 *	drop privileges -> open the sinks -> say what they need ->
 *	[report -> sinks, acknowledge] -> close the sinks
 *
 * The tracer waits for the acknowledgement of a report before it takes the next
 * one, so a disk that is slow makes reports longer, and not more.
 */
#include <err.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "http/http.h"
#include "http/listen.h"
#include "http/options.h"
#include "page/page.h"
#include "page/sampled.h"
#include "drop.h"
#include "link.h"
#include "reload.h"
#include "say.h"
#include "server.h"

static void acknowledge(const struct sink_setup *setup, int fd)
{
	char byte = page_wants_samples(setup);

	send(fd, &byte, sizeof(byte), MSG_NOSIGNAL);
}

/* A signal to the whole group is for the tracer, which ends us. */
static void ignore_signals(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

/* Returns memory that is kept for the next message, unless it is large. */
static char *payload(size_t size)
{
	enum { KEPT = 1 << 20 };
	static size_t capacity;
	static char *data;

	if (size > capacity || capacity > KEPT) {
		free(data);
		capacity = size < KEPT ? KEPT : size;
		data = malloc(capacity);
		if (data == NULL)
			err(1, NULL);
	}
	return data;
}

static void take(const struct sink_setup *setup, struct report *report,
		 const char *data, size_t size)
{
	if (link_open_report(data, size, report) != 0)
		errx(1, "the tracer has sent a report that makes no sense");
	sinks_take(setup, report);
}

static void take_row(const struct sink_setup *setup, const void *row,
		     size_t size)
{
	const struct report_table *table =
		&setup->program->tables->table[setup->program->slow];

	if (size != table->row_size)
		errx(1, "the tracer has sent a row that makes no sense");
	sinks_row(setup, table, row);
}

/* Returns false if the tracer has ended in a message. */
static bool handle(const struct sink_setup *setup, void *options,
		   const struct server_source *source, int fd,
		   const struct link_head *head, struct report *report)
{
	char *data = payload(head->size);

	if (link_receive(fd, data, head->size) != 0)
		return false;
	if (head->kind == LINK_REPORT)
		take(setup, report, data, head->size);
	else if (head->kind == LINK_ROW)
		take_row(setup, data, head->size);
	else if (head->kind == LINK_FLAME)
		sampled_take(data, head->size);
	else
		reload(setup, options, source);
	if (head->kind != LINK_ROW && head->kind != LINK_FLAME)
		acknowledge(setup, fd);
	return true;
}

int server(void *options, struct server_source *source, pid_t tracer, int fd)
{
	const struct sink_setup setup = {
		source->program->report, options, tracer,
	};
	const struct http_options *http = sink_options(&setup, http_settings);
	struct report *report = report_new(setup.program->tables);
	struct sink_needs *needs = &source->needs;
	struct link_head head;

	ignore_signals();
	drop_for_server(source->program, http->listen != NULL &&
			listen_is_privileged(http->listen));
	sinks_restrict(SINKS_SERVING);
	sinks_open(&setup, needs);
	drop_ports();
	if (*http_url() != '\0')
		say("the page is at %s", http_url());
	if (send(fd, needs, sizeof(*needs), MSG_NOSIGNAL) != sizeof(*needs))
		return 1;
	/* also if the tracer was killed: the end of the link is the end */
	while (link_receive(fd, &head, sizeof(head)) == 0 &&
	       handle(&setup, options, source, fd, &head, report))
		;
	return sinks_close(&setup) ? 0 : 1;
}
