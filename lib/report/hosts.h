/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reports of several hosts: those of one host are added up as times, and the
 * sums of the hosts as places.
 *
 *	hosts_add(hosts, report, "a.json:3");	for each report
 *	hosts_join(hosts, sum);
 */
#ifndef REPORT_HOSTS_H
#define REPORT_HOSTS_H

#include "report.h"

/* Where a report comes from, for messages: "a.json:3". */
enum { HOSTS_WHERE = 256 };

struct hosts;

struct hosts *hosts_new(const struct report_tables *tables);

/*
 * Adds a report to the sum of its host, by the name in hosts, and notes the
 * time that it covers. end_ns is in nanoseconds since 1970.
 */
void hosts_add(struct hosts *hosts, const struct report *report,
	       const char *where);

/* How many hosts there are, and the sum of one of them. */
size_t hosts_count(const struct hosts *hosts);
struct report *hosts_sum(const struct hosts *hosts, size_t host);

/*
 * Says which reports of one host overlap, and so count twice. Then adds all
 * hosts to sum, and releases them.
 */
void hosts_join(struct hosts *hosts, struct report *sum);

#endif /* REPORT_HOSTS_H */
