/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * log.c - prints events of the kernel as lines or as JSON objects.
 *
 *	14:03:21.482 4711 ipv4:192.0.2.7:50123 anna data SMB2_OP_CREATE OK \
 *		202.1 0.3 0.1 0.0 201.7 0.0 0.1 0.0 0 0 417 0x8d2b11a4 "letter.odt"
 *
 * All lines of --slow and --errors have the same number of words: an unknown
 * name is "-", and names of files are quoted.
 */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "base/when.h"
#include "log.h"
#include "names.h"
#include "report.h"
#include "rows.h"
#include "stack.h"
#include "tally.h"
#include "waits.h"

static const char *const kinds[] = {
	[TSMBD_EVENT_SLOW] = "slow",
	[TSMBD_EVENT_ERROR] = "error",
	[TSMBD_EVENT_TERMINATE] = "connection_terminate",
	[TSMBD_EVENT_DISCONNECT] = "disconnect_client",
	[TSMBD_EVENT_EXIT] = "exit",
	[TSMBD_EVENT_KILLED] = "killed",
	[TSMBD_EVENT_BREAK_REQUEST] = "break_request",
	[TSMBD_EVENT_BREAK_RECEIVED] = "break_received",
	[TSMBD_EVENT_OPLOCK_BREAK] = "oplock_break",
	[TSMBD_EVENT_LEASE_BREAK] = "lease_break",
	[TSMBD_EVENT_OPLOCK_ACK] = "oplock_ack",
	[TSMBD_EVENT_LEASE_ACK] = "lease_ack",
	[TSMBD_EVENT_TIMEOUT] = "break_timeout",
	[TSMBD_EVENT_DEFER] = "open_defer",
	[TSMBD_EVENT_RETRY] = "open_retry",
	[TSMBD_EVENT_WAITED] = "open_wait",
};

/* The names of the numbers of an event, in the order of the probe. */
enum format { DECIMAL, HEX, LEASE, LEVEL, PROCESS };

static const struct {
	const char *name;
	enum format format;
} numbers[][4] = {
	[TSMBD_EVENT_EXIT] = { { "how", DECIMAL } },
	[TSMBD_EVENT_BREAK_REQUEST] = { { "inode", DECIMAL },
		{ "share_file_id", DECIMAL }, { "holder", PROCESS },
		{ "break_to", LEASE } },
	[TSMBD_EVENT_BREAK_RECEIVED] = { { "inode", DECIMAL },
		{ "share_file_id", DECIMAL }, { "from", DECIMAL },
		{ "break_to", LEASE } },
	[TSMBD_EVENT_OPLOCK_BREAK] = { { "fnum", HEX }, { "level", LEVEL } },
	[TSMBD_EVENT_LEASE_BREAK] = { { "key0", HEX }, { "key1", HEX },
		{ "from", LEASE }, { "to", LEASE } },
	[TSMBD_EVENT_OPLOCK_ACK] = { { "fnum", HEX }, { "level", LEVEL } },
	[TSMBD_EVENT_LEASE_ACK] = { { "key0", HEX }, { "key1", HEX },
		{ "state", LEASE } },
	[TSMBD_EVENT_TIMEOUT] = { { "fnum", HEX } },
	[TSMBD_EVENT_DEFER] = { { "req", HEX }, { "inode", DECIMAL },
		{ "timeout_us", DECIMAL } },
	[TSMBD_EVENT_RETRY] = { { "req", HEX } },
	[TSMBD_EVENT_WAITED] = { { NULL, DECIMAL } },
};

static double ms(unsigned long long ns)
{
	return (double)ns / 1e6;
}

#define SLOW	(&smbd_tables.table[SMBD_SLOW])

static void print_column(FILE *out, const struct report_column *column,
			 unsigned long long value)
{
	if (column->unit == REPORT_NS)
		fprintf(out, "%.1f ", ms(value));
	else
		fprintf(out, column->unit == REPORT_HEX ? "%#llx " : "%llu ",
			value);
}

static void print_request(FILE *out, const struct slow_row *r, const char *when)
{
	char client[TSMBD_NAME], user[TSMBD_NAME], share[TSMBD_NAME];
	const struct report_column *column;
	char status[NAME_SIZE];

	fprintf(out, "%s %u %s %s %s %s %s ", when, r->pid,
		text_word(r->client, client, sizeof(client)),
		text_word(r->user, user, sizeof(user)),
		text_word(r->share, share, sizeof(share)),
		name_of_op(r->opcode), name_of_status(r->status, status));
	REPORT_FOR_EACH(column, SLOW, SLOW_TIMES)
		print_column(out, column, report_get(column, r));
	text_quote(out, r->file);
	putc('\n', out);
}

/* Unlike in reports, microseconds are not rounded. */
static json_t *json_column(const struct report_column *column,
			   unsigned long long value)
{
	char text[24];

	if (column->unit == REPORT_HEX) {
		snprintf(text, sizeof(text), "%#llx", value);
		return json_string(text);
	}
	return json_integer((json_int_t)(column->unit == REPORT_NS ?
					 value / 1000 : value));
}

static void json_request(FILE *out, const struct slow_row *r, const char *when)
{
	const struct report_column *column;
	char status[NAME_SIZE];
	unsigned int group;
	json_t *object;

	object = json_pack(
		"{ss ss si so so so so ss ss}",
		"event", kinds[r->kind], "time", when, "pid", (int)r->pid,
		"client", text_json(r->client), "user", text_json(r->user),
		"share", text_json(r->share), "file", text_json(r->file),
		"name", name_of_op(r->opcode),
		"status", name_of_status(r->status, status));
	for (group = 0; group < SLOW_GROUPS; group++) {
		if (SLOW->groups[group].if_any && !report_any(SLOW, group, r))
			continue;
		REPORT_FOR_EACH(column, SLOW, group)
			json_object_set_new(object, column->key, json_column(
				column, report_get(column, r)));
	}
	report_line(out, object);
}

static bool has_text(unsigned int kind)
{
	static const unsigned int those = 1U << TSMBD_EVENT_TERMINATE |
		1U << TSMBD_EVENT_DISCONNECT | 1U << TSMBD_EVENT_EXIT |
		1U << TSMBD_EVENT_OPLOCK_BREAK | 1U << TSMBD_EVENT_OPLOCK_ACK |
		1U << TSMBD_EVENT_TIMEOUT;

	return those >> kind & 1;
}

/* As smbstatus has it: "4711", or "1:4711" with the node of a cluster. */
static void print_process(FILE *out, unsigned long long node, unsigned int pid)
{
	if (node != 0)
		fprintf(out, "%llu:", node - 1);
	fprintf(out, "%u", pid);
}

/* Lease states of [MS-SMB2] 2.2.13.2.8, oplock levels of 2.2.13. */
static void print_number(FILE *out, unsigned long long value,
			 enum format format)
{
	if (format == DECIMAL)
		fprintf(out, "%llu", value);
	else if (format == PROCESS)
		print_process(out, value >> 32, (unsigned int)value);
	else if (format == LEASE && value < 8)
		fprintf(out, "%s%s%s%s", value == 0 ? "none" : "",
			value & 1 ? "R" : "", value & 4 ? "W" : "",
			value & 2 ? "H" : "");
	else if (format == LEVEL && value == 0)
		fprintf(out, "none");
	else if (format == LEVEL && value == 1)
		fprintf(out, "II");
	else
		fprintf(out, "%#llx", value);
}

static void print_location(FILE *out, const char *location)
{
	fputs(" at ", out);
	text_print(out, location, " ");
}

static void print_other(FILE *out, const struct tsmbd_event *e,
			const char *when, const char *client)
{
	const struct tsmbd_text_event *text = (const void *)e;
	char frame[STACK_LINE_SIZE];
	int i;

	fprintf(out, "%s %u %s %s", when, e->pid, client, kinds[e->kind]);
	for (i = 0; i < 4 && numbers[e->kind][i].name != NULL; i++) {
		fprintf(out, " %s=", numbers[e->kind][i].name);
		print_number(out, e->number[i], numbers[e->kind][i].format);
	}
	if (has_text(e->kind)) {
		putc(' ', out);
		text_quote(out, text->text);
		if (text->location[0] != '\0')
			print_location(out, text->location);
	}
	putc('\n', out);
	if (!has_text(e->kind))
		return;
	for (i = 0; i < stack_frames(text); i++) {
		stack_format(text, i, frame, sizeof(frame));
		fputs("    ", out);
		text_print(out, frame, "");
		putc('\n', out);
	}
}

static json_t *json_stack(const struct tsmbd_text_event *text)
{
	json_t *list = json_array();
	char frame[STACK_LINE_SIZE];
	int i;

	for (i = 0; i < stack_frames(text); i++) {
		stack_format(text, i, frame, sizeof(frame));
		json_array_append_new(list, text_json(frame));
	}
	return list;
}

static void add_number(json_t *object, const char *name, enum format format,
		       unsigned long long value)
{
	if (format == PROCESS && value >> 32 != 0)
		json_object_set_new(object, "holder_vnn", json_integer(
			(json_int_t)(value >> 32) - 1));
	if (format == PROCESS)
		value = (unsigned int)value;
	json_object_set_new(object, name, json_integer((json_int_t)value));
}

static void json_other(FILE *out, const struct tsmbd_event *e, const char *when,
		       const char *client)
{
	const struct tsmbd_text_event *text = (const void *)e;
	json_t *object;
	int i;

	object = json_pack("{ss ss si so}", "event", kinds[e->kind], "time",
			   when, "pid", (int)e->pid,
			   "client", text_json(client));
	for (i = 0; i < 4 && numbers[e->kind][i].name != NULL; i++)
		add_number(object, numbers[e->kind][i].name,
			   numbers[e->kind][i].format, e->number[i]);
	if (has_text(e->kind)) {
		json_object_set_new(object, "text", text_json(text->text));
		json_object_set_new(object, "location",
				    text_json(text->location));
		json_object_set_new(object, "stack", json_stack(text));
	}
	report_line(out, object);
}

static void print_wait(FILE *out, const struct tsmbd_wait_event *e,
		       const char *when, const char *client)
{
	struct waited w;

	waits_resolve(&e->key, &e->wait, &w);
	fprintf(out, "%s %u %s open_wait %.1f ms for ", when, e->event.pid,
		client, ms(e->event.number[0]));
	if (w.holder_pid != 0) {
		print_process(out, w.holder_vnn, w.holder_pid);
		fprintf(out, " %s ", w.holder);
	} else {
		fprintf(out, "- - ");
	}
	text_quote_path(out, w.share, w.file);
	putc('\n', out);
}

static void json_wait(FILE *out, const struct tsmbd_wait_event *e,
		      const char *when, const char *client)
{
	struct waited w;
	json_t *object;

	waits_resolve(&e->key, &e->wait, &w);
	object = json_pack(
		"{ss ss si so sI si so sI so so}",
		"event", "open_wait", "time", when, "pid", (int)e->event.pid,
		"client", text_json(client),
		"waited_us", (json_int_t)e->event.number[0] / 1000,
		"holder", (int)w.holder_pid,
		"holder_client", text_json(w.holder),
		"inode", (json_int_t)w.inode, "share", text_json(w.share),
		"file", text_json(w.file));
	if (object != NULL && w.holder_vnn != 0)
		json_object_set_new(object, "holder_vnn", json_integer(
			(json_int_t)w.holder_vnn - 1));
	report_line(out, object);
}

enum { END_SIZE = 24 };

/* 11 -> "SIGSEGV"; an exit status as its number. */
static const char *name_of_end(const struct tsmbd_event *e, char text[END_SIZE])
{
	const char *name = sigabbrev_np((int)e->number[0]);

	if (e->number[0] == 0)
		snprintf(text, END_SIZE, "%llu", e->number[1]);
	else if (name == NULL)
		snprintf(text, END_SIZE, "%llu", e->number[0]);
	else
		snprintf(text, END_SIZE, "SIG%s", name);
	return text;
}

static void print_death(FILE *out, const struct tsmbd_request_event *e,
			const char *when, const char *client)
{
	const struct tsmbd_request *r = &e->request;
	char end[END_SIZE];

	fprintf(out, "%s %u %s killed %s=%s", when, e->event.pid, client,
		e->event.number[0] != 0 ? "signal" : "status",
		name_of_end(&e->event, end));
	if (e->event.number[2] != 0)
		fprintf(out, " %s %s mid=%llu session=%#llx for %.1f ms",
			e->event.number[3] != 0 ? "waiting" : "running",
			name_of_op(r->opcode), r->mid, r->session,
			ms(e->event.time - r->start));
	putc('\n', out);
}

static void json_death(FILE *out, const struct tsmbd_request_event *e,
		       const char *when, const char *client)
{
	const struct tsmbd_request *r = &e->request;
	char end[END_SIZE], session[24];
	json_t *object;

	object = json_pack("{ss ss si so ss}", "event", "killed", "time", when,
			   "pid", (int)e->event.pid, "client",
			   text_json(client), e->event.number[0] != 0 ?
			   "signal" : "status", name_of_end(&e->event, end));
	if (object != NULL && e->event.number[2] != 0) {
		snprintf(session, sizeof(session), "%#llx", r->session);
		json_object_set_new(object, e->event.number[3] != 0 ?
				    "waiting" : "running", json_pack(
			"{ss sI ss sI}", "name", name_of_op(r->opcode),
			"mid", (json_int_t)r->mid, "session", session,
			"total_us",
			(json_int_t)(e->event.time - r->start) / 1000));
	}
	report_line(out, object);
}

void log_columns(FILE *out, const struct options *options)
{
	const struct report_column *column;

	if ((!options->slow && !options->errors) || options->json)
		return;
	fputs("TIME PID CLIENT USER SHARE OP STATUS", out);
	REPORT_FOR_EACH(column, SLOW, SLOW_TIMES)
		fprintf(out, " %s", column->title);
	fputs(" FILE\n", out);
}

static const char *when_of(const struct options *options, unsigned long long ns,
			   char when[WHEN_SIZE])
{
	return options->json ? when_json(ns, when) : when_line(ns, when);
}

const struct report_table log_events = {
	.name = "events", .shape = REPORT_HIDDEN,
	.row_size = sizeof(struct event_row),
};

void log_row(FILE *out, const void *context, const struct report_table *table,
	     const void *row)
{
	const struct options *options = context;
	const struct slow_row *slow = row;
	char when[WHEN_SIZE];

	if (row == NULL) {
		log_columns(out, options);
		return;
	}
	if (table == &log_events) {
		log_event(out, options, &((const struct event_row *)row)->as.event);
		return;
	}
	(options->json ? json_request : print_request)(
		out, slow, when_of(options, slow->end_ns, when));
}

void log_event(FILE *out, const struct options *options,
	       const struct tsmbd_event *e)
{
	char name[TSMBD_NAME], client[TSMBD_NAME];
	char when[WHEN_SIZE];
	struct slow_row slow;

	if (e->kind >= sizeof(kinds) / sizeof(kinds[0]) ||
	    kinds[e->kind] == NULL)
		return;
	client_name(e->pid, e->remote, name);
	if (e->kind == TSMBD_EVENT_SLOW || e->kind == TSMBD_EVENT_ERROR) {
		rows_slow(&slow, (const void *)e, name);
		log_row(out, options, SLOW, &slow);
		return;
	}
	when_of(options, e->time, when);
	text_word(name, client, sizeof(client));
	if (e->kind == TSMBD_EVENT_WAITED)
		(options->json ? json_wait : print_wait)(
			out, (const void *)e, when, client);
	else if (e->kind == TSMBD_EVENT_KILLED)
		(options->json ? json_death : print_death)(
			out, (const void *)e, when, client);
	else
		(options->json ? json_other : print_other)(out, e, when, client);
}
