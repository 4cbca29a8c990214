/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.c - converts values to bytes and back, for server and client.
 *
 * An ECHO request as it travels, the length in front and then the header:
 *
 *	00 00 00 44				68 bytes follow
 *	fe 53 4d 42 40 00 01 00			"\xfeSMB", size 64, charge 1
 *	00 00 00 00 0d 00 01 00			status, command 13, credits 1
 *	00 00 00 00 00 00 00 00			flags, next command
 *	07 00 00 00 00 00 00 00			message id 7
 *	00 00 00 00 01 00 00 00			reserved, tree id 1
 *	01 00 3a 11 00 00 00 00			session id
 *	00 00 00 00 00 00 00 00 (twice)		signature
 *	04 00 00 00				body: size 4, reserved
 */
#include <errno.h>
#include <string.h>

#include "proto.h"
#include "wire.h"

/* Offsets in the header, [MS-SMB2] 2.2.1.2. */
enum {
	HDR_PROTOCOL_ID = 0,
	HDR_STRUCTURE_SIZE = 4,
	HDR_CREDIT_CHARGE = 6,
	HDR_STATUS = 8,
	HDR_COMMAND = 12,
	HDR_CREDITS = 14,
	HDR_FLAGS = 16,
	HDR_NEXT_COMMAND = 20,
	HDR_MESSAGE_ID = 24,
	HDR_TREE_ID = 36,
	HDR_SESSION_ID = 40
};

static const uint8_t protocol_id[4] = { 0xfe, 'S', 'M', 'B' };

static const char *const command_names[SMB2_OP_COUNT] = {
	[SMB2_OP_NEGOTIATE] = "NEGOTIATE",
	[SMB2_OP_SESSION_SETUP] = "SESSION_SETUP",
	[SMB2_OP_LOGOFF] = "LOGOFF",
	[SMB2_OP_TREE_CONNECT] = "TREE_CONNECT",
	[SMB2_OP_TREE_DISCONNECT] = "TREE_DISCONNECT",
	[SMB2_OP_CREATE] = "CREATE",
	[SMB2_OP_CLOSE] = "CLOSE",
	[SMB2_OP_FLUSH] = "FLUSH",
	[SMB2_OP_READ] = "READ",
	[SMB2_OP_WRITE] = "WRITE",
	[SMB2_OP_LOCK] = "LOCK",
	[SMB2_OP_IOCTL] = "IOCTL",
	[SMB2_OP_CANCEL] = "CANCEL",
	[SMB2_OP_ECHO] = "ECHO",
	[SMB2_OP_QUERY_DIRECTORY] = "QUERY_DIRECTORY",
	[SMB2_OP_CHANGE_NOTIFY] = "CHANGE_NOTIFY",
	[SMB2_OP_QUERY_INFO] = "QUERY_INFO",
	[SMB2_OP_SET_INFO] = "SET_INFO",
	[SMB2_OP_OPLOCK_BREAK] = "OPLOCK_BREAK",
};

uint16_t wire_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t wire_get32(const uint8_t *p)
{
	return wire_get16(p) | (uint32_t)wire_get16(p + 2) << 16;
}

uint64_t wire_get64(const uint8_t *p)
{
	return wire_get32(p) | (uint64_t)wire_get32(p + 4) << 32;
}

void wire_put16(uint8_t *p, uint16_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

void wire_put32(uint8_t *p, uint32_t value)
{
	wire_put16(p, (uint16_t)value);
	wire_put16(p + 2, (uint16_t)(value >> 16));
}

void wire_put64(uint8_t *p, uint64_t value)
{
	wire_put32(p, (uint32_t)value);
	wire_put32(p + 4, (uint32_t)(value >> 32));
}

int wire_get_prefix(const uint8_t p[4])
{
	if (p[0] != 0)
		return -EPROTO;
	return p[1] << 16 | p[2] << 8 | p[3];
}

void wire_put_prefix(uint8_t p[4], size_t length)
{
	p[0] = 0;
	p[1] = (uint8_t)(length >> 16);
	p[2] = (uint8_t)(length >> 8);
	p[3] = (uint8_t)length;
}

int smb2_header_unpack(const uint8_t *p, size_t len, struct smb2_header *hdr)
{
	if (len < SMB2_HDR_LEN ||
	    memcmp(p, protocol_id, sizeof(protocol_id)) != 0 ||
	    wire_get16(p + HDR_STRUCTURE_SIZE) != SMB2_HDR_LEN)
		return -EPROTO;
	hdr->credit_charge = wire_get16(p + HDR_CREDIT_CHARGE);
	hdr->status = wire_get32(p + HDR_STATUS);
	hdr->opcode = wire_get16(p + HDR_COMMAND);
	hdr->credits = wire_get16(p + HDR_CREDITS);
	hdr->flags = wire_get32(p + HDR_FLAGS);
	hdr->next_command = wire_get32(p + HDR_NEXT_COMMAND);
	hdr->mid = wire_get64(p + HDR_MESSAGE_ID);
	hdr->tree_id = wire_get32(p + HDR_TREE_ID);
	hdr->session_id = wire_get64(p + HDR_SESSION_ID);
	return 0;
}

void smb2_header_pack(uint8_t p[64], const struct smb2_header *hdr)
{
	memset(p, 0, SMB2_HDR_LEN);
	memcpy(p + HDR_PROTOCOL_ID, protocol_id, sizeof(protocol_id));
	wire_put16(p + HDR_STRUCTURE_SIZE, SMB2_HDR_LEN);
	wire_put16(p + HDR_CREDIT_CHARGE, hdr->credit_charge);
	wire_put32(p + HDR_STATUS, hdr->status);
	wire_put16(p + HDR_COMMAND, hdr->opcode);
	wire_put16(p + HDR_CREDITS, hdr->credits);
	wire_put32(p + HDR_FLAGS, hdr->flags);
	wire_put32(p + HDR_NEXT_COMMAND, hdr->next_command);
	wire_put64(p + HDR_MESSAGE_ID, hdr->mid);
	wire_put32(p + HDR_TREE_ID, hdr->tree_id);
	wire_put64(p + HDR_SESSION_ID, hdr->session_id);
}

const char *smb2_command_name(uint16_t opcode)
{
	return opcode < SMB2_OP_COUNT ? command_names[opcode] : "UNKNOWN";
}

uint64_t wire_filetime(const struct timespec *time)
{
	const int64_t epoch = 11644473600; /* 1601 to 1970 in seconds */

	return (uint64_t)((time->tv_sec + epoch) * 10000000 +
			  time->tv_nsec / 100);
}

/* Reads one code point of UTF-16LE; returns the bytes read, or -EILSEQ. */
static int utf16_get(const uint8_t *p, size_t len, uint32_t *code)
{
	uint32_t high = wire_get16(p);
	uint32_t low;

	if (high == 0 || (high >= 0xdc00 && high <= 0xdfff))
		return -EILSEQ;
	if (high < 0xd800 || high > 0xdfff) {
		*code = high;
		return 2;
	}
	low = len >= 4 ? wire_get16(p + 2) : 0;
	if (low < 0xdc00 || low > 0xdfff)
		return -EILSEQ;
	*code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	return 4;
}

/* Writes one code point as UTF-8, up to four bytes; returns their number. */
static size_t utf8_put(char *text, uint32_t code)
{
	static const uint8_t first[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 :
		     code < 0x10000 ? 3 : 4;
	size_t i;

	for (i = len - 1; i > 0; i--) {
		text[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	text[0] = (char)(first[len] | code);
	return len;
}

int wire_utf16_to_utf8(const uint8_t *p, size_t len, char *text, size_t size)
{
	size_t used = 0;
	uint32_t code;
	int taken;

	if (len % 2 != 0)
		return -EILSEQ;
	while (len > 0) {
		taken = utf16_get(p, len, &code);
		if (taken < 0)
			return taken;
		if (size - used < 5)
			return -ENAMETOOLONG;
		used += utf8_put(text + used, code);
		p += taken;
		len -= (size_t)taken;
	}
	text[used] = '\0';
	return (int)used;
}

size_t wire_ascii_to_utf16(uint8_t *p, const char *text)
{
	size_t len;

	for (len = 0; text[len] != '\0'; len++)
		wire_put16(p + 2 * len, (uint8_t)text[len]);
	return 2 * len;
}
