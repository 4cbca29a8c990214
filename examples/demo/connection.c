/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * connection.c - receives packets from the socket of a client, sends replies.
 *
 * [MS-SMB2] 2.1, direct TCP: a zero byte, 24 bits of length (big endian),
 * then the packet. A packet is read as smbd does it, the four bytes first and
 * then the rest, so it takes at least two recv(). Each call of the handler
 * takes in one packet at most, then the loop looks at the socket again.
 *
 * Invariants
 * 1. Nothing blocks. What the socket does not take waits in the queue, and
 *    while MAX_QUEUE replies wait nothing more is read.
 * 2. When the connection has ended, only alive changes; the owner frees the
 *    connection, never a handler.
 * 3. A length is checked before memory is allocated for it.
 * 4. A client that resets the connection is noticed at once, also while
 *    nothing is read: see paused_new().
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <talloc.h>
#include <tevent.h>

#include "connection.h"
#include "dispatch.h"
#include "files.h"
#include "log.h"
#include "proto.h"
#include "request.h"
#include "smbnet_probes.h"
#include "tevent_probes.h"

enum { MAX_QUEUE = 16 };

struct connection {
	struct tevent_context *ev;
	struct tevent_fd *fde;
	struct tevent_fd *paused;	/* watches fd while nothing is read */
	int fd;
	char *remote;
	char *local;
	bool alive;
	const char *drop_reason;
	uint32_t end_status;

	uint8_t prefix[SMB2_PREFIX_LEN];
	struct request *in;		/* NULL while prefix is read */
	size_t have;			/* bytes of prefix, or of in */

	struct request *queue;		/* oldest first */
	struct request **queue_end;
	size_t queue_len;

	uint64_t num_requests;
	struct smb2_state smb2;
};

bool connection_alive(const struct connection *conn)
{
	return conn->alive;
}

const char *connection_drop_reason(const struct connection *conn)
{
	return conn->drop_reason;
}

const char *connection_remote(const struct connection *conn)
{
	return conn->remote;
}

uint64_t connection_num_requests(const struct connection *conn)
{
	return conn->num_requests;
}

void connection_drop(struct connection *conn, const char *reason,
		     const char *location)
{
	log_line("%s: dropped: %s", conn->remote, reason);
	conn->alive = false;
	conn->drop_reason = reason;
	conn->end_status = NT_STATUS_INVALID_PARAMETER;
	SMBNET_CONNECTION_TERMINATE(conn, conn->remote, reason, location);
}

/* The client has closed the connection: this is not an error. */
static void connection_gone(struct connection *conn, int error)
{
	conn->alive = false;
	conn->end_status = error == 0 ? NT_STATUS_CONNECTION_DISCONNECTED :
					NT_STATUS_CONNECTION_RESET;
}

/* ----------------------------------------------------------------- sending */

static void update_events(struct connection *conn)
{
	uint16_t events = 0;

	if (conn->queue_len < MAX_QUEUE)
		events |= TEVENT_FD_READ;
	if (conn->queue != NULL)
		events |= TEVENT_FD_WRITE;
	tevent_fd_set_flags(conn->fde, events);
	tevent_fd_set_flags(conn->paused,
			    events & TEVENT_FD_READ ? 0 : TEVENT_FD_READ);
}

/* Returns true when all of req was sent. */
static bool send_request(struct connection *conn, struct request *req)
{
	ssize_t ret;
	int error;

	SMBNET_SEND_START(conn, req, 1);
	ret = send(conn->fd, req->reply + req->sent,
		   req->reply_len - req->sent, MSG_NOSIGNAL);
	error = ret < 0 ? errno : 0;
	SMBNET_SEND_DONE(conn, req, (int)ret, error, conn->queue_len);
	if (ret >= 0)
		req->sent += (size_t)ret;
	else if (error != EAGAIN && error != EINTR)
		connection_gone(conn, error);
	return req->sent == req->reply_len;
}

static void flush_queue(struct connection *conn)
{
	struct request *req;

	while (conn->queue != NULL && send_request(conn, conn->queue)) {
		req = conn->queue;
		SMBNET_PDU_SENT(conn, req);
		if (req->delayed)
			SMBNET_PDU_DELAYED_SENT(conn, req);
		conn->queue = req->next;
		if (conn->queue == NULL)
			conn->queue_end = &conn->queue;
		conn->queue_len--;
		talloc_free(req);
	}
	update_events(conn);
}

void connection_send(struct connection *conn, struct request *req)
{
	*conn->queue_end = req;
	conn->queue_end = &req->next;
	conn->queue_len++;
	SMBNET_SEND_QUEUED(conn, req, conn->queue_len);
	flush_queue(conn);
	/* it is the last one, if there are any */
	if (SMBNET_PDU_DELAYED_ENABLED() && conn->queue != NULL) {
		req->delayed = true;
		SMBNET_PDU_DELAYED(conn, req);
	}
}

/* --------------------------------------------------------------- receiving */

/* Returns true when buf holds all of the wanted bytes. */
static bool receive(struct connection *conn, uint8_t *buf, size_t wanted)
{
	ssize_t ret;
	int error;

	SMBNET_RECV_START(conn, wanted - conn->have);
	ret = recv(conn->fd, buf + conn->have, wanted - conn->have, 0);
	error = ret < 0 ? errno : 0;
	SMBNET_RECV_DONE(conn, (int)ret, error);
	if (ret > 0)
		conn->have += (size_t)ret;
	else if (error != EAGAIN && error != EINTR)
		connection_gone(conn, error);
	return conn->have == wanted;
}

static struct request *request_new(struct connection *conn, size_t len)
{
	struct request *req = talloc_zero(conn, struct request);

	if (req == NULL)
		return NULL;
	req->pdu = talloc_array(req, uint8_t, (unsigned int)len);
	if (req->pdu == NULL) {
		talloc_free(req);
		return NULL;
	}
	req->conn = conn;
	req->smb2 = &conn->smb2;
	req->pdu_len = len;
	return req;
}

/* Makes the buffer large enough for the packet that the prefix announces. */
static void start_packet(struct connection *conn)
{
	int len = wire_get_prefix(conn->prefix);

	if (len < 0) {
		connection_drop(conn, "no SMB2 framing", __location__);
		return;
	}
	if (len < SMB2_HDR_LEN) {
		connection_drop(conn, "packet shorter than a header",
				__location__);
		return;
	}
	if (len > SMB2_MAX_PDU) {
		connection_drop(conn, "packet too long", __location__);
		return;
	}
	conn->in = request_new(conn, (size_t)len);
	conn->have = 0;
	if (conn->in == NULL)
		connection_drop(conn, "out of memory", __location__);
}

static void finish_packet(struct connection *conn)
{
	struct request *req = conn->in;

	conn->in = NULL;
	conn->have = 0;
	conn->num_requests++;
	SMBNET_PDU_RECEIVED(conn, req, req->pdu_len, 0);
	smb2_dispatch(req);
}

static void receive_packet(struct connection *conn)
{
	if (conn->in == NULL) {
		if (!receive(conn, conn->prefix, sizeof(conn->prefix)))
			return;
		start_packet(conn);
	}
	if (!conn->alive)
		return;
	if (receive(conn, conn->in->pdu, conn->in->pdu_len))
		finish_packet(conn);
}

/* ---------------------------------------------------------------- the loop */

static void connection_handler(struct tevent_context *ev,
			       struct tevent_fd *fde, uint16_t flags,
			       void *private_data)
{
	struct connection *conn = private_data;

	TEVENT_FD_BEGIN(ev, fde, conn->fd, flags, __func__, __location__);
	if (flags & TEVENT_FD_WRITE)
		flush_queue(conn);
	if (conn->alive && (flags & TEVENT_FD_READ))
		receive_packet(conn);
	TEVENT_FD_END(ev, fde);
}

static void paused_handler(struct tevent_context *ev, struct tevent_fd *fde,
			   uint16_t flags, void *private_data)
{
	struct connection *conn = private_data;

	TEVENT_FD_BEGIN(ev, fde, conn->fd, flags, __func__, __location__);
	connection_gone(conn, ECONNRESET);
	TEVENT_FD_END(ev, fde);
}

/*
 * tevent reports an error only to a handler that waits for reading. If it waits
 * for writing only and the socket has an error, tevent stops watching the
 * socket (tevent_epoll.c). An epoll set that holds the socket and asks for no
 * event becomes readable when the socket is in error or hung up, and only then.
 */
static struct tevent_fd *paused_new(struct connection *conn)
{
	struct epoll_event nothing = { .events = 0 };
	struct tevent_fd *fde;
	int fd;

	fd = epoll_create1(EPOLL_CLOEXEC);
	if (fd < 0)
		return NULL;
	fde = tevent_add_fd(conn->ev, conn, fd, 0, paused_handler, conn);
	if (fde == NULL ||
	    epoll_ctl(fd, EPOLL_CTL_ADD, conn->fd, &nothing) != 0) {
		talloc_free(fde);
		close(fd);
		return NULL;
	}
	tevent_fd_set_auto_close(fde);
	return fde;
}

struct connection *connection_new(TALLOC_CTX *mem_ctx,
				  struct tevent_context *ev, int fd, int root,
				  const char *remote, const char *local)
{
	struct connection *conn = talloc_zero(mem_ctx, struct connection);

	if (conn == NULL)
		return NULL;
	conn->ev = ev;
	conn->fd = fd;
	conn->alive = true;
	conn->queue_end = &conn->queue;
	conn->smb2.credits = 1;
	conn->smb2.files = file_table_new(conn, root);
	conn->remote = talloc_strdup(conn, remote);
	conn->local = talloc_strdup(conn, local);
	conn->fde = tevent_add_fd(ev, conn, fd, TEVENT_FD_READ,
				  connection_handler, conn);
	conn->paused = paused_new(conn);
	if (conn->smb2.files == NULL || conn->remote == NULL ||
	    conn->local == NULL || conn->fde == NULL || conn->paused == NULL) {
		talloc_free(conn);
		return NULL;
	}
	SMBNET_CONNECTION_START(conn, conn->remote, conn->local, fd, 0,
				"localhost");
	return conn;
}

void connection_free(struct connection *conn)
{
	SMBNET_CONNECTION_END(conn, conn->end_status, conn->fd);
	session_end(&conn->smb2);
	TALLOC_FREE(conn->paused);
	TALLOC_FREE(conn->fde);
	close(conn->fd);
	talloc_free(conn);
}
