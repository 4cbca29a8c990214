/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json_read.c - the JSON of a report to a report.
 *
 * The file may come from anywhere: a member of the wrong type or a number that
 * is too large is an error with its name. Sums are made by members' names, as
 * json.c writes them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slots/slots.h"
#include "history/add.h"
#include "history/json_read.h"
#include "tsmbd/names.h"

/* So that the sums of many reports are below 2^64, in nanoseconds too. */
static const unsigned long long MOST = 1000000000000000ULL;

struct reader {
	char *why;
	bool bad;
};

/* Where a member goes; many are times in microseconds. */
struct member {
	const char *key;
	unsigned long long *to;
	unsigned int scale;
};

#define END	{ NULL, NULL, 0 }

static void fail(struct reader *rd, const char *key, const char *what)
{
	if (!rd->bad)
		snprintf(rd->why, JSON_WHY, "'%.40s' %s", key, what);
	rd->bad = true;
}

static bool is_number(struct reader *rd, const char *key, json_t *value,
		      unsigned long long *to)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0) {
		fail(rd, key, "is not there or not a whole number from 0 on");
		return false;
	}
	*to = (unsigned long long)json_integer_value(value);
	if (*to > MOST)
		fail(rd, key, "is too large");
	return *to <= MOST;
}

static void read_members(struct reader *rd, json_t *object,
			 const struct member *m)
{
	unsigned long long value;

	for (; m->key != NULL && !rd->bad; m++) {
		if (is_number(rd, m->key, json_object_get(object, m->key),
			      &value))
			*m->to = value * m->scale;
	}
}

/* Members that are all there or none of them. */
static void read_members_if_any(struct reader *rd, json_t *object,
				const struct member *m)
{
	if (json_object_get(object, m->key) != NULL)
		read_members(rd, object, m);
}

static json_t *get_object(struct reader *rd, json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_object(value))
		fail(rd, key, "is not there or not an object");
	return value;
}

/* Copies a text; one that does not fit is cut. */
static void read_text(struct reader *rd, json_t *object, const char *key,
		      char *text, size_t size)
{
	const char *value = json_string_value(json_object_get(object, key));

	*text = '\0';
	if (value == NULL)
		fail(rd, key, "is not there or not a text");
	else
		snprintf(text, size, "%s", value);
}

/* Calls read for each element of a list, which has to be there if needed. */
static void read_list(struct reader *rd, json_t *object, const char *key,
		      bool needed, void (*read)(struct reader *rd,
						json_t *element, void *data),
		      void *data)
{
	json_t *list = json_object_get(object, key);
	json_t *element;
	size_t i;

	if (list == NULL && !needed)
		return;
	if (!json_is_array(list)) {
		fail(rd, key, "is not there or not a list");
		return;
	}
	json_array_foreach(list, i, element) {
		if (rd->bad)
			return;
		if (!json_is_object(element))
			fail(rd, key, "has an element that is not an object");
		else
			read(rd, element, data);
	}
}

/* The distribution of key; slot_of converts the least value of a slot. */
static void read_slots(struct reader *rd, json_t *object, const char *key,
		       unsigned long long *slots,
		       int (*slot_of)(unsigned long long least))
{
	json_t *value, *all = get_object(rd, object, key);
	unsigned long long count;
	const char *least;

	json_object_foreach(all, least, value) {
		if (!is_number(rd, key, value, &count))
			return;
		slots[slot_of(strtoull(least, NULL, 10))] += count;
	}
}

static int coarse_slot(unsigned long long least)
{
	return slots_slot(least) / 2;
}

static int power_slot(unsigned long long least)
{
	if (least < 2)
		return 0;
	return least >> 31 ? 31 : 63 - __builtin_clzll(least);
}

/* Reports of versions before have no slots: the middle of each power then. */
static void read_latencies(struct reader *rd, json_t *object,
			   struct tsmbd_op *op)
{
	unsigned long long powers[SLOTS_POWERS] = { 0 };
	int i;

	if (json_object_get(object, "slots") != NULL) {
		read_slots(rd, object, "slots", op->slots, slots_slot);
		return;
	}
	read_slots(rd, object, "distribution", powers, power_slot);
	for (i = 0; i < SLOTS_POWERS; i++)
		op->slots[slots_slot(i == 0 ? 1 : 3ULL << (i - 1))] +=
			powers[i];
}

static void read_operation(struct reader *rd, json_t *object, void *data)
{
	struct counters *c = data;
	unsigned long long opcode = TSMBD_UNKNOWN;
	const struct member which[] = { { "opcode", &opcode, 1 }, END };

	read_members(rd, object, which);
	if (opcode >= TSMBD_OPS)
		fail(rd, "opcode", "is too large");
	if (rd->bad)
		return;
	struct tsmbd_op *op = &c->ops[opcode];
	struct tsmbd_extreme *x = &c->extremes[opcode];
	const struct member members[] = {
		{ "count", &op->count, 1 },
		{ "total_us", &op->total_ns, 1000 },
		{ "min_us", &x->min, 1000 },
		{ "max_us", &x->max, 1000 },
		{ "running_us", &op->run_ns, 1000 },
		{ "ctdb_us", &op->ctdb_ns, 1000 },
		{ "oplock_us", &op->oplock_ns, 1000 },
		{ "waited_us", &op->waited_ns, 1000 },
		{ "errors", &op->errors, 1 },
		{ "bytes_in", &op->bytes_in, 1 },
		{ "bytes_out", &op->bytes_out, 1 },
		END
	};
	const struct member limits[] = {
		{ "limited", &op->limited, 1 },
		{ "limit_us", &op->limit_ns, 1000 }, END
	};
	const struct member kept[] = {
		{ "kept", &op->kept, 1 }, { "refused", &op->refused, 1 }, END
	};

	if (op->count > 0)
		fail(rd, "operations", "has a command twice");
	read_members(rd, object, members);
	read_members_if_any(rd, object, limits);
	read_members_if_any(rd, object, kept);
	read_latencies(rd, object, op);
}

static void read_error(struct reader *rd, json_t *object, void *data)
{
	unsigned long long opcode = 0, status = 0;
	struct error_count error = { 0 };
	struct counters *c = data;
	const struct member members[] = {
		{ "opcode", &opcode, 1 }, { "status", &status, 1 },
		{ "count", &error.count, 1 }, END
	};

	read_members(rd, object, members);
	if (opcode >= TSMBD_OPS || status > ~0U)
		fail(rd, "errors", "has an opcode or status that is too large");
	if (c->num_errors == TSMBD_MAX_ERRORS)
		fail(rd, "errors", "has too many elements");
	if (rd->bad)
		return;
	error.opcode = (unsigned int)opcode;
	error.status = (unsigned int)status;
	c->errors[c->num_errors++] = error;
}

static void read_disk(struct reader *rd, json_t *report, const char *key,
		      struct tsmbd_io *io)
{
	json_t *object = get_object(rd, report, key);
	const struct member members[] = {
		{ "count", &io->count, 1 }, { "total_us", &io->ns, 1000 }, END
	};

	read_members(rd, object, members);
	read_slots(rd, object, "distribution", io->slots, power_slot);
}

static void read_sizes(struct reader *rd, json_t *report, const char *key,
		       struct tsmbd_size *size)
{
	const struct member members[] = {
		{ "count", &size->count, 1 },
		{ "sequential", &size->sequential, 1 }, END
	};
	json_t *object;

	if (json_object_get(report, key) == NULL)
		return;
	object = get_object(rd, report, key);
	read_members(rd, object, members);
	read_slots(rd, object, "distribution", size->slots, power_slot);
}

static void read_call(struct reader *rd, json_t *object, void *data)
{
	struct tsmbd_call call = { 0, 0 };
	struct counters *c = data;
	char name[NAME_SIZE];
	int number;
	const struct member members[] = {
		{ "count", &call.count, 1 }, { "total_us", &call.ns, 1000 },
		END
	};

	read_text(rd, object, "name", name, sizeof(name));
	read_members(rd, object, members);
	number = call_by_name(name);
	if (number < 0 && strncmp(name, "call ", 5) == 0)
		number = atoi(name + 5);
	if (number < 0 || number >= TSMBD_SYSCALLS)
		fail(rd, "syscalls", "has a name that is not known here");
	if (rd->bad)
		return;
	c->calls[number].count += call.count;
	c->calls[number].ns += call.ns;
}

static void read_row(struct reader *rd, json_t *object, void *data)
{
	unsigned long long slots[SLOTS_COARSE] = { 0 };
	struct top_row row = { .name = "" };
	struct tsmbd_top_value *v = &row.value;
	const struct member members[] = {
		{ "requests", &v->requests, 1 }, { "errors", &v->errors, 1 },
		{ "bytes", &v->bytes, 1 }, { "total_us", &v->ns, 1000 },
		{ "max_us", &v->max, 1000 }, END
	};
	const struct member limits[] = {
		{ "limited", &v->limited, 1 },
		{ "limit_us", &v->limit_ns, 1000 }, END
	};
	const struct member kept[] = {
		{ "kept", &v->kept, 1 }, { "refused", &v->refused, 1 }, END
	};
	int i;

	read_text(rd, object, "name", row.name, sizeof(row.name));
	if (json_object_get(object, "share") != NULL)
		read_text(rd, object, "share", row.share, sizeof(row.share));
	read_members(rd, object, members);
	read_members_if_any(rd, object, limits);
	read_members_if_any(rd, object, kept);
	if (json_object_get(object, "slots") != NULL)
		read_slots(rd, object, "slots", slots, coarse_slot);
	for (i = 0; i < SLOTS_COARSE; i++)
		v->slots[i] = (unsigned int)slots[i];
	if (!rd->bad)
		top_append(data, &row);
}

static void read_tops(struct reader *rd, json_t *report, struct smbd_report *r,
		      unsigned int *tops)
{
	static const char *const names[TSMBD_KINDS] = {
		[TSMBD_CLIENTS] = "clients", [TSMBD_USERS] = "users",
		[TSMBD_SHARES] = "shares", [TSMBD_FILES] = "files",
	};
	json_t *object;
	int kind;

	*tops = 0;
	if (json_object_get(report, "top") == NULL)
		return;
	object = get_object(rd, report, "top");
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (json_object_get(object, names[kind]) == NULL)
			continue;
		*tops |= 1U << kind;
		read_list(rd, object, names[kind], true, read_row,
			  &r->tops[kind]);
	}
}

/* A number that is there or not; 0 is as good as any. */
static void read_vnn(struct reader *rd, json_t *object, const char *key,
		     unsigned long long *vnn)
{
	const struct member members[] = { { key, vnn, 1 }, END };

	if (json_object_get(object, key) == NULL)
		return;
	read_members(rd, object, members);
	(*vnn)++;
}

static void read_wait(struct reader *rd, json_t *object, void *data)
{
	struct waited w = { .count = 0 };
	const struct member members[] = {
		{ "count", &w.count, 1 }, { "total_us", &w.ns, 1000 },
		{ "max_us", &w.max, 1000 }, END
	};

	read_text(rd, object, "client", w.client, sizeof(w.client));
	read_text(rd, object, "holder", w.holder, sizeof(w.holder));
	read_text(rd, object, "share", w.share, sizeof(w.share));
	read_text(rd, object, "file", w.file, sizeof(w.file));
	if (json_object_get(object, "node") != NULL)
		read_text(rd, object, "node", w.node, sizeof(w.node));
	if (json_object_get(object, "holder_node") != NULL)
		read_text(rd, object, "holder_node", w.holder_node,
			  sizeof(w.holder_node));
	read_vnn(rd, object, "holder_vnn", &w.holder_vnn);
	read_members(rd, object, members);
	if (!rd->bad)
		smbd_report_add_wait(data, &w);
}

static void read_tally(struct reader *rd, json_t *report, struct tally *t)
{
	const struct member top[] = {
		{ "processes", &t->processes, 1 },
		{ "process_us", &t->elapsed_ns, 1000 },
		{ "sum_us", &t->sum_ns, 1000 }, { "events", &t->events, 1 },
		{ "ctdb_requests", &t->ctdb_requests, 1 }, END
	};
	const struct member phases[] = {
		{ "wait", &t->phase_ns[TSMBD_WAIT], 1000 },
		{ "receive", &t->phase_ns[TSMBD_RECEIVE], 1000 },
		{ "parse", &t->phase_ns[TSMBD_PARSE], 1000 },
		{ "run", &t->phase_ns[TSMBD_RUN], 1000 },
		{ "send", &t->phase_ns[TSMBD_SEND], 1000 },
		{ "ctdb", &t->phase_ns[TSMBD_CTDB], 1000 },
		{ "other", &t->phase_ns[TSMBD_OTHER], 1000 }, END
	};
	const struct member now[] = {
		{ "processes", &t->connected, 1 },
		{ "sessions", &t->sessions, 1 }, { "open_files", &t->opens, 1 },
		{ "requests", &t->under_way, 1 },
		{ "notifies", &t->notifies, 1 }, END
	};
	const struct member calls[] = {
		{ "syscalls_us", &t->syscall_ns, 1000 }, END
	};

	read_members(rd, report, top);
	read_members(rd, get_object(rd, report, "phases_us"), phases);
	read_members(rd, get_object(rd, report, "now"), now);
	if (json_object_get(report, "syscalls_us") != NULL)
		read_members(rd, report, calls);
}

static void read_lost(struct reader *rd, json_t *report,
		      unsigned long long *lost)
{
	const struct member members[] = {
		{ "processes", &lost[TSMBD_LOST_PROCESSES], 1 },
		{ "requests", &lost[TSMBD_LOST_REQUESTS], 1 },
		{ "details", &lost[TSMBD_LOST_DETAILS], 1 },
		{ "errors", &lost[TSMBD_LOST_ERRORS], 1 },
		{ "top", &lost[TSMBD_LOST_TOP], 1 },
		{ "waits", &lost[TSMBD_LOST_WAITS], 1 },
		{ "lines", &lost[TSMBD_LOST_LINES], 1 },
		{ "samples", &lost[TSMBD_LOST_SAMPLES], 1 }, END
	};

	read_members(rd, get_object(rd, report, "lost"), members);
}

/* "2026-11-21T14:03:21.482+01:00" to nanoseconds since 1970. */
static void read_time(struct reader *rd, json_t *report,
		      unsigned long long *ns)
{
	int ms, hours, minutes, length = 0;
	struct tm tm = { .tm_sec = 0 };
	char text[64], sign;
	const char *rest;
	time_t second;

	read_text(rd, report, "time", text, sizeof(text));
	if (rd->bad)
		return;
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (rest == NULL || sscanf(rest, ".%3d%c%2d:%2d%n", &ms, &sign, &hours,
				   &minutes, &length) != 4 ||
	    rest[length] != '\0' || ms < 0 || hours < 0 || minutes < 0) {
		fail(rd, "time", "is not as in "
		     "2026-11-21T14:03:21.482+01:00");
		return;
	}
	second = timegm(&tm) - (sign == '-' ? -1 : 1) *
		(hours * 3600 + minutes * 60);
	if (second < 0) {
		fail(rd, "time", "is before 1970");
		return;
	}
	*ns = (unsigned long long)second * 1000000000ULL +
		(unsigned int)ms * 1000000ULL;
}

bool json_read_report(json_t *object, struct smbd_report *r, unsigned int *tops,
		      char why[JSON_WHY])
{
	struct reader rd = { .why = why };
	struct counters *c = &r->counters;
	const struct member elapsed[] = {
		{ "elapsed_us", &r->elapsed_ns, 1000 }, END
	};

	read_time(&rd, object, &r->end_ns);
	if (json_object_get(object, "host") != NULL)
		read_text(&rd, object, "host", r->hosts, sizeof(r->hosts));
	read_vnn(&rd, object, "vnn", &r->vnn);
	read_members(&rd, object, elapsed);
	if (!rd.bad && r->elapsed_ns > r->end_ns)
		fail(&rd, "elapsed_us", "is too large");
	read_tally(&rd, object, &r->tally);
	read_list(&rd, object, "operations", true, read_operation, c);
	read_list(&rd, object, "errors", true, read_error, c);
	read_disk(&rd, object, "read", &c->disk[0]);
	read_disk(&rd, object, "write", &c->disk[1]);
	read_sizes(&rd, object, "read_sizes", &c->sizes[0]);
	read_sizes(&rd, object, "write_sizes", &c->sizes[1]);
	read_list(&rd, object, "syscalls", false, read_call, c);
	read_list(&rd, object, "waits", false, read_wait, r);
	read_lost(&rd, object, c->lost);
	read_tops(&rd, object, r, tops);
	smbd_report_add_up(r);
	return !rd.bad;
}
