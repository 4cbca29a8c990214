/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a process serves, as the kernel knows it. */
#ifndef TSMBD_PEER_H
#define TSMBD_PEER_H

#include <stddef.h>

/*
 * "ipv4:192.0.2.7:50123", the client of the first TCP connection that was
 * made to the process. Returns -ENOENT if it has none, or listens itself.
 * What is known of the sockets of a machine may be two seconds old.
 */
int peer_of_process(unsigned int pid, char *name, size_t size);

#endif /* TSMBD_PEER_H */
