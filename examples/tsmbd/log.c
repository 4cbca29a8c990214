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
#include <time.h>

#include <jansson.h>

#include "json_text.h"
#include "log.h"
#include "names.h"
#include "stack.h"
#include "tally.h"
#include "waits.h"

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

enum { WHEN_SIZE = 32 };

/* The time of day of a time of the kernel's clock. */
static void format_time(unsigned long long ns, char when[WHEN_SIZE])
{
	struct timespec real, monotonic;
	char hms[16];
	long long at;
	time_t second;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	at = (real.tv_sec - monotonic.tv_sec) * 1000000000LL +
	     real.tv_nsec - monotonic.tv_nsec + (long long)ns;
	second = at / 1000000000;
	localtime_r(&second, &tm);
	strftime(hms, sizeof(hms), "%H:%M:%S", &tm);
	snprintf(when, WHEN_SIZE, "%s.%03lld", hms, at / 1000000 % 1000);
}

/* Names come from clients: what would disturb the line becomes a '?'. */
static const char *word(const char *name, char buffer[TSMBD_NAME])
{
	int i;

	for (i = 0; i < TSMBD_NAME - 1 && name[i] != '\0'; i++)
		buffer[i] = (unsigned char)name[i] <= ' ' ||
			    name[i] == '"' || name[i] == 127 ? '?' : name[i];
	buffer[i] = '\0';
	return i > 0 ? buffer : "-";
}

static void quoted(const char *name)
{
	putchar('"');
	for (; *name != '\0'; name++)
		putchar((unsigned char)*name < ' ' || *name == '"' ||
			*name == 127 ? '?' : *name);
	putchar('"');
}

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
	       e->event.pid, client, word(d->user, user),
	       word(d->share, share), name_of_op(r->opcode),
	       name_of_status(r->status, status), ms(e->event.time - r->start),
	       ms(r->run_ns), ms(r->vfs_ns), ms(r->ctdb_ns), ms(r->oplock_ns),
	       ms(r->lock_ns), ms(r->send_ns), ms(other_ns(e)), d->offset,
	       d->length);
	quoted(d->file);
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
		"{ss ss si ss so so so ss ss sI sI sI sI sI sI sI sI sI sI}",
		"event", "slow", "time", when, "pid", (int)e->event.pid,
		"client", client, "user", json_text(d->user),
		"share", json_text(d->share), "file", json_text(d->file),
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
		quoted(text->text);
		if (text->location[0] != '\0')
			printf(" at %s", text->location);
	}
	putchar('\n');
	if (!has_text(e->kind))
		return;
	for (i = 0; i < stack_frames(text); i++) {
		stack_format(text, i, frame, sizeof(frame));
		printf("    %s\n", frame);
	}
}

static json_t *json_stack(const struct tsmbd_text_event *text)
{
	json_t *list = json_array();
	char frame[FRAME_SIZE];
	int i;

	for (i = 0; i < stack_frames(text); i++) {
		stack_format(text, i, frame, sizeof(frame));
		json_array_append_new(list, json_text(frame));
	}
	return list;
}

static void json_other(const struct tsmbd_event *e, const char *when,
		       const char *client)
{
	const struct tsmbd_text_event *text = (const void *)e;
	json_t *object;
	int i;

	object = json_pack("{ss ss si ss}", "event", kinds[e->kind], "time",
			   when, "pid", (int)e->pid, "client", client);
	if (object == NULL)
		errx(1, "no memory");
	for (i = 0; i < 4 && numbers[e->kind][i].name != NULL; i++)
		json_object_set_new(object, numbers[e->kind][i].name,
				    json_integer((json_int_t)e->number[i]));
	if (has_text(e->kind)) {
		json_object_set_new(object, "text", json_text(text->text));
		json_object_set_new(object, "location",
				    json_text(text->location));
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
	quoted(w->file);
	putchar('\n');
}

static void json_wait(const struct wait *w, const char *when)
{
	json_t *object;

	object = json_pack("{ss ss si so sI si so sI so}",
			   "event", "open_wait", "time", when,
			   "pid", (int)w->pid, "client", json_text(w->client),
			   "waited_us", (json_int_t)w->ns / 1000,
			   "holder", (int)w->holder,
			   "holder_client", json_text(w->holder_client),
			   "inode", (json_int_t)w->inode,
			   "file", json_text(w->file));
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

void log_event(const struct options *options, const struct tsmbd_event *e)
{
	char name[TSMBD_NAME], client[TSMBD_NAME];
	char when[WHEN_SIZE];
	struct wait wait;

	if (e->kind >= sizeof(kinds) / sizeof(kinds[0]) ||
	    kinds[e->kind] == NULL)
		return;
	format_time(e->time, when);
	client_name(e->pid, e->remote, name);
	word(name, client);
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
	fflush(stdout);
}
