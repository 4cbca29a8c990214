/* SPDX-License-Identifier: BSD-2-Clause */
/* The heat map: requests by time and by latency, a field for each command. */
#ifndef TSMBD_LATENCIES_H
#define TSMBD_LATENCIES_H

#include <stdbool.h>

struct tsmbd;	/* the skeleton */

/* Begins a map; latencies_sample() will be called every sample_ns. */
void latencies_begin(unsigned long long now, unsigned long long sample_ns);

/* Adds the requests since the last call to the column of this time. */
void latencies_sample(struct tsmbd *skel, unsigned long long now);

/* Writes the picture to a file; on failure prints a message, returns false. */
bool latencies_write(const char *path);

#endif /* TSMBD_LATENCIES_H */
