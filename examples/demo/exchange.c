/* SPDX-License-Identifier: BSD-2-Clause */
/* exchange.c - sends a request, receives its response, and counts both. */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exchange.h"

enum { TIMEOUT_SECONDS = 30, CREDITS_WANTED = 8 };

/* StructureSize of the responses that we understand, [MS-SMB2] 2.2. */
static const uint16_t response_sizes[SMB2_OP_COUNT] = {
	[SMB2_OP_NEGOTIATE] = 65,
	[SMB2_OP_SESSION_SETUP] = 9,
	[SMB2_OP_LOGOFF] = 4,
	[SMB2_OP_TREE_CONNECT] = 16,
	[SMB2_OP_TREE_DISCONNECT] = 4,
	[SMB2_OP_CREATE] = 89,
	[SMB2_OP_CLOSE] = 60,
	[SMB2_OP_READ] = 17,
	[SMB2_OP_WRITE] = 17,
	[SMB2_OP_ECHO] = 4,
	[SMB2_OP_QUERY_INFO] = 9,
};

static const uint16_t error_size = 9;

int exchange_connect(struct exchange *x, uint16_t port)
{
	const struct timeval timeout = { .tv_sec = TIMEOUT_SECONDS };
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int error;

	x->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (x->fd < 0)
		return -errno;
	if (connect(x->fd, (const struct sockaddr *)&address,
		    sizeof(address)) != 0 ||
	    setsockopt(x->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout,
		       sizeof(timeout)) != 0 ||
	    setsockopt(x->fd, SOL_SOCKET, SO_SNDTIMEO, &timeout,
		       sizeof(timeout)) != 0) {
		error = -errno;
		close(x->fd);
		return error;
	}
	return 0;
}

void exchange_close(struct exchange *x)
{
	close(x->fd);
}

uint8_t *exchange_start(struct exchange *x, uint16_t opcode,
			uint16_t structure_size)
{
	uint8_t *body = x->packet + SMB2_PREFIX_LEN + SMB2_HDR_LEN;

	x->hdr = (struct smb2_header) {
		.credit_charge = 1,
		.opcode = opcode,
		.credits = CREDITS_WANTED,
		.mid = x->next_mid++,
		.tree_id = x->tree_id,
		.session_id = x->session_id,
	};
	memset(body, 0, 64);
	wire_put16(body, structure_size);
	return body;
}

/* A wait with a timeout is interrupted when this process is stopped. */
static int send_packet(struct exchange *x, size_t len)
{
	const uint8_t *p = x->packet;
	ssize_t ret;

	while (len > 0) {
		ret = send(x->fd, p, len, MSG_NOSIGNAL);
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		p += ret;
		len -= (size_t)ret;
	}
	return 0;
}

static int receive(struct exchange *x, uint8_t *p, size_t len)
{
	ssize_t ret;

	while (len > 0) {
		ret = recv(x->fd, p, len, 0);
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		if (ret == 0)
			return -ECONNRESET;
		p += ret;
		len -= (size_t)ret;
	}
	return 0;
}

/* Returns the length of the packet behind its prefix, or -errno. */
static int receive_packet(struct exchange *x)
{
	int ret;
	int len;

	ret = receive(x, x->packet, SMB2_PREFIX_LEN);
	if (ret != 0)
		return ret;
	len = wire_get_prefix(x->packet);
	if (len < 0 || len > SMB2_MAX_PDU)
		return -EPROTO;
	ret = receive(x, x->packet + SMB2_PREFIX_LEN, (size_t)len);
	return ret != 0 ? ret : len;
}

/* Returns whether the packet is the response to the request that was sent. */
static int check_response(struct exchange *x, size_t len)
{
	const struct smb2_header sent = x->hdr;
	uint16_t size;

	if (smb2_header_unpack(x->packet + SMB2_PREFIX_LEN, len,
			       &x->hdr) != 0 ||
	    !(x->hdr.flags & SMB2_HDR_FLAG_REDIRECT) ||
	    x->hdr.opcode != sent.opcode || x->hdr.mid != sent.mid)
		return -EPROTO;
	size = x->hdr.status == NT_STATUS_OK ? response_sizes[sent.opcode] :
					       error_size;
	x->body = x->packet + SMB2_PREFIX_LEN + SMB2_HDR_LEN;
	x->body_len = len - SMB2_HDR_LEN;
	if (x->body_len < (size & ~1u) || wire_get16(x->body) != size)
		return -EPROTO;
	return 0;
}

int exchange_run(struct exchange *x, size_t body_len)
{
	size_t len = SMB2_HDR_LEN + body_len;
	uint16_t op = x->hdr.opcode;
	int ret;

	wire_put_prefix(x->packet, len);
	smb2_header_pack(x->packet + SMB2_PREFIX_LEN, &x->hdr);
	ret = send_packet(x, SMB2_PREFIX_LEN + len);
	if (ret != 0)
		return ret;
	x->counts.commands[op].sent++;
	x->counts.commands[op].bytes_out += len;
	ret = receive_packet(x);
	if (ret < 0)
		return ret;
	len = (size_t)ret;
	ret = check_response(x, len);
	if (ret != 0)
		return ret;
	x->counts.commands[op].answered++;
	x->counts.commands[op].bytes_in += len;
	if (x->hdr.status != NT_STATUS_OK)
		x->counts.commands[op].errors++;
	return 0;
}
