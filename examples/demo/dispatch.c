/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dispatch.c - checks a packet, runs its command and queues the reply.
 *
 * The probes in the order in which a request passes them:
 *
 *	smbnet pdu_parsed	the header makes sense
 *	smb2 request_start	always
 *	smb2 request_exec	session, tree, size and file are right
 *	smb2 create_start ...	what the handler adds
 *	smb2 request_end	the result is known
 *	smb2 request_summary, request_details	likewise, with its time
 *	smb2 request_notes			notes of it are to be read
 *	smb2 credit_grant	the reply has its header
 *
 * There is a request_end for each request_start, but not for CANCEL, which
 * has no reply, and not when the connection ends meanwhile.
 *
 * A compound (NextCommand not 0) is answered by one STATUS_NOT_SUPPORTED.
 */
#include <time.h>

#include <talloc.h>

#include "connection.h"
#include "dispatch.h"
#include "files.h"
#include "proto.h"
#include "request.h"
#include "request_notes.h"
#include "smb2_probes.h"
#include "smbnet_probes.h"

enum { MAX_CREDITS = 128 };

enum {
	NEEDS_SESSION = 1,
	NEEDS_TREE = 2 | NEEDS_SESSION
};

/*
 * One row per command, [MS-SMB2] 2.2. size is the StructureSize of the
 * request; an odd one counts the first byte of a variable part that may be
 * absent, so size & ~1 bytes must be there. file_id is the offset of a FileId
 * in the body, 0 if there is none. No handler: STATUS_NOT_SUPPORTED.
 */
struct command {
	uint16_t size;
	uint8_t needs;
	uint8_t file_id;
	request_handler handler;
};

static const struct command commands[SMB2_OP_COUNT] = {
	[SMB2_OP_NEGOTIATE] = { 36, 0, 0, handle_negotiate },
	[SMB2_OP_SESSION_SETUP] = { 25, 0, 0, handle_session_setup },
	[SMB2_OP_LOGOFF] = { 4, NEEDS_SESSION, 0, handle_logoff },
	[SMB2_OP_TREE_CONNECT] = { 9, NEEDS_SESSION, 0, handle_tree_connect },
	[SMB2_OP_TREE_DISCONNECT] = { 4, NEEDS_TREE, 0,
				      handle_tree_disconnect },
	[SMB2_OP_CREATE] = { 57, NEEDS_TREE, 0, handle_create },
	[SMB2_OP_CLOSE] = { 24, NEEDS_TREE, 8, handle_close },
	[SMB2_OP_READ] = { 49, NEEDS_TREE, 16, handle_read },
	[SMB2_OP_WRITE] = { 49, NEEDS_TREE, 16, handle_write },
	[SMB2_OP_ECHO] = { 4, 0, 0, handle_echo },
	[SMB2_OP_QUERY_INFO] = { 41, NEEDS_TREE, 24, handle_query_info },
};

uint8_t *request_reply(struct request *req, uint16_t structure_size,
		       size_t len)
{
	uint8_t *body;

	TALLOC_FREE(req->reply);
	req->reply_len = SMB2_PREFIX_LEN + SMB2_HDR_LEN + len;
	req->reply = talloc_zero_array(req, uint8_t,
				       (unsigned int)req->reply_len);
	if (req->reply == NULL)
		return NULL;
	body = req->reply + SMB2_PREFIX_LEN + SMB2_HDR_LEN;
	wire_put16(body, structure_size);
	return body;
}

const uint8_t *request_buffer(const struct request *req, size_t offset,
			      size_t len)
{
	if (len == 0)
		return req->body + req->fixed_len;
	if (offset < SMB2_HDR_LEN + req->fixed_len ||
	    offset > req->pdu_len || len > req->pdu_len - offset)
		return NULL;
	return req->pdu + offset;
}

static const char *share_name(const struct request *req)
{
	return req->smb2->tree_id != 0 ? DEMO_SHARE : "";
}

static const char *user_name(const struct request *req)
{
	return req->smb2->session_id != 0 ? DEMO_USER : "";
}

static const char *file_name(const struct request *req)
{
	return req->file != NULL ? req->file->name : "";
}

static const char *last_file_name(const struct request *req)
{
	return req->closed != NULL ? req->closed : file_name(req);
}

static uint64_t last_file_id(const struct request *req)
{
	return req->file != NULL ? req->file->id : req->closed_id;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Nanoseconds since the request was dispatched; 0 if nobody traced then. */
static uint64_t elapsed(const struct request *req)
{
	return req->since != 0 ? now() - req->since : 0;
}

/* For probes: the request that runs, and what has been noted of others. */
static struct probes_running running;

static bool is_traced(void)
{
	return SMB2_REQUEST_SUMMARY_ENABLED() ||
		SMB2_REQUEST_DETAILS_ENABLED() || SMB2_REQUEST_NOTES_ENABLED();
}

static void note(struct request *req)
{
	req->since = now();
	running.header = req->pdu;
	running.since = req->since;
}

/* The size of the request, which is told with the time only. */
static uint64_t traced_bytes(const struct request *req)
{
	return req->since != 0 ? req->pdu_len : 0;
}

/* Returns NULL if it is shorter than its StructureSize, [MS-SMB2] 2.2. */
static const uint8_t *whole_body(const struct request *req)
{
	size_t len = req->pdu_len - SMB2_HDR_LEN;

	return len >= 2 && len >= (wire_get16(req->body) & ~1u) ?
		req->body : NULL;
}

/* Returns why this request cannot be answered, or NULL. */
static const char *parse(struct request *req)
{
	bool negotiated = req->smb2->dialect != 0;

	if (smb2_header_unpack(req->pdu, req->pdu_len, &req->hdr) != 0)
		return "no SMB2 header";
	if (req->hdr.flags & SMB2_HDR_FLAG_REDIRECT)
		return "a response where a request is due";
	if ((req->hdr.opcode == SMB2_OP_NEGOTIATE) == negotiated)
		return negotiated ? "a second NEGOTIATE" : "no NEGOTIATE";
	req->body = req->pdu + SMB2_HDR_LEN;
	return NULL;
}

/* The checks that are the same for all commands, [MS-SMB2] 3.3.5.2. */
static uint32_t check(struct request *req, const struct command *command)
{
	const struct smb2_state *smb2 = req->smb2;
	size_t body_len = req->pdu_len - SMB2_HDR_LEN;

	if (req->hdr.next_command != 0 || command->handler == NULL)
		return NT_STATUS_NOT_SUPPORTED;
	if ((command->needs & NEEDS_SESSION) &&
	    (smb2->session_id == 0 ||
	     req->hdr.session_id != smb2->session_id))
		return NT_STATUS_USER_SESSION_DELETED;
	if (command->needs == NEEDS_TREE &&
	    (smb2->tree_id == 0 || req->hdr.tree_id != smb2->tree_id))
		return NT_STATUS_NETWORK_NAME_DELETED;
	req->fixed_len = command->size & ~1u;
	if (body_len < req->fixed_len ||
	    wire_get16(req->body) != command->size)
		return NT_STATUS_INVALID_PARAMETER;
	return NT_STATUS_OK;
}

static uint32_t find_file(struct request *req, const struct command *command)
{
	const uint8_t *id = req->body + command->file_id;

	if (command->file_id == 0)
		return NT_STATUS_OK;
	req->file = file_find(req->smb2->files, wire_get64(id),
			      wire_get64(id + 8));
	return req->file != NULL ? NT_STATUS_OK : NT_STATUS_FILE_CLOSED;
}

static uint32_t run(struct request *req)
{
	const struct command *command;
	uint32_t status;

	if (req->hdr.opcode >= SMB2_OP_COUNT)
		return NT_STATUS_INVALID_PARAMETER;
	command = &commands[req->hdr.opcode];
	status = check(req, command);
	if (status != NT_STATUS_OK)
		return status;
	status = find_file(req, command);
	if (status != NT_STATUS_OK)
		return status;
	SMB2_REQUEST_EXEC(req->hdr.mid, req->hdr.opcode, req,
			  share_name(req), file_name(req), user_name(req),
			  req->pdu_len,
			  req->file != NULL ? req->file->id : 0,
			  req->hdr.session_id, 0);
	return command->handler(req);
}

/* Every reply gives back at least the credit that its request used. */
static uint16_t grant_credits(const struct request *req)
{
	struct smb2_state *smb2 = req->smb2;
	uint16_t most;
	uint16_t granted;

	smb2->credits--;
	most = (uint16_t)(MAX_CREDITS - smb2->credits);
	granted = req->hdr.credits < most ? req->hdr.credits : most;
	if (granted == 0)
		granted = 1;
	smb2->credits = (uint16_t)(smb2->credits + granted);
	SMB2_CREDIT_GRANT(req->hdr.mid, req->hdr.opcode, req->conn,
			  req->hdr.credits, granted, smb2->credits, 1,
			  smb2->credits, MAX_CREDITS);
	return granted;
}

static void write_header(struct request *req, uint32_t status)
{
	struct smb2_header hdr = req->hdr;

	hdr.status = status;
	hdr.credits = grant_credits(req);
	hdr.flags = SMB2_HDR_FLAG_REDIRECT;
	hdr.next_command = 0;
	wire_put_prefix(req->reply, req->reply_len - SMB2_PREFIX_LEN);
	smb2_header_pack(req->reply + SMB2_PREFIX_LEN, &hdr);
}

static uint64_t number_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

/* What request_details tells, for those who read it when the reply is sent. */
static void note_end(const struct request *req, uint32_t status, uint64_t ns,
		     uint32_t length)
{
	uint64_t time = req->since != 0 ? req->since + ns : now();
	const uint64_t argument[PROBES_ARGUMENTS] = {
		req->hdr.opcode, status, number_of(req), ns, traced_bytes(req),
		length, number_of(share_name(req)),
		number_of(last_file_name(req)), number_of(user_name(req)),
		number_of(req->pdu), last_file_id(req), number_of(&running),
	};

	if (probes_note(&running, PROBES_ENDED, time, argument))
		SMB2_REQUEST_NOTES(&running);
}

/* What tells of the whole request; it took as long in all of them. */
static void summarise(struct request *req, uint32_t status)
{
	uint32_t length = req->reply_len - SMB2_PREFIX_LEN;
	uint64_t ns;

	if (!is_traced())
		return;
	ns = elapsed(req);
	SMB2_REQUEST_SUMMARY(req->hdr.opcode, status, req, ns,
			     traced_bytes(req), length);
	SMB2_REQUEST_DETAILS(req->hdr.opcode, status, req, ns,
			     traced_bytes(req), length, share_name(req),
			     last_file_name(req), user_name(req), req->pdu,
			     last_file_id(req), &running);
	if (SMB2_REQUEST_NOTES_ENABLED())
		note_end(req, status, ns, length);
	running.header = NULL;
}

static void reply(struct request *req, uint32_t status)
{
	/* [MS-SMB2] 2.2.2: eight bytes, and one of no error data */
	if (status != NT_STATUS_OK && request_reply(req, 9, 9) == NULL) {
		connection_drop(req->conn, "out of memory", __location__);
		talloc_free(req);
		return;
	}
	SMB2_REQUEST_END(req->hdr.mid, req->hdr.opcode, status, req,
			 req->reply_len - SMB2_PREFIX_LEN,
			 SMB2_HDR_FLAG_REDIRECT, req->conn,
			 share_name(req), file_name(req), __location__,
			 user_name(req), whole_body(req));
	summarise(req, status);
	write_header(req, status);
	connection_send(req->conn, req);
}

void smb2_dispatch(struct request *req)
{
	const char *fault = parse(req);

	if (fault != NULL) {
		connection_drop(req->conn, fault, __location__);
		talloc_free(req);
		return;
	}
	SMBNET_PDU_PARSED(req->conn, req, 1);
	SMB2_REQUEST_START(req->hdr.mid, req->hdr.opcode, req, req->conn,
			   req->hdr.session_id, req->hdr.tree_id,
			   req->hdr.flags, req->hdr.credit_charge, 0, 1,
			   req->pdu_len);
	if (is_traced())
		note(req);
	if (req->hdr.opcode == SMB2_OP_CANCEL) {
		/*
		 * no request is ever pending here, so there is none to cancel
		 */
		SMB2_REQUEST_CANCEL(req->hdr.mid, 0, req, NULL, elapsed(req),
				    traced_bytes(req), req->hdr.opcode);
		talloc_free(req);
		return;
	}
	reply(req, run(req));
}
