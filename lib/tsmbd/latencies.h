/* SPDX-License-Identifier: BSD-2-Clause */
/* The heat map: requests by time and by latency, a field for each command. */
#ifndef TSMBD_LATENCIES_H
#define TSMBD_LATENCIES_H

#include <stdbool.h>

struct report;
struct tsmbd;	/* the skeleton */

/* Begins a map; latencies_sample() will be called every sample_ns. */
void latencies_begin(unsigned long long now, unsigned long long sample_ns);

/* Adds the requests since the last call to the column of this time. */
void latencies_sample(struct tsmbd *skel, unsigned long long now);

/*
 * The same for recorded reports, whose times are in nanoseconds since 1970. A
 * report was a time of up to sample_ns, or a whole number of these.
 */
void latencies_begin_recorded(unsigned long long begin_ns,
			      unsigned long long sample_ns);
void latencies_add_recorded(const struct report *report);

/* Writes the picture to a file; on failure prints a message, returns false. */
bool latencies_write(const char *path);

#endif /* TSMBD_LATENCIES_H */
