/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - converts values to bytes and back, for server and client.
 *
 * All integers of SMB2 are little endian; only the length in front of a
 * packet is big endian. Nothing here checks bounds: callers do, by the fixed
 * size that each command has.
 */
#ifndef DEMO_WIRE_H
#define DEMO_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The fixed header of a request or a response, [MS-SMB2] 2.2.1.2. */
struct smb2_header {
	uint16_t credit_charge;
	uint32_t status;
	uint16_t opcode;
	uint16_t credits;	/* requested, or granted */
	uint32_t flags;
	uint32_t next_command;
	uint64_t mid;
	uint32_t tree_id;
	uint64_t session_id;
};

uint16_t wire_get16(const uint8_t *p);
uint32_t wire_get32(const uint8_t *p);
uint64_t wire_get64(const uint8_t *p);
void wire_put16(uint8_t *p, uint16_t value);
void wire_put32(uint8_t *p, uint32_t value);
void wire_put64(uint8_t *p, uint64_t value);

/*
 * The length in front of a packet, below 2^24 bytes. wire_get_prefix() returns
 * it, or -EPROTO if the first byte is not zero.
 */
int wire_get_prefix(const uint8_t p[4]);
void wire_put_prefix(uint8_t p[4], size_t length);

/*
 * Reads the header of a packet of len bytes. Returns 0; -EPROTO if there is no
 * whole header, or its protocol id or structure size is wrong.
 */
int smb2_header_unpack(const uint8_t *p, size_t len, struct smb2_header *hdr);
void smb2_header_pack(uint8_t p[64], const struct smb2_header *hdr);

/* "CREATE" for 5, "UNKNOWN" for a number that is not a command. */
const char *smb2_command_name(uint16_t opcode);

/* 100 ns units since 1601, [MS-DTYP] 2.3.3. */
uint64_t wire_filetime(const struct timespec *time);

/*
 * Converts len bytes of UTF-16LE to UTF-8 with a terminating zero. Returns its
 * length without the zero; -EILSEQ for half a surrogate pair, an odd len or a
 * zero inside; -ENAMETOOLONG if size does not suffice.
 */
int wire_utf16_to_utf8(const uint8_t *p, size_t len, char *text, size_t size);

/* Converts ASCII to UTF-16LE; returns the bytes, two per character. */
size_t wire_ascii_to_utf16(uint8_t *p, const char *text);

#endif /* DEMO_WIRE_H */
