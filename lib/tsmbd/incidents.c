/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * incidents.c - what --when can compare, of which tsmbd(1) has the list, and
 * what is saved.
 */
#include "incident/measures.h"
#include "incidents.h"
#include "rows.h"
#include "tables.h"

static const struct measure_subject command = {
	.noun = "command", .example = "CREATE",
	.use = "names of SMB2, as CREATE or READ", .prefix = "SMB2_OP_",
	.apart = "NOTIFY",		/* which waits for a change */
};

static const struct measure_subject phase = {
	.noun = "phase", .example = "ctdb",
};

#define OF_COMMAND(name, kind, how)					\
	name, &command, MEASURE_##kind, MEASURE_##how, SMBD_OPERATIONS,	\
	.of = "count"
#define PERCENTILE(name, part_)	{					\
	OF_COMMAND(name, TIME, PERCENTILE), .column = "slots", .part = part_ }
#define OF_SERVER(name, object_)					\
	name, NULL, MEASURE_NUMBER, MEASURE_SUM, SMBD_SERVER,		\
	.object = object_

static const struct measure measures[] = {
	PERCENTILE("p50", 0.5),
	PERCENTILE("p95", 0.95),
	PERCENTILE("p99", 0.99),
	PERCENTILE("p999", 0.999),
	{ OF_COMMAND("max", TIME, MOST), .column = "max_us" },
	{ OF_COMMAND("avg", TIME, MEAN), .column = "total_us" },
	{ OF_COMMAND("rate", RATE, SUM), .column = "count" },
	{ OF_COMMAND("count", NUMBER, SUM), .column = "count" },
	{ OF_COMMAND("errors", FAILURES, SUM), .column = "errors" },
	{ OF_COMMAND("bytes_in", BYTES, SUM), .column = "bytes_in" },
	{ OF_COMMAND("bytes_out", BYTES, SUM), .column = "bytes_out" },
	{ OF_COMMAND("oplock_wait", TIME, SUM), .column = "oplock_us" },
	{ OF_COMMAND("ctdb_wait", TIME, SUM), .column = "ctdb_us" },
	{ "share", &phase, MEASURE_PERCENT, MEASURE_SUM, SMBD_SERVER,
	  .object = "phases_us", .of = "sum_us" },
	{ OF_SERVER("connections", "now"), .column = "processes" },
	{ OF_SERVER("sessions", "now"), .column = "sessions" },
	{ OF_SERVER("open_files", "now"), .column = "open_files" },
	{ OF_SERVER("under_way", "now"), .column = "requests",
	  .minus = "notifies" },
	{ OF_SERVER("lost", "lost") },
};

const struct measures smbd_measures = {
	.manual = "tsmbd(1), INCIDENTS",
	.tables = &smbd_tables,
	.list = measures,
	.count = sizeof(measures) / sizeof(measures[0]),
	.examples = "p99(CREATE), rate(*), share(ctdb), connections",
	.noun = "requests",
	.under_way = "under_way",
};

const struct report_heat smbd_heat = {
	.table = SMBD_OPERATIONS, .column = "slots", .title = "SMB2 requests",
	.row = "command", .noun = "request",
};

/* System calls of all processes are counted only if somebody asks for them. */
const struct report_file smbd_files[] = {
	{ "waits.txt", SMBD_WAITS, .needed = true, .print = tables_waits,
	  .none = "\nNo open waited for another client.\n" },
	{ "syscalls.txt", SMBD_CALLS, .print = tables_calls },
	{ .name = NULL },
};
