/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exchange.h - sends a request, receives its response, and counts both.
 */
#ifndef DEMO_EXCHANGE_H
#define DEMO_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "counts.h"
#include "wire.h"

struct exchange {
	int fd;
	struct smb2_header hdr;		/* of the request, then the response */
	uint64_t next_mid;
	uint64_t session_id;
	uint32_t tree_id;

	const uint8_t *body;		/* of the response */
	size_t body_len;
	struct counts counts;
	uint8_t packet[SMB2_PREFIX_LEN + SMB2_MAX_PDU];
};

/* Connects to the loopback address. Returns 0 or -errno. */
int exchange_connect(struct exchange *x, uint16_t port);
void exchange_close(struct exchange *x);

/*
 * Starts a request: returns its zeroed body, with structure_size in it. The
 * body may be as long as SMB2_MAX_IO and a name.
 */
uint8_t *exchange_start(struct exchange *x, uint16_t opcode,
			uint16_t structure_size);

/*
 * Sends the request with body_len bytes of body and waits for the response:
 * then hdr and body are those of the response. Returns 0, -EPROTO if the
 * response does not belong to the request or is too short for its command, or
 * another -errno.
 */
int exchange_run(struct exchange *x, size_t body_len);

#endif /* DEMO_EXCHANGE_H */
