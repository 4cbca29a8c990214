/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.c - NEGOTIATE to LOGOFF: dialect, session, tree; and ECHO.
 *
 * Everybody is the guest: the security buffer of SESSION_SETUP is not looked
 * at, and nothing is signed. A connection has one session and one tree.
 * Comments at the offsets name the fields of [MS-SMB2] 2.2.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "files.h"
#include "proto.h"
#include "request.h"
#include "smb2_probes.h"

static const uint32_t demo_tree_id = 1;

/* Returns the highest dialect that both sides know; 0 if there is none. */
static uint16_t choose_dialect(const uint8_t *p, size_t count)
{
	uint16_t best = 0;
	uint16_t dialect;

	for (; count > 0; count--, p += 2) {
		dialect = wire_get16(p);
		if ((dialect == SMB2_DIALECT_202 ||
		     dialect == SMB2_DIALECT_210) && dialect > best)
			best = dialect;
	}
	return best;
}

uint32_t handle_negotiate(struct request *req)
{
	size_t count = wire_get16(req->body + 2);	/* DialectCount */
	const uint8_t *dialects;
	struct timespec now;
	uint8_t *body;

	if (count == 0)
		return NT_STATUS_INVALID_PARAMETER;
	dialects = request_buffer(req, SMB2_HDR_LEN + req->fixed_len,
				  2 * count);
	if (dialects == NULL)
		return NT_STATUS_INVALID_PARAMETER;
	req->smb2->dialect = choose_dialect(dialects, count);
	if (req->smb2->dialect == 0)
		return NT_STATUS_NOT_SUPPORTED;
	body = request_reply(req, 65, 64);
	if (body == NULL || getrandom(body + 8, 16, 0) != 16)
		return NT_STATUS_NO_MEMORY;
	clock_gettime(CLOCK_REALTIME, &now);
	wire_put16(body + 2, SMB2_SIGNING_ENABLED);	/* SecurityMode */
	wire_put16(body + 4, req->smb2->dialect);	/* DialectRevision */
	wire_put32(body + 28, SMB2_MAX_IO);		/* MaxTransactSize */
	wire_put32(body + 32, SMB2_MAX_IO);		/* MaxReadSize */
	wire_put32(body + 36, SMB2_MAX_IO);		/* MaxWriteSize */
	wire_put64(body + 40, wire_filetime(&now));		/* SystemTime */
	wire_put16(body + 56, SMB2_HDR_LEN + 64); /* SecurityBufferOffset */
	return NT_STATUS_OK;
}

static uint64_t new_session_id(void)
{
	static uint32_t last;

	return (uint64_t)getpid() << 16 | (++last & 0xffff);
}

uint32_t handle_session_setup(struct request *req)
{
	struct smb2_state *smb2 = req->smb2;
	uint16_t offset = wire_get16(req->body + 12);
	uint16_t len = wire_get16(req->body + 14);
	uint8_t *body;

	if (request_buffer(req, offset, len) == NULL)
		return NT_STATUS_INVALID_PARAMETER;
	if (smb2->session_id != 0)
		return NT_STATUS_REQUEST_NOT_ACCEPTED;
	if (req->hdr.session_id != 0)
		return NT_STATUS_USER_SESSION_DELETED;
	body = request_reply(req, 9, 8);
	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	wire_put16(body + 2, SMB2_SESSION_IS_GUEST);	/* SessionFlags */
	wire_put16(body + 4, SMB2_HDR_LEN + 8);	/* SecurityBufferOffset */
	smb2->session_id = new_session_id();
	req->hdr.session_id = smb2->session_id;
	SMB2_SESSION_START(smb2->session_id, DEMO_USER, "",
			   connection_remote(req->conn), smb2->dialect, 0, 0,
			   1);
	return NT_STATUS_OK;
}

static void tree_end(struct smb2_state *smb2)
{
	if (smb2->tree_id == 0)
		return;
	file_close_all(smb2->files);
	SMB2_TREE_END(smb2->tree_id, DEMO_SHARE, smb2->session_id);
	smb2->tree_id = 0;
}

void session_end(struct smb2_state *smb2)
{
	if (smb2->session_id == 0)
		return;
	tree_end(smb2);
	SMB2_SESSION_END(smb2->session_id);
	smb2->session_id = 0;
}

/* Queues a reply without data. */
static uint32_t reply_empty(struct request *req)
{
	return request_reply(req, 4, 4) != NULL ? NT_STATUS_OK :
						  NT_STATUS_NO_MEMORY;
}

uint32_t handle_logoff(struct request *req)
{
	session_end(req->smb2);
	return reply_empty(req);
}

uint32_t handle_echo(struct request *req)
{
	return reply_empty(req);
}

/* Returns whether "\\server\share" names the share of this server. */
static bool is_our_share(const uint8_t *path, size_t len)
{
	char text[512];
	const char *share;

	if (wire_utf16_to_utf8(path, len, text, sizeof(text)) < 0)
		return false;
	share = strrchr(text, '\\');
	return share != NULL && strcasecmp(share + 1, DEMO_SHARE) == 0;
}

uint32_t handle_tree_connect(struct request *req)
{
	uint16_t offset = wire_get16(req->body + 4);	/* PathOffset */
	uint16_t len = wire_get16(req->body + 6);	/* PathLength */
	const uint8_t *path = request_buffer(req, offset, len);
	struct smb2_state *smb2 = req->smb2;
	uint8_t *body;

	if (path == NULL)
		return NT_STATUS_INVALID_PARAMETER;
	if (!is_our_share(path, len))
		return NT_STATUS_BAD_NETWORK_NAME;
	if (smb2->tree_id != 0)
		return NT_STATUS_REQUEST_NOT_ACCEPTED;
	body = request_reply(req, 16, 16);
	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	body[2] = SMB2_SHARE_TYPE_DISK;
	wire_put32(body + 12, SEC_FILE_ALL);		/* MaximalAccess */
	smb2->tree_id = demo_tree_id;
	req->hdr.tree_id = demo_tree_id;
	SMB2_TREE_START(smb2->tree_id, smb2->session_id, DEMO_SHARE,
			connection_remote(req->conn), 0);
	return NT_STATUS_OK;
}

uint32_t handle_tree_disconnect(struct request *req)
{
	tree_end(req->smb2);
	return reply_empty(req);
}
