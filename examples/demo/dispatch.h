/* SPDX-License-Identifier: BSD-2-Clause */
/* dispatch.h - from a whole packet to a queued reply. */
#ifndef DEMO_DISPATCH_H
#define DEMO_DISPATCH_H

struct request;

/*
 * Runs req, whose pdu is whole, and hands it to connection_send() with its
 * reply; or frees it, when there is none. A packet that is no SMB2 request
 * ends the connection.
 */
void smb2_dispatch(struct request *req);

#endif /* DEMO_DISPATCH_H */
