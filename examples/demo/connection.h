/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * connection.h - receives packets from the socket of a client, sends replies.
 */
#ifndef DEMO_CONNECTION_H
#define DEMO_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <talloc.h>

struct connection;
struct request;
struct tevent_context;

/*
 * Takes over the nonblocking socket fd and serves it from ev's loop, with the
 * files below root. remote and local are copied. Returns NULL without memory.
 */
struct connection *connection_new(TALLOC_CTX *mem_ctx,
				  struct tevent_context *ev, int fd, int root,
				  const char *remote, const char *local);

/* Closes the socket and all files of the client. */
void connection_free(struct connection *conn);

/* Returns false once the client has left or was dropped. */
bool connection_alive(const struct connection *conn);
const char *connection_drop_reason(const struct connection *conn);
const char *connection_remote(const struct connection *conn);
uint64_t connection_num_requests(const struct connection *conn);

/* Ends the connection because of what the client sent; logs a line. */
void connection_drop(struct connection *conn, const char *reason,
		     const char *location);

/* Queues the reply of req, and frees req when it is sent. */
void connection_send(struct connection *conn, struct request *req);

#endif /* DEMO_CONNECTION_H */
