/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports and requests as bytes: docs/history.md describes them. */
#ifndef TSMBD_CODEC_H
#define TSMBD_CODEC_H

#include "history/pack.h"
#include "tsmbd/report.h"

/* Types of records. */
enum { HISTORY_REPORT = 1, HISTORY_REQUEST = 2 };

/* When a record ends, by both clocks, and where it began. */
struct history_time {
	unsigned long long begin_ns;	/* as mono_ns */
	unsigned long long wall_ns;	/* since 1970 */
	unsigned long long mono_ns;	/* since this boot */
	unsigned long long elapsed_ns;	/* 0 for a request */
};

/* What is left out of a report, so that it stays small. */
struct code_limits {
	bool names;			/* the tables of names are written */
	int rows;			/* of each kind */
	int errors;
	int waits;
};

/*
 * Appends a report. Its tables of names are written in their order, so the
 * least important rows have to be the last ones.
 */
void code_report(struct pack *p, const struct history_time *time,
		 const struct smbd_report *r, const struct code_limits *limits);

/* Appends a line of --slow or --errors. client is the name of its client. */
void code_request(struct pack *p, const struct history_time *time,
		  const struct tsmbd_request_event *e, const char *client);

/* Reads the type and the time of a record; false if that is not possible. */
bool decode_time(const unsigned char *bytes, size_t length, unsigned int *type,
		 struct history_time *time);

/*
 * Reads a report: adds it to r, which began as zeros; smbd_report_clear() releases
 * it. names is a bit for each enum tsmbd_kind that it has a table of. Returns
 * false if the bytes are not a report; then r has a part of it.
 */
bool decode_report(const unsigned char *bytes, size_t length,
		   struct smbd_report *r, unsigned int *names);

/* Its event.remote is the name of the client; see decode_report(). */
bool decode_request(const unsigned char *bytes, size_t length,
		    struct tsmbd_request_event *e);

#endif /* TSMBD_CODEC_H */
