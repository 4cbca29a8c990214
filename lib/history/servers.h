/* SPDX-License-Identifier: BSD-2-Clause */
/* What tsmbd merge has read of each server. */
#ifndef TSMBD_SERVERS_H
#define TSMBD_SERVERS_H

#include "tsmbd/report.h"

/* Where a report comes from, for messages: "a.json:3". */
enum { SERVERS_WHERE = 256 };

/*
 * Adds a report to the sum of its server, by the name in hosts, and notes the
 * time that it covers. end_ns is in nanoseconds since 1970.
 */
void servers_add(const struct smbd_report *r, const char *where);

/*
 * Says which reports of one server overlap, and so count twice. Then sets sum,
 * which began as zeros, to that of all servers. The waits of each server get
 * its name as their node. Returns the number of servers.
 */
int servers_join(struct smbd_report *sum);

#endif /* TSMBD_SERVERS_H */
