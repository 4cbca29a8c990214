/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * log.c - events of the kernel as lines, or as JSON objects.
 *
 *	14:03:21.482 4711 ipv4:192.0.2.7:50123 anna data SMB2_OP_CREATE OK \
 *		202.1 0.3 0.1 0.0 201.7 0.0 0.1 0.0 0 0 "letter.odt"
 *
 * A line has the same number of words whatever it says: what is not known is
 * "-", names of files are quoted.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "log.h"
#include "names.h"
#include "stack.h"
#include "tally.h"
#include "text.h"
#include "waits.h"
#include "when.h"

static const char *const kinds[] = {
	[TSMBD_EVENT_SLOW] = "slow",
	[TSMBD_EVENT_TERMINATE] = "connection_terminate",
	[TSMBD_EVENT_DISCONNECT] = "disconnect_client",
	[TSMBD_EVENT_EXIT] = "exit",
	[TSMBD_EVENT_BREAK_REQUEST] = "break_request",
	[TSMBD_EVENT_BREAK_RECEIVED] = "break_received",
	[TSMBD_EVENT_OPLOCK_BREAK] = "oplock_break",
	[TSMBD_EVENT_LEASE_BREAK] = "lease_break",
	[TSMBD_EVENT_OPLOCK_ACK] = "oplock_ack",
	[TSMBD_EVENT_LEASE_ACK] = "lease_ack",
	[TSMBD_EVENT_TIMEOUT] = "break_timeout",
	[TSMBD_EVENT_DEFER] = "open_defer",
	[TSMBD_EVENT_RETRY] = "open_retry",
};

/* What the numbers of an event are, in the order of the probe. */
enum format { DECIMAL, HEX, LEASE, LEVEL };

static const struct {
	const char *name;
	enum format format;
} numbers[][4] = {
	[TSMBD_EVENT_EXIT] = { { "how", DECIMAL } },
	[TSMBD_EVENT_BREAK_REQUEST] = { { "inode", DECIMAL },
		{ "share_file_id", DECIMAL }, { "holder", DECIMAL },
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
};

static double ms(unsigned long long ns)
{
	return (double)ns / 1e6;
}

/* In threads, or waiting for a lock or a change; vfs and lock are in run. */
static unsigned long long other_ns(const struct tsmbd_slow_event *e)
{
	const struct tsmbd_request *r = &e->request;
	unsigned long long total = e->event.time - r->start;
	unsigned long long known = r->run_ns + r->ctdb_ns + r->oplock_ns +
		r->send_ns;

	return total > known ? total - known : 0;
}

static void print_slow(const struct tsmbd_slow_event *e, const char *when,
		       const char *client)
{
	const struct tsmbd_request *r = &e->request;
	const struct tsmbd_detail *d = &e->detail;
	char user[TSMBD_NAME], share[TSMBD_NAME], status[NAME_SIZE];

	printf("%s %u %s %s %s %s %s "
	       "%.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %llu %llu ", when,
	       e->event.pid, client,
	       text_word(d->user, user, sizeof(user)),
	       text_word(d->share, share, sizeof(share)), name_of_op(r->opcode),
	       name_of_status(r->status, status), ms(e->event.time - r->start),
	       ms(r->run_ns), ms(r->vfs_ns), ms(r->ctdb_ns), ms(r->oplock_ns),
	       ms(r->lock_ns), ms(r->send_ns), ms(other_ns(e)), d->offset,
	       d->length);
	text_quote(d->file);
	putchar('\n');
}

static void json_slow(const struct tsmbd_slow_event *e, const char *when,
		      const char *client)
{
	const struct tsmbd_request *r = &e->request;
	const struct tsmbd_detail *d = &e->detail;
	char status[NAME_SIZE];
	json_t *object;

	object = json_pack(
		"{ss ss si so so so so ss ss sI sI sI sI sI sI sI sI sI sI}",
		"event", "slow", "time", when, "pid", (int)e->event.pid,
		"client", text_json(client), "user", text_json(d->user),
		"share", text_json(d->share), "file", text_json(d->file),
		"name", name_of_op(r->opcode),
		"status", name_of_status(r->status, status),
		"total_us", (json_int_t)(e->event.time - r->start) / 1000,
		"running_us", (json_int_t)r->run_ns / 1000,
		"vfs_us", (json_int_t)r->vfs_ns / 1000,
		"ctdb_us", (json_int_t)r->ctdb_ns / 1000,
		"oplock_us", (json_int_t)r->oplock_ns / 1000,
		"lock_us", (json_int_t)r->lock_ns / 1000,
		"send_us", (json_int_t)r->send_ns / 1000,
		"other_us", (json_int_t)other_ns(e) / 1000,
		"offset", (json_int_t)d->offset,
		"length", (json_int_t)d->length);
	if (object == NULL)
		errx(1, "no memory");
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static bool has_text(unsigned int kind)
{
	switch (kind) {
	case TSMBD_EVENT_TERMINATE:
	case TSMBD_EVENT_DISCONNECT:
	case TSMBD_EVENT_EXIT:
	case TSMBD_EVENT_OPLOCK_BREAK:
	case TSMBD_EVENT_OPLOCK_ACK:
	case TSMBD_EVENT_TIMEOUT:
		return true;
	default:
		return false;
	}
}

/* Lease states of [MS-SMB2] 2.2.13.2.8, oplock levels of 2.2.13. */
static void print_number(unsigned long long value, enum format format)
{
	if (format == DECIMAL)
		printf("%llu", value);
	else if (format == LEASE && value < 8)
		printf("%s%s%s%s", value == 0 ? "none" : "",
		       value & 1 ? "R" : "", value & 4 ? "W" : "",
		       value & 2 ? "H" : "");
	else if (format == LEVEL && value == 0)
		printf("none");
	else if (format == LEVEL && value == 1)
		printf("II");
	else
		printf("%#llx", value);
}

static void print_location(const char *location)
{
	fputs(" at ", stdout);
	text_print(location, " ");
}

static void print_other(const struct tsmbd_event *e, const char *when,
			const char *client)
{
	const struct tsmbd_text_event *text = (const void *)e;
	char frame[FRAME_SIZE];
	int i;

	printf("%s %u %s %s", when, e->pid, client, kinds[e->kind]);
	for (i = 0; i < 4 && numbers[e->kind][i].name != NULL; i++) {
		printf(" %s=", numbers[e->kind][i].name);
		print_number(e->number[i], numbers[e->kind][i].format);
	}
	if (has_text(e->kind)) {
		putchar(' ');
		text_quote(text->text);
		if (text->location[0] != '\0')
			print_location(text->location);
	}
	putchar('\n');
	if (!has_text(e->kind))
		return;
	for (i = 0; i < stack_frames(text); i++) {
		stack_format(text, i, frame, sizeof(frame));
		fputs("    ", stdout);
		text_print(frame, "");
		putchar('\n');
	}
}

static json_t *json_stack(const struct tsmbd_text_event *text)
{
	json_t *list = json_array();
	char frame[FRAME_SIZE];
	int i;

	for (i = 0; i < stack_frames(text); i++) {
		stack_format(text, i, frame, sizeof(frame));
		json_array_append_new(list, text_json(frame));
	}
	return list;
}

static void json_other(const struct tsmbd_event *e, const char *when,
		       const char *client)
{
	const struct tsmbd_text_event *text = (const void *)e;
	json_t *object;
	int i;

	object = json_pack("{ss ss si so}", "event", kinds[e->kind], "time",
			   when, "pid", (int)e->pid,
			   "client", text_json(client));
	if (object == NULL)
		errx(1, "no memory");
	for (i = 0; i < 4 && numbers[e->kind][i].name != NULL; i++)
		json_object_set_new(object, numbers[e->kind][i].name,
				    json_integer((json_int_t)e->number[i]));
	if (has_text(e->kind)) {
		json_object_set_new(object, "text", text_json(text->text));
		json_object_set_new(object, "location",
				    text_json(text->location));
		json_object_set_new(object, "stack", json_stack(text));
	}
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static void print_wait(const struct wait *w, const char *when)
{
	printf("%s %u %s open_wait %.1f ms for %u %s ", when, w->pid,
	       w->client, ms(w->ns), w->holder,
	       w->holder_client[0] != '\0' ? w->holder_client : "-");
	text_quote(w->file);
	putchar('\n');
}

static void json_wait(const struct wait *w, const char *when)
{
	json_t *object;

	object = json_pack("{ss ss si so sI si so sI so}",
			   "event", "open_wait", "time", when,
			   "pid", (int)w->pid, "client", text_json(w->client),
			   "waited_us", (json_int_t)w->ns / 1000,
			   "holder", (int)w->holder,
			   "holder_client", text_json(w->holder_client),
			   "inode", (json_int_t)w->inode,
			   "file", text_json(w->file));
	if (object == NULL)
		errx(1, "no memory");
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

void log_begin(const struct options *options)
{
	if (options->slow && !options->json)
		puts("TIME PID CLIENT USER SHARE OP STATUS MS RUN VFS CTDB "
		     "OPLOCK LOCK SEND OTHER OFFSET LENGTH FILE");
}

bool log_event(const struct options *options, const struct tsmbd_event *e)
{
	char name[TSMBD_NAME], buffer[TSMBD_NAME];
	char when[WHEN_SIZE];
	const char *client;
	struct wait wait;

	if (e->kind >= sizeof(kinds) / sizeof(kinds[0]) ||
	    kinds[e->kind] == NULL)
		return false;
	if (options->json)
		when_json(e->time, when);
	else
		when_line(e->time, when);
	client_name(e->pid, e->remote, name);
	client = text_word(name, buffer, sizeof(buffer));
	if (e->kind == TSMBD_EVENT_SLOW && options->json)
		json_slow((const void *)e, when, client);
	else if (e->kind == TSMBD_EVENT_SLOW)
		print_slow((const void *)e, when, client);
	else if (options->json)
		json_other(e, when, client);
	else
		print_other(e, when, client);
	if (waits_event(e, client, &wait)) {
		if (options->json)
			json_wait(&wait, when);
		else
			print_wait(&wait, when);
	}
	return true;
}
