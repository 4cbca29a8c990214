/* SPDX-License-Identifier: BSD-2-Clause */
/* sections.c - what the page shows of smbd: see page/section.h. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "rows.h"
#include "sections.h"

#define SERIES(key_, group_, column_) {					\
	.key = key_, .table = SMBD_SERVER, .group = group_,		\
	.column = column_ }

static const struct page_series series[] = {
	SERIES("bytes_in", SERVER_TRAFFIC, "bytes_in"),
	SERIES("bytes_out", SERVER_TRAFFIC, "bytes_out"),
	{ .key = "lost", .table = SMBD_SERVER, .group = SERVER_LOST },
	SERIES("connections", SERVER_NOW, "processes"),
	SERIES("sessions", SERVER_NOW, "sessions"),
	SERIES("open_files", SERVER_NOW, "open_files"),
	SERIES("under_way", SERVER_NOW, "requests"),
	{ .key = "phases_us", .table = SMBD_SERVER, .group = SERVER_PHASES,
	  .each = true },
	{ .key = NULL },
};

#define COLOR(key_, color_)	{ .key = key_, .color = color_ }

static const struct page_item colors[] = {
	COLOR("5", "f0"), COLOR("6", "f5"), COLOR("8", "f2"),
	COLOR("9", "f1"), COLOR("10", "f3"), COLOR("14", "f4"),
	COLOR("16", "f6"), { .key = NULL },
};

static const char *holder(const void *row, const char *key,
			  char buffer[PAGE_TEXT])
{
	char text[WAITS_HOLDER];

	if (strcmp(key, "holder") != 0)
		return NULL;
	snprintf(buffer, PAGE_TEXT, "%s", waits_holder(row, text));
	return buffer;
}

static bool is_slow(const void *row)
{
	return ((const struct slow_row *)row)->kind == TSMBD_EVENT_SLOW;
}

#define NAMES(key_, table_, title_) {					\
	.key = key_, .table = table_, .title = title_,			\
	.many = title_ "s", .order = "total_us",			\
	.fields = { "name", "share", "requests", "errors", "bytes",	\
		"total_us", "max_us", "slots" } }

enum { CLIENTS, USERS, SHARES, FILES, WAITS, SLOW };
static const struct page_list lists[] = {
	[CLIENTS] = NAMES("clients", SMBD_CLIENTS, "Client"),
	[USERS] = NAMES("users", SMBD_USERS, "User"),
	[SHARES] = NAMES("shares", SMBD_SHARES, "Share"),
	[FILES] = NAMES("files", SMBD_FILES, "File"),
	[WAITS] = { .key = "waits", .table = SMBD_WAITS, .text = holder,
		.title = "Client", .caption = "Opens that waited until "
			"another client gave up an oplock or a lease",
		.fields = { "client", "holder", "share", "file", "count",
			"total_us", "max_us" }, .order = "total_us" },
	[SLOW] = { .key = "slow", .table = SMBD_SLOW, .title = "Client",
		.events = true, .takes = is_slow, .row = "opcode",
		.order = "total_us",
		.fields = { "client", "user", "share", "file", "opcode",
			"name", "end_ms", "total_us", "running_us", "vfs_us",
			"ctdb_us", "oplock_us", "lock_us", "send_us",
			"waited_us", "limit_us" } },
	{ .key = NULL },
};

#define ITEMS(...)	(const struct page_item[]){			\
	__VA_ARGS__, { .key = NULL } }
#define NAME(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_NAME }
#define IN_SHARE(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_NAME, .before = "share" }
#define WORD(key_, title_, cut_)	{				\
	.key = key_, .title = title_, .form = PAGE_WORD, .cut = cut_ }
#define NUMBER(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_NUMBER }
#define MS(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_MS }
#define CURVE(title_, color_, series_)	{				\
	.key = series_, .title = title_, .color = color_,		\
	.series = series_ }
#define PHASE(title_, color_, member_)	{				\
	.key = member_, .title = title_, .color = color_,		\
	.series = "phases_us", .member = member_ }
#define BAR(title_, color_, key_)	{				\
	.key = key_, .title = title_, .color = color_ }

static const struct page_item tiles[] = {
	{ .key = "requests", .title = "Requests", .column = "count" },
	{ .key = "errors", .title = "Errors", .column = "errors" },
	{ .key = "p99" },
	{ .key = "in", .title = "Received", .series = "bytes_in" },
	{ .key = "out", .title = "Sent", .series = "bytes_out" },
	{ .key = "connections", .title = "Connections",
	  .series = "connections", .more = "sessions",
	  .more_title = "sessions" },
	{ .key = "files", .title = "Open files", .series = "open_files",
	  .more = "under_way", .more_title = "requests under way" },
	{ .key = NULL },
};

static const struct page_item charts[] = {
	{ .key = "requests", .title = "Requests", .column = "count",
	  .unit = "per second, by command", .stacked = true },
	{ .key = "errors", .title = "Errors", .column = "errors",
	  .unit = "per second, by command", .stacked = true },
	{ .key = "bytes", .title = "Data", .unit = "bytes per second",
	  .curves = ITEMS(CURVE("received", "f1", "bytes_in"),
			  CURVE("sent", "f0", "bytes_out")) },
	{ .key = "phases", .title = "Busy processes", .stacked = true,
	  .unit = "seconds per second, without waiting for events",
	  .curves = ITEMS(PHASE("running requests", "f0", "run"),
			  PHASE("receiving", "f5", "receive"),
			  PHASE("parsing", "f6", "parse"),
			  PHASE("sending", "f2", "send"),
			  PHASE("waiting for ctdb", "f4", "ctdb"),
			  PHASE("other events", "f7", "other")) },
	{ .key = "connections", .title = "Connections", .unit = "and sessions",
	  .curves = ITEMS(CURVE("connections", "f0", "connections"),
			  CURVE("sessions", "f1", "sessions")) },
	{ .key = "files", .title = "Open files",
	  .unit = "and requests under way",
	  .curves = ITEMS(CURVE("open files", "f2", "open_files"),
			  CURVE("requests under way", "f4", "under_way")) },
	{ .key = NULL },
};

static const struct page_item bars[] = {
	{ .key = "running_us", .title = "Running", .color = "f0",
	  .minus = "vfs_us lock_us" },
	BAR("vfs", "f5", "vfs_us"), BAR("lock", "f3", "lock_us"),
	BAR("ctdb", "f4", "ctdb_us"), BAR("oplock", "f1", "oplock_us"),
	BAR("Limit", "f6", "limit_us"),
	{ .key = "waited_us", .title = "Waited", .color = "f7",
	  .minus = "limit_us" },
	BAR("Send", "f2", "send_us"),
	{ .key = NULL },
};

#define COMMAND	"SMB2_OP_"
#define STATUS	"STATUS_"

enum { ALL_NAMES = 1 << CLIENTS | 1 << USERS | 1 << SHARES | 1 << FILES };

static const struct page_section sections[] = {
	{ "now", "Now", PAGE_TILES, .items = tiles,
	  .bars = ITEMS(NUMBER("requests", "Requests"),
			NUMBER("bytes_in", "Bytes received"),
			NUMBER("bytes_out", "Bytes sent"),
			NUMBER("processes", "smbd with clients"),
			NUMBER("ctdb_requests", "ctdb requests")) },
	{ "charts", "Rates", PAGE_CHARTS, .items = charts },
	{ "heat", "Latency", PAGE_HEAT, .lists = ALL_NAMES,
	  .items = ITEMS(IN_SHARE("name", NULL),
			 NUMBER("inside", "In these latencies"),
			 NUMBER("requests", "All requests"),
			 MS("max_us", "Longest")) },
	{ "commands", "Commands", PAGE_TABLE, "Requests since the start",
	  .none = "No request yet.", .member = "operations", .order = "count",
	  .items = ITEMS({ .key = "name", .title = "Command", .cut = COMMAND },
			 NUMBER("count", "Count"), NUMBER("errors", "Errors"),
			 MS("p50_us", "p50"), MS("p95_us", "p95"),
			 MS("p99_us", "p99"), MS("max_us", "Max"),
			 MS("total_us", "Total"),
			 NUMBER("bytes_in", "Bytes in"),
			 NUMBER("bytes_out", "Bytes out")) },
	{ "slow", "Slow requests", PAGE_SLOW, .lists = 1 << SLOW, .rows = 50,
	  .since = "The slowest requests since the start", .bars = bars,
	  .none = "No request was slow.",
	  .items = ITEMS({ .key = "end_ms", .title = "Time",
			   .form = PAGE_CLOCK },
			 WORD("opcode", "Command", COMMAND),
			 MS("total_us", "Total"),
			 { .key = "bars", .title = "Phases",
			   .form = PAGE_BARS },
			 IN_SHARE("file", "File"), NAME("user", "User"),
			 NAME("client", "Client"),
			 WORD("name", "Status", STATUS)) },
	{ "waits", "Who waited for whom", PAGE_RANKED, .lists = 1 << WAITS,
	  .rows = 30, .since = "Longest waits since the start",
	  .none = "No client waited for another one.",
	  .items = ITEMS(NAME("client", "Client"),
			 { .key = "holder", .title = "waited for",
			   .none = "(nobody was asked)" },
			 IN_SHARE("file", "File"), NUMBER("count", "Waits"),
			 MS("total_us", "Time"), MS("max_us", "Longest")) },
	{ "tops", "Who caused the work", PAGE_RANKED, .lists = ALL_NAMES,
	  .rows = 12, .since = "Most time since the start",
	  .none = "No request yet.",
	  .items = ITEMS(IN_SHARE("name", NULL),
			 NUMBER("requests", "Requests"),
			 NUMBER("errors", "Errors"), NUMBER("bytes", "Bytes"),
			 MS("total_us", "Time"), MS("max_us", "Longest")) },
	{ "flame", "What the CPUs execute", PAGE_FLAME, "Command or phase",
	  .root = "SMB2 command or phase", .own = "Samba",
	  .none = "What the CPUs execute is shown with --flame=FILE, or with "
		"--html-flame while somebody looks at the page that --listen "
		"serves." },
	{ "errors", "Errors", PAGE_TABLE, "Answers that are not OK, since the "
	  "start. Benign ones are part of normal work.", .member = "errors",
	  .none = "No request failed.", .order = "count",
	  .items = ITEMS(WORD("command", "Command", COMMAND),
			 WORD("name", "Status", STATUS),
			 NUMBER("count", "Count"),
			 { .key = "benign", .title = "Kind",
			   .form = PAGE_FLAG, .yes = "benign",
			   .no = "failure" }) },
	{ "phases", "Time of the processes", PAGE_PARTS,
	  "Since the start, all processes together", "Time of the processes "
	  "since the start", .part = "Phase", .member = "phases_us",
	  .sum = "sum_us",
	  .items = ITEMS(NAME("wait", "waiting for events"),
			 NAME("receive", "receiving SMB2 packets"),
			 NAME("parse", "parsing SMB2 packets"),
			 NAME("run", "running SMB2 requests"),
			 NAME("send", "sending SMB2 packets"),
			 NAME("ctdb", "waiting for ctdb"),
			 NAME("other", "in other event handlers")) },
	{ .key = NULL },
};

static bool names(const void *options)
{
	return ((const struct options *)options)->metrics.privacy == 0;
}

const struct page_description smbd_page = {
	.server = "smbd",
	.total = "requests", .now = "now", .lost = "lost",
	.footer = "Names of files, users and shares are those that clients "
		"sent.",
	.series = series,
	.keyed = { .key = "commands", .cut = COMMAND, .colors = colors,
		.columns = { "count", "errors", "total_us" } },
	.lists = lists, .sections = sections,
	.filtered = options_filter, .slow_ms = options_slow_ms,
	.names = names,
};
