/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.c - the tables of tsmbd's reports: tables.def as arrays, and keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "slots/slots.h"
#include "names.h"
#include "rows.h"

static unsigned long long rounded(double value)
{
	return (unsigned long long)(value + 0.5);
}

static unsigned long long mean(unsigned long long sum, unsigned long long count)
{
	return count > 0 ? sum / count : 0;
}

static unsigned long long percent(unsigned long long part,
				  unsigned long long whole)
{
	return whole > 0 ? rounded(100.0 * (double)part / (double)whole) : 0;
}

static unsigned long long percentile(const struct operation_row *r, double part)
{
	return rounded(report_quantile(&smbd_tables.table[SMBD_OPERATIONS], r,
				       part));
}

static unsigned long long coarse_percentile(const struct name_row *r,
					    double part)
{
	return rounded(report_quantile(&smbd_tables.table[SMBD_CLIENTS], r,
				       part));
}

#define REPORT_DEF "tables.def"
#include "report/define.h"

static const char *op_name(unsigned long long number, char buffer[REPORT_NAME])
{
	return name_of_op((unsigned int)number);
}

static bool parse_op(const char *name, unsigned long long *number)
{
	int found = op_by_name(name);

	*number = (unsigned long long)found;
	return found >= 0;
}

static const char *status_name(unsigned long long number,
			       char buffer[REPORT_NAME])
{
	return name_of_status((unsigned int)number, buffer);
}

static const char *call_name(unsigned long long number,
			     char buffer[REPORT_NAME])
{
	return name_of_call((unsigned int)number, buffer);
}

static bool parse_call(const char *name, unsigned long long *number)
{
	int found = call_by_name(name);

	if (found < 0 && strncmp(name, "call ", 5) == 0)
		found = atoi(name + 5);
	*number = (unsigned long long)found;
	return found >= 0 && found < TSMBD_SYSCALLS;
}

static const char *disk_name(unsigned long long number,
			     char buffer[REPORT_NAME])
{
	return number == 0 ? "read" : "write";
}

static const char *size_name(unsigned long long number,
			     char buffer[REPORT_NAME])
{
	return number == 0 ? "read_sizes" : "write_sizes";
}

#define OPCODE(type, name_key_) {					\
	.key = "opcode", .name_key = name_key_, .name = op_name,	\
	.parse = parse_op,						\
	.offset = offsetof(type, opcode), .most = TSMBD_OPS - 1,	\
	.other = TSMBD_UNKNOWN,						\
	.doc = "the command; 19 is any command without a name" }
#define STATUS(type) {							\
	.key = "status", .name_key = "name", .name = status_name,	\
	.offset = offsetof(type, status), .most = ~0U, .other = ~0U,	\
	.doc = "the NTSTATUS" }
#define OPTIONAL_TEXT(type, member, key_) {				\
	.key = key_, .optional = true, .offset = offsetof(type, member), \
	.size = sizeof(((type *)NULL)->member) }

void client_host(char *name)
{
	char *colon = strrchr(name, ':');

	if (colon != NULL && strchr(name, ':') != colon)
		*colon = '\0';
}

#define CLIENT(type, member) {						\
	.key = #member, .private = SMBD_CLIENT_NAME,			\
	.shorten = client_host, .offset = offsetof(type, member),	\
	.size = sizeof(((type *)NULL)->member) }
#define PRIVATE			REPORT_PRIVATE

static const struct report_key operation_keys[] = {
	OPCODE(struct operation_row, "name"),
};
static const struct report_key error_keys[] = {
	OPCODE(struct error_count, "command"), STATUS(struct error_count),
};
static const struct report_key call_keys[] = {
	{ .name_key = "name", .name = call_name, .parse = parse_call,
	  .offset = offsetof(struct call_row, number),
	  .most = TSMBD_SYSCALLS - 1 },
};
static const struct report_key disk_keys[] = {
	{ .name_key = "direction", .name = disk_name, .most = 1,
	  .offset = offsetof(struct disk_row, direction) },
};
static const struct report_key size_keys[] = {
	{ .name_key = "direction", .name = size_name, .most = 1,
	  .offset = offsetof(struct size_row, direction) },
};
#define NAME_KEY(kind)	PRIVATE(struct name_row, name, "name", SMBD_##kind##_NAME)
static const struct report_key client_keys[] = { NAME_KEY(CLIENT) };
static const struct report_key user_keys[] = { NAME_KEY(USER) };
static const struct report_key share_keys[] = { NAME_KEY(SHARE) };
static const struct report_key file_keys[] = {
	NAME_KEY(FILE),
	PRIVATE(struct name_row, share, "share", SMBD_SHARE_NAME),
};
static const struct report_key share_command_keys[] = {
	NAME_KEY(SHARE),
	OPCODE(struct name_row, "command"),
};
static const struct report_key wait_keys[] = {
	CLIENT(struct waited, client),
	CLIENT(struct waited, holder),
	PRIVATE(struct waited, share, "share", SMBD_SHARE_NAME),
	PRIVATE(struct waited, file, "file", SMBD_FILE_NAME),
	{ .key = "holder_vnn", .optional = true, .wide = true, .bias = 1,
	  .offset = offsetof(struct waited, holder_vnn), .most = ~0U },
	OPTIONAL_TEXT(struct waited, holder_node, "holder_node"),
	OPTIONAL_TEXT(struct waited, node, "node"),
};
static const struct report_key slow_keys[] = {
	CLIENT(struct slow_row, client),
	PRIVATE(struct slow_row, user, "user", SMBD_USER_NAME),
	PRIVATE(struct slow_row, share, "share", SMBD_SHARE_NAME),
	PRIVATE(struct slow_row, file, "file", SMBD_FILE_NAME),
	OPCODE(struct slow_row, "command"), STATUS(struct slow_row),
	{ .key = "pid", .offset = offsetof(struct slow_row, pid), .most = ~0U },
	{ .key = "kind", .offset = offsetof(struct slow_row, kind),
	  .most = TSMBD_EVENT_ERROR },
};

/* The groups of a table whose columns all belong together. */
static const struct report_group plain_groups[] = { { .object = NULL } };

static const struct report_group server_groups[SERVER_GROUPS] = {
	[SERVER_PHASES] = { .object = "phases_us" },
	[SERVER_CALL_TIME] = { .with = "syscalls" },
	[SERVER_NOW] = { .object = "now" },
	[SERVER_LOST] = { .object = "lost" },
	[SERVER_NODE] = { .object = NULL },
};
static const struct report_group operation_groups[OPERATION_GROUPS] = {
	[OPERATION_LIMITS] = { .if_any = true },
	[OPERATION_KEPT] = { .if_any = true },
};
static const struct report_group name_groups[NAME_GROUPS] = {
	[NAME_LIMITS] = { .if_any = true }, [NAME_KEPT] = { .if_any = true },
};
static const struct report_group slow_groups[SLOW_GROUPS] = {
	[SLOW_LIMITS] = { .if_any = true },
};

static void add_wait(const void *row, json_t *object)
{
	const struct operation_row *r = row;

	json_object_set_new(object, "waited_for",
			    json_string(name_of_wait(r->opcode)));
}

static void add_benign(const void *row, json_t *object)
{
	const struct error_count *r = row;

	json_object_set_new(object, "benign", json_boolean(
		!tsmbd_is_failure(r->opcode, r->status)));
}

#define COUNT_OF(array)	(sizeof(array) / sizeof((array)[0]))
#define DESCRIBED(type, keys_, columns_, groups_)			\
	.row_size = sizeof(type), .keys = keys_,			\
	.num_keys = COUNT_OF(keys_), .columns = columns_,		\
	.num_columns = COUNT_OF(columns_), .groups = groups_,		\
	.num_groups = COUNT_OF(groups_)

enum { MOST_NAMES = 1024, MOST_WAITS = 512, MOST_PAIRS = 2048 };

#define NAMES(name_, keys_) {						\
	.name = name_, .within = "top", .optional = true,		\
	.by_name = true,						\
	DESCRIBED(struct name_row, keys_, name_columns, name_groups),	\
	.limit = MOST_NAMES,						\
	.orders = { "requests", "bytes", "total_us", "errors" } }

static const struct report_table tables[SMBD_TABLES] = {
	[SMBD_SERVER] = { .name = "server", .shape = REPORT_INLINE,
		.row_size = sizeof(struct server_row),
		.columns = server_columns,
		.num_columns = COUNT_OF(server_columns),
		.groups = server_groups, .num_groups = SERVER_GROUPS },
	[SMBD_OPERATIONS] = { .name = "operations",
		DESCRIBED(struct operation_row, operation_keys,
			  operation_columns, operation_groups),
		.more = add_wait },
	[SMBD_ERRORS] = { .name = "errors",
		DESCRIBED(struct error_count, error_keys, error_columns,
			  plain_groups),
		.limit = MOST_PAIRS, .orders = { "count" },
		.more = add_benign },
	[SMBD_DISK] = { .name = "disk", .shape = REPORT_OBJECTS,
		DESCRIBED(struct disk_row, disk_keys, disk_columns,
			  plain_groups) },
	[SMBD_CALLS] = { .name = "syscalls", .optional = true,
		DESCRIBED(struct call_row, call_keys, call_columns,
			  plain_groups) },
	[SMBD_SIZES] = { .name = "sizes", .shape = REPORT_OBJECTS,
		.optional = true,
		DESCRIBED(struct size_row, size_keys, size_columns,
			  plain_groups) },
	[SMBD_CLIENTS] = NAMES("clients", client_keys),
	[SMBD_USERS] = NAMES("users", user_keys),
	[SMBD_SHARES] = NAMES("shares", share_keys),
	[SMBD_FILES] = NAMES("files", file_keys),
	[SMBD_SHARE_COMMANDS] = { .name = "share_commands",
		.shape = REPORT_HIDDEN, .by_name = true,
		DESCRIBED(struct name_row, share_command_keys, name_columns,
			  name_groups) },
	[SMBD_WAITS] = { .name = "waits", .optional = true,
		DESCRIBED(struct waited, wait_keys, wait_columns,
			  plain_groups),
		.limit = MOST_WAITS, .orders = { "total_us" } },
	[SMBD_SLOW] = { .name = "slow", .shape = REPORT_HIDDEN,
		DESCRIBED(struct slow_row, slow_keys, slow_columns,
			  slow_groups) },
};

const struct report_tables smbd_tables = { tables, SMBD_TABLES };

struct server_row *server_row_new(struct report *r)
{
	return report_append(r, SMBD_SERVER);
}

/*
 * The time that no other column has: in threads, or waiting for a lock or a
 * change. VFS and LOCK are parts of RUN.
 */
static unsigned long long waited(const struct slow_row *r)
{
	unsigned long long known = r->run_ns + r->ctdb_ns + r->oplock_ns +
		r->send_ns;

	return r->total_ns > known ? r->total_ns - known : 0;
}

void rows_slow(struct slow_row *row, const struct tsmbd_request_event *e,
	       const char *client)
{
	const struct tsmbd_request *r = &e->request;
	struct tsmbd_detail d = e->detail;

	memset(row, 0, sizeof(*row));
	raw_resolve(&d, row->file);
	memcpy(row->user, d.user, sizeof(row->user));
	memcpy(row->share, d.share, sizeof(row->share));
	snprintf(row->client, sizeof(row->client), "%s", client);
	row->end_ns = e->event.time;
	row->kind = e->event.kind;
	row->pid = e->event.pid;
	row->opcode = r->opcode;
	row->status = r->status;
	row->total_ns = e->event.time - r->start;
	row->run_ns = r->run_ns;
	row->vfs_ns = r->vfs_ns;
	row->ctdb_ns = r->ctdb_ns;
	row->oplock_ns = r->oplock_ns;
	row->lock_ns = r->lock_ns;
	row->send_ns = r->send_ns;
	row->waited_ns = waited(row);
	row->limit_ns = r->limit_ns;
	row->offset = d.offset;
	row->length = d.length;
	row->mid = r->mid;
	row->session = r->session;
}
