/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.c - the commands of SMB2 as functions, for the client.
 *
 * Comments at the offsets name the fields of [MS-SMB2] 2.2.
 */
#include <err.h>
#include <errno.h>
#include <string.h>

#include "calls.h"
#include "exchange.h"
#include "proto.h"

/* Runs the request that was started; prints a message if it fails. */
static int run(struct exchange *x, size_t body_len)
{
	const char *name = smb2_command_name(x->hdr.opcode);
	int ret;

	ret = exchange_run(x, body_len);
	if (ret == -ECONNRESET) {
		warnx("%s: the server closed the connection", name);
	} else if (ret == -EPROTO) {
		warnx("%s: the answer is not an SMB2 response to it", name);
	} else if (ret != 0) {
		warnx("%s: %s", name, strerror(-ret));
	} else if (x->hdr.status != NT_STATUS_OK) {
		warnx("%s: the server answered NTSTATUS 0x%08x", name,
		      x->hdr.status);
		ret = -EIO;
	}
	return ret;
}

static int bad_answer(const struct exchange *x)
{
	warnx("%s: the answer is malformed",
	      smb2_command_name(x->hdr.opcode));
	return -EIO;
}

static int run_empty(struct exchange *x, uint16_t opcode)
{
	exchange_start(x, opcode, 4);
	return run(x, 4);
}

int call_negotiate(struct exchange *x)
{
	uint8_t *body = exchange_start(x, SMB2_OP_NEGOTIATE, 36);
	int ret;

	wire_put16(body + 2, 2);			/* DialectCount */
	wire_put16(body + 4, SMB2_SIGNING_ENABLED);	/* SecurityMode */
	memset(body + 12, 0x5d, 16);			/* ClientGuid */
	wire_put16(body + 36, SMB2_DIALECT_202);
	wire_put16(body + 38, SMB2_DIALECT_210);
	ret = run(x, 40);
	if (ret == 0 && wire_get16(x->body + 4) != SMB2_DIALECT_210)
		ret = bad_answer(x);
	return ret;
}

int call_session_setup(struct exchange *x)
{
	uint8_t *body = exchange_start(x, SMB2_OP_SESSION_SETUP, 25);
	int ret;

	body[3] = SMB2_SIGNING_ENABLED;			/* SecurityMode */
	wire_put16(body + 12, SMB2_HDR_LEN + 24);
	ret = run(x, 25);
	if (ret == 0)
		x->session_id = x->hdr.session_id;
	return ret;
}

int call_tree_connect(struct exchange *x, const char *path)
{
	uint8_t *body = exchange_start(x, SMB2_OP_TREE_CONNECT, 9);
	size_t len = wire_ascii_to_utf16(body + 8, path);
	int ret;

	wire_put16(body + 4, SMB2_HDR_LEN + 8);		/* PathOffset */
	wire_put16(body + 6, (uint16_t)len);		/* PathLength */
	ret = run(x, 8 + len);
	if (ret == 0)
		x->tree_id = x->hdr.tree_id;
	return ret;
}

int call_tree_disconnect(struct exchange *x)
{
	return run_empty(x, SMB2_OP_TREE_DISCONNECT);
}

int call_logoff(struct exchange *x)
{
	return run_empty(x, SMB2_OP_LOGOFF);
}

int call_echo(struct exchange *x)
{
	return run_empty(x, SMB2_OP_ECHO);
}

int call_create(struct exchange *x, const char *name, uint32_t access,
		uint32_t disposition, uint32_t options, struct file_id *id)
{
	uint8_t *body = exchange_start(x, SMB2_OP_CREATE, 57);
	size_t len = wire_ascii_to_utf16(body + 56, name);
	int ret;

	wire_put32(body + 4, 2);		/* Impersonation */
	wire_put32(body + 24, access);
	wire_put32(body + 32, 7);		/* ShareAccess: all */
	wire_put32(body + 36, disposition);
	wire_put32(body + 40, options);
	wire_put16(body + 44, SMB2_HDR_LEN + 56);	/* NameOffset */
	wire_put16(body + 46, (uint16_t)len);		/* NameLength */
	ret = run(x, 56 + len);
	if (ret == 0) {
		id->persistent = wire_get64(x->body + 64);
		id->slot = wire_get64(x->body + 72);
	}
	return ret;
}

static void put_file_id(uint8_t *p, const struct file_id *id)
{
	wire_put64(p, id->persistent);
	wire_put64(p + 8, id->slot);
}

int call_close(struct exchange *x, const struct file_id *id)
{
	uint8_t *body = exchange_start(x, SMB2_OP_CLOSE, 24);

	put_file_id(body + 8, id);
	return run(x, 24);
}

int call_query_size(struct exchange *x, const struct file_id *id,
		    uint64_t *size)
{
	uint8_t *body = exchange_start(x, SMB2_OP_QUERY_INFO, 41);
	int ret;

	body[2] = SMB2_INFO_FILE;
	body[3] = FILE_STANDARD_INFORMATION;
	wire_put32(body + 4, 24);			/* OutputBufferLength */
	put_file_id(body + 24, id);
	ret = run(x, 41);
	if (ret != 0)
		return ret;
	if (wire_get32(x->body + 4) != 24 || x->body_len < 8 + 24)
		return bad_answer(x);
	*size = wire_get64(x->body + 8 + 8);		/* EndOfFile */
	return 0;
}

int call_write(struct exchange *x, const struct file_id *id, uint64_t offset,
	       const uint8_t *data, size_t len)
{
	uint8_t *body = exchange_start(x, SMB2_OP_WRITE, 49);
	int ret;

	wire_put16(body + 2, SMB2_HDR_LEN + 48);	/* DataOffset */
	wire_put32(body + 4, (uint32_t)len);
	wire_put64(body + 8, offset);
	put_file_id(body + 16, id);
	memcpy(body + 48, data, len);
	ret = run(x, 48 + len);
	if (ret == 0 && wire_get32(x->body + 4) != len)
		ret = bad_answer(x);
	return ret;
}

int call_read(struct exchange *x, const struct file_id *id, uint64_t offset,
	      uint8_t *data, size_t len)
{
	uint8_t *body = exchange_start(x, SMB2_OP_READ, 49);
	int ret;

	wire_put32(body + 4, (uint32_t)len);
	wire_put64(body + 8, offset);
	put_file_id(body + 16, id);
	ret = run(x, 49);
	if (ret != 0)
		return ret;
	if (x->body[2] != SMB2_HDR_LEN + 16 ||		/* DataOffset */
	    wire_get32(x->body + 4) != len || x->body_len < 16 + len)
		return bad_answer(x);
	memcpy(data, x->body + 16, len);
	return 0;
}
