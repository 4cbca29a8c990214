/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of tsmbd's reports, and the structs of their rows. tables.def
 * describes the numbers that are in them.
 */
#ifndef TSMBD_ROWS_H
#define TSMBD_ROWS_H

#include <stdio.h>

#include "report/report.h"
#include "raw.h"
#include "tally.h"

enum smbd_table {
	SMBD_SERVER,			/* struct server_row: always one */
	SMBD_OPERATIONS,		/* struct operation_row */
	SMBD_ERRORS,			/* struct error_count */
	SMBD_DISK,			/* struct disk_row: always two */
	SMBD_CALLS,			/* struct call_row */
	SMBD_SIZES,			/* struct size_row: two or none */
	SMBD_CLIENTS,			/* struct name_row; in the order of */
	SMBD_USERS,			/* enum tsmbd_kind */
	SMBD_SHARES,
	SMBD_FILES,
	SMBD_SHARE_COMMANDS,		/* struct name_row */
	SMBD_WAITS,			/* struct waited */
	SMBD_SLOW,			/* struct slow_row: events */
	SMBD_TABLES,
};

/* A bit for each table of names. */
enum { SMBD_NAMES = ((1 << TSMBD_KINDS) - 1) << SMBD_CLIENTS };

/* Groups of columns. */
enum { SERVER_PROCESSES, SERVER_PHASES, SERVER_SUM, SERVER_CALL_TIME,
	SERVER_TRAFFIC, SERVER_NOW, SERVER_LOST, SERVER_NODE, SERVER_GROUPS };
enum { OPERATION_REQUESTS, OPERATION_TIMES, OPERATION_LIMITS, OPERATION_KEPT,
	OPERATION_SIZES, OPERATION_GROUPS };
enum { NAME_REQUESTS, NAME_LIMITS, NAME_KEPT, NAME_GROUPS };
enum { SLOW_TIMES, SLOW_LIMITS, SLOW_GROUPS };

/* Kinds of private names. */
enum { SMBD_CLIENT_NAME = 'c', SMBD_USER_NAME = 'u', SMBD_SHARE_NAME = 's',
	SMBD_FILE_NAME = 'f' };

/* Cuts off the port of a client: "ipv4:192.0.2.7:50123". */
void client_host(char *name);

struct server_row {
	struct tally tally;
	unsigned long long requests;	/* sums over all commands */
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long lost[TSMBD_LOST_KINDS];
	unsigned long long vnn;		/* its node of a cluster + 1; or 0 */
};

struct operation_row {
	unsigned int opcode;
	struct tsmbd_op op;
	struct tsmbd_extreme extreme;
};

struct error_count {
	unsigned int opcode;
	unsigned int status;
	unsigned long long count;
};

struct disk_row {
	unsigned int direction;		/* 0 reads, 1 writes */
	struct tsmbd_io io;
};

struct call_row {
	unsigned int number;
	struct tsmbd_call call;
};

struct size_row {
	unsigned int direction;		/* 0 READ, 1 WRITE */
	struct tsmbd_size size;
};

/* Of a client, a user, a share or a file; or of a share and a command. */
struct name_row {
	char name[TSMBD_TEXT];
	char share[TSMBD_NAME];		/* of a file */
	unsigned int opcode;		/* of a share and a command */
	unsigned long long requests;
	unsigned long long errors;
	unsigned long long bytes;
	unsigned long long ns;
	unsigned long long max;
	unsigned long long limited;
	unsigned long long limit_ns;
	unsigned long long kept;
	unsigned long long refused;
	unsigned int slots[SLOTS_COARSE];
};

enum { TSMBD_NODE = 65 };		/* name of a host */

/* "ipv4:192.0.2.7:50123", "1:pid:4711" or "alpha:pid:4711" */
enum { WAITS_HOLDER = TSMBD_NODE + TSMBD_NAME };

/* All waits of a client for another one and a file. */
struct waited {
	char node[TSMBD_NODE];		/* where the client is; "": here */
	char client[TSMBD_NAME];
	char holder[TSMBD_NAME];	/* "" if nobody was asked */
	char share[TSMBD_NAME];
	char file[TSMBD_TEXT];
	unsigned long long inode;	/* 0 if nobody was asked */
	unsigned int holder_pid;	/* likewise */
	unsigned long long holder_vnn;	/* its node + 1; 0: this one */
	char holder_node[TSMBD_NODE];	/* the host of that, if known */
	unsigned long long count;
	unsigned long long ns;
	unsigned long long max;
};

/* Returns the holder with its node, if that is another one than this. */
static inline const char *waits_holder(const struct waited *w,
				       char text[WAITS_HOLDER])
{
	if (w->holder_node[0] != '\0')
		snprintf(text, WAITS_HOLDER, "%s:%s", w->holder_node,
			 w->holder);
	else if (w->holder_vnn != 0)
		snprintf(text, WAITS_HOLDER, "%llu:%s", w->holder_vnn - 1,
			 w->holder);
	else
		snprintf(text, WAITS_HOLDER, "%s", w->holder);
	return text;
}

/* A request of --slow or --errors. */
struct slow_row {
	unsigned long long end_ns;	/* of the clock of the reports */
	unsigned int kind;		/* TSMBD_EVENT_SLOW or _ERROR */
	unsigned int pid;
	unsigned int opcode;
	unsigned int status;
	char client[TSMBD_NAME];
	char user[TSMBD_NAME];
	char share[TSMBD_NAME];
	char file[TSMBD_TEXT];
	unsigned long long total_ns;
	unsigned long long run_ns;
	unsigned long long vfs_ns;
	unsigned long long ctdb_ns;
	unsigned long long oplock_ns;
	unsigned long long lock_ns;
	unsigned long long send_ns;
	unsigned long long waited_ns;
	unsigned long long limit_ns;
	unsigned long long offset;
	unsigned long long length;
	unsigned long long mid;
	unsigned long long session;
};

extern const struct report_tables smbd_tables;

/* What of them becomes metrics: metrics/families.h. */
extern const struct metrics_families smbd_metrics;

/* The row of a table of which there is one, or NULL. */
static inline struct server_row *server_row(const struct report *r)
{
	return r->rows[SMBD_SERVER].count > 0 ?
	       report_row(r, SMBD_SERVER, 0) : NULL;
}

/* Appends the one row of the server to a report that has none. */
struct server_row *server_row_new(struct report *report);

/* Converts an event of --slow or --errors, of the client of that name. */
void rows_slow(struct slow_row *row, const struct tsmbd_request_event *event,
	       const char *client);

#endif /* TSMBD_ROWS_H */
