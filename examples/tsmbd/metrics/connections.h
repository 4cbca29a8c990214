/* SPDX-License-Identifier: BSD-2-Clause */
/* The connections that are open, and which of them has to give way. */
#ifndef TSMBD_METRICS_CONNECTIONS_H
#define TSMBD_METRICS_CONNECTIONS_H

enum {
	/* That may be open at a time, with those that are being ended. */
	CONNECTIONS_MAX = 48,
	CONNECTIONS_LIMIT_S = 10,
};

/*
 * Adds a connection, and ends one if there are too many now. origin is its
 * address as a number, or 0 if all come from the same place.
 */
void connections_add(int fd, unsigned long long origin);

/* It has sent its request, and does not give way any more. */
void connections_asked(int fd);

/* It is about to be closed. */
void connections_remove(int fd);

/* Ends those that have been open for longer than the limit. */
void connections_end_slow(void);

#endif /* TSMBD_METRICS_CONNECTIONS_H */
