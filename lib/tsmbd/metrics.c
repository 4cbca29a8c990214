/* SPDX-License-Identifier: BSD-2-Clause */
/* metrics.c - what of tsmbd's tables becomes metrics: docs/tsmbd-metrics.md. */
#include <ctype.h>
#include <string.h>

#include "metrics/families.h"
#include "names.h"
#include "rows.h"

/* "SMB2_OP_CREATE" -> "create" */
static const char *command(unsigned long long opcode, char buffer[REPORT_NAME])
{
	const char *from = name_of_op((unsigned int)opcode) +
		strlen("SMB2_OP_");
	char *to = buffer;

	while (*from != '\0')
		*to++ = (char)tolower((unsigned char)*from++);
	*to = '\0';
	return buffer;
}

static bool is_failure(const void *row)
{
	const struct error_count *r = row;

	return tsmbd_is_failure(r->opcode, r->status);
}

static const char *waited_for(const void *row)
{
	return name_of_wait(((const struct operation_row *)row)->opcode);
}

static unsigned long long limit(const void *row)
{
	const struct tsmbd_op *op = &((const struct operation_row *)row)->op;

	return op->limit_ns < op->waited_ns ? op->limit_ns : op->waited_ns;
}

static unsigned long long without_limit(const void *row)
{
	const struct operation_row *r = row;

	return r->op.waited_ns - limit(row);
}

static unsigned long long allowed(const void *row)
{
	const struct tsmbd_op *op = &((const struct operation_row *)row)->op;

	return op->kept - op->refused;
}

/* Requests that wait for changes have a family of their own. */
static unsigned long long in_progress(const void *row)
{
	const struct tally *tally = &((const struct server_row *)row)->tally;

	return tally->under_way - tally->notifies;
}

enum { MOST_ERRORS = 150, MOST_PAIRS = 200 };

static const struct metrics_table tables[] = {
	{ .table = SMBD_SERVER },
	{ .table = SMBD_OPERATIONS, .all = true },
	{ .table = SMBD_ERRORS, .most = MOST_ERRORS, .counts = is_failure },
	{ .table = SMBD_DISK, .all = true },
	{ .table = SMBD_CLIENTS, .way = METRICS_TOP },
	{ .table = SMBD_USERS, .way = METRICS_TOP },
	{ .table = SMBD_SHARES, .way = METRICS_TOP },
	{ .table = SMBD_SHARE_COMMANDS, .way = METRICS_PAIRS,
	  .most = MOST_PAIRS, .names = SMBD_SHARES },
};

#define FAMILY(table_, name_, help_)					\
	.table = table_, .name = name_, .help = help_
#define COMMAND			{ "command", command }
#define OPERATIONS(name, help)						\
	FAMILY(SMBD_OPERATIONS, name, help), .labels = { COMMAND }
#define COLUMN(key)		.values = { { .column = key } }
#define GAUGE(name, key, help) {					\
	FAMILY(SMBD_SERVER, name, help), .group = SERVER_NOW, COLUMN(key) }
#define NAME(table, kind, number, key, help) {				\
	FAMILY(table, "smbd_" kind "_" number, help ", by " kind "."), \
	.labels = { { .name = kind } }, COLUMN(key) }
#define NAMES(table, kind)						\
	NAME(table, kind, "requests", "requests", "Requests"),		\
	NAME(table, kind, "errors", "errors", "Requests that failed"),	\
	NAME(table, kind, "bytes", "bytes", "Bytes in both directions"), \
	NAME(table, kind, "seconds", "total_us", "Time of requests")
#define PAIR(number, key, help) {					\
	FAMILY(SMBD_SHARE_COMMANDS, "smbd_share_command_" number,	\
	       help ", by share and command."),				\
	.labels = { { .name = "share" }, COMMAND }, COLUMN(key) }

static const struct metrics_family families[] = {
	{ OPERATIONS("smbd_requests",
		     "Requests that had their result."), COLUMN("count") },
	{ FAMILY(SMBD_ERRORS, "smbd_errors", "Requests that failed."),
	  .labels = { COMMAND, { .name = "status" } }, COLUMN("count"),
	  .rest = "errors", .rest_of = SMBD_OPERATIONS },
	{ OPERATIONS("smbd_received_bytes",
		     "Bytes of requests, after decryption."),
	  COLUMN("bytes_in") },
	{ OPERATIONS("smbd_sent_bytes",
		     "Bytes of replies, before encryption."),
	  COLUMN("bytes_out") },
	{ OPERATIONS("smbd_request_duration_seconds",
		     "Time from the dispatch of a request until its result."),
	  .values = { { .column = "slots" }, { .column = "count" },
		      { .column = "total_us" } } },
	{ OPERATIONS("smbd_request_time_seconds",
		     "Time of requests by what they ran or waited for."),
	  .by = "part", .values = {
		{ .column = "running_us", .label = "running" },
		{ .column = "ctdb_us", .label = "ctdb" },
		{ .column = "oplock_us", .label = "oplock" },
		{ .column = "waited_us", .get = without_limit,
		  .text = waited_for },
		{ .column = "waited_us", .get = limit, .label = "limit",
		  .rare = true } } },
	{ OPERATIONS("smbd_limited_requests",
		     "Requests that waited for limits of a share."),
	  COLUMN("limited"), .rare = "limited" },
	{ FAMILY(SMBD_OPERATIONS, "smbd_kept_handle_opens",
		 "Opens that met the handle of a client that is away."),
	  .rare = "kept", .by = "result", .values = {
		{ .column = "refused", .label = "refused" },
		{ .column = "kept", .get = allowed, .label = "allowed" } } },
	{ FAMILY(SMBD_DISK, "smbd_disk_duration_seconds",
		 "Time of system calls that read and write files."),
	  .labels = { { .name = "direction" } },
	  .values = { { .column = "distribution" }, { .column = "count" },
		      { .column = "total_us" } } },
	{ FAMILY(SMBD_SERVER, "smbd_process_seconds",
		 "Time of the main threads of processes with clients, "
		 "by phase."), .group = SERVER_PHASES, .by = "phase" },
	{ FAMILY(SMBD_SERVER, "smbd_events",
		 "Events that tevent has handled."), COLUMN("events") },
	{ FAMILY(SMBD_SERVER, "smbd_ctdb_requests",
		 "Requests that were sent to ctdb."),
	  COLUMN("ctdb_requests") },
	GAUGE("smbd_connections", "processes",
	      "Processes that serve a client."),
	GAUGE("smbd_sessions", "sessions",
	      "Sessions that began after tsmbd did."),
	GAUGE("smbd_open_files", "open_files",
	      "Files, directories and pipes that clients have open."),
	{ FAMILY(SMBD_SERVER, "smbd_requests_in_progress",
		 "Requests without a result, except those that wait for "
		 "changes."), .group = SERVER_NOW,
	  .values = { { .column = "requests", .get = in_progress } } },
	GAUGE("smbd_notifies_in_progress", "notifies",
	      "Requests that wait for changes."),
	NAMES(SMBD_CLIENTS, "client"),
	NAMES(SMBD_USERS, "user"),
	NAMES(SMBD_SHARES, "share"),
	PAIR("requests", "requests", "Requests"),
	PAIR("seconds", "total_us", "Time of requests"),
};

static const struct metrics_family lost = {
	FAMILY(SMBD_SERVER, "tsmbd_lost", "What could not be counted."),
	.group = SERVER_LOST, .by = "what",
};

const struct metrics_families smbd_metrics = {
	tables, sizeof(tables) / sizeof(tables[0]),
	families, sizeof(families) / sizeof(families[0]), &lost,
};
