/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts times of the kernel's clock to local time. */
#ifndef BASE_WHEN_H
#define BASE_WHEN_H

enum { WHEN_SIZE = 40 };

/* From now on times are in nanoseconds since 1970, as a history has them. */
void when_recorded(void);

/* "14:03:21.482103" */
const char *when_exact(unsigned long long ns, char text[WHEN_SIZE]);

/* "14:03:21.482" */
const char *when_line(unsigned long long ns, char text[WHEN_SIZE]);

/* "2026-11-21T14:03:21.482+01:00" */
const char *when_json(unsigned long long ns, char text[WHEN_SIZE]);

/* "2026-11-21 14:03:21" */
const char *when_report(unsigned long long ns, char text[WHEN_SIZE]);

/*
 * What is added to a time to make it nanoseconds since 1970: a sum modulo 2^64.
 * It is 0 after when_recorded().
 */
unsigned long long when_offset(void);

/* Milliseconds since 1970, in UTC. */
long long when_epoch_ms(unsigned long long ns);

#endif /* BASE_WHEN_H */
