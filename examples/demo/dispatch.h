/* SPDX-License-Identifier: BSD-2-Clause */
/* dispatch.h - checks a packet, runs its command and queues the reply. */
#ifndef DEMO_DISPATCH_H
#define DEMO_DISPATCH_H

struct request;

/*
 * Runs req, whose pdu is complete, and passes it to connection_send() with its
 * reply, or frees it if there is none. A packet that is not an SMB2 request
 * ends the connection.
 */
void smb2_dispatch(struct request *req);

#endif /* DEMO_DISPATCH_H */
