/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tracer tells the server, over a pair of sockets.
 *
 *	tracer: report, row, reload, flame graph ->	server
 *	server: struct sink_needs, then a byte for each report and reload,
 *		which is 1 while samples are wanted ->
 *
 * The two are one program that forked, so structures are sent as they are.
 */
#ifndef SERVICE_LINK_H
#define SERVICE_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "report/report.h"

/* How long the end waits for a server that does not go on. */
enum { LINK_LAST_MS = 10000 };

enum link_kind { LINK_REPORT, LINK_ROW, LINK_RELOAD, LINK_FLAME };

struct link_head {
	unsigned int kind;		/* enum link_kind */
	unsigned int size;		/* of what follows */
};

/* The tracer: a signal may end it while the server does not go on. */
void link_begin(bool (*is_ending)(void));

/* All return 0, or -errno: -EPIPE if the other side has ended. */
int link_send(int fd, enum link_kind kind, const void *data, size_t size);
int link_send_report(int fd, const struct report *report);
int link_receive(int fd, void *data, size_t size);

/* Sets a report to the payload of LINK_REPORT. */
int link_open_report(const char *data, size_t size, struct report *report);

#endif /* SERVICE_LINK_H */
