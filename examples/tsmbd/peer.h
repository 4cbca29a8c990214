/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a process talks to, as the kernel knows it. */
#ifndef TSMBD_PEER_H
#define TSMBD_PEER_H

#include <stddef.h>

/* "ipv4:192.0.2.7:50123" of its first TCP connection, or -errno. */
int peer_of_process(unsigned int pid, char *name, size_t size);

#endif /* TSMBD_PEER_H */
