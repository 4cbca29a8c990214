/* SPDX-License-Identifier: BSD-2-Clause */
/* The client of a process, found through its sockets. */
#ifndef TSMBD_PEER_H
#define TSMBD_PEER_H

#include <stddef.h>

/*
 * Sets name to the client of the first TCP connection that the process has
 * accepted: "ipv4:192.0.2.7:50123". Returns -ENOENT if it has none, or if it
 * listens itself. The list of sockets is cached for two seconds.
 */
int peer_of_process(unsigned int pid, char *name, size_t size);

/* Drops that list: a connection may be newer. */
void peer_forget(void);

#endif /* TSMBD_PEER_H */
