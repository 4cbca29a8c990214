/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.h - one SMB2 request on its way through the server.
 *
 *	connection.c	bytes from the socket until pdu is whole
 *	dispatch.c	header, checks, the handler of the command
 *	session.c, handlers.c	the handlers; they write a reply body
 *	dispatch.c	reply header
 *	connection.c	bytes of reply to the socket, then the request is freed
 */
#ifndef DEMO_REQUEST_H
#define DEMO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

struct connection;
struct file_table;
struct open_file;

/* The state of a connection: dialect, session and tree. */
struct smb2_state {
	uint16_t dialect;		/* 0 before NEGOTIATE */
	uint16_t credits;		/* granted and not used yet */
	uint64_t session_id;		/* 0: no session */
	uint32_t tree_id;		/* 0: no tree */
	struct file_table *files;
};

struct request {
	struct connection *conn;
	struct smb2_state *smb2;	/* of conn */
	struct request *next;		/* in the send queue */

	uint8_t *pdu;			/* as received, without the length */
	size_t pdu_len;
	struct smb2_header hdr;		/* handlers change ids for the reply */
	const uint8_t *body;		/* behind the header, of size ... */
	size_t fixed_len;		/* ... at least this for the command */

	struct open_file *file;		/* the file it is about, or NULL */
	/* for probes; 0 and NULL while nobody traces them */
	uint64_t since;			/* when it was dispatched */
	uint64_t closed_id;		/* of the file that it has closed */
	const char *closed;

	bool delayed;			/* likewise: the socket was full */

	uint8_t *reply;			/* length, header and body */
	size_t reply_len;
	size_t sent;
};

/*
 * Returns a zeroed reply body of len bytes, with structure_size in its first
 * two bytes. Before it is space for what precedes a body. Returns NULL if memory
 * is short.
 */
uint8_t *request_reply(struct request *req, uint16_t structure_size,
		       size_t len);

/*
 * Returns the variable part of a request, which lies at offset from the header
 * and has len bytes, or NULL if it is not wholly behind the fixed part.
 */
const uint8_t *request_buffer(const struct request *req, size_t offset,
			      size_t len);

/* A handler returns an NTSTATUS; with NT_STATUS_OK there is a reply. */
typedef uint32_t (*request_handler)(struct request *req);

/* session.c */
uint32_t handle_negotiate(struct request *req);
uint32_t handle_session_setup(struct request *req);
uint32_t handle_logoff(struct request *req);
uint32_t handle_tree_connect(struct request *req);
uint32_t handle_tree_disconnect(struct request *req);
uint32_t handle_echo(struct request *req);
void session_end(struct smb2_state *smb2);

/* handlers.c */
uint32_t handle_create(struct request *req);
uint32_t handle_close(struct request *req);
uint32_t handle_read(struct request *req);
uint32_t handle_write(struct request *req);
uint32_t handle_query_info(struct request *req);

/* The only user and the only share, for the arguments of probes. */
#define DEMO_USER	"guest"
#define DEMO_SHARE	"demo"

#endif /* DEMO_REQUEST_H */
