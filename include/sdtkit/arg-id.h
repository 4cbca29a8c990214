/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-id.h - GUIDs, UUIDs and SIDs as text.
 *
 * Part of libsdtkit, or of a file that has SDTKIT_ARG_INLINE; sdtkit/arg.h
 * describes the texts. One SID, 16 bytes, and its text:
 *
 *	01 02 000000000005 20000000 20020000	S-1-5-32-544
 *	|  |  |            |
 *	|  |  |            sub-authorities, 32 bits each in little endian
 *	|  |  authority, 48 bits in big endian
 *	|  the number of sub-authorities, at most 15
 *	revision
 */
#ifndef SDTKIT_ARG_ID_H
#define SDTKIT_ARG_ID_H

#include <sdtkit/arg-declare.h>

SDTKIT_ARG_BEGIN

/*
 * 16 bytes as "6ba7b810-9dad-11d1-80b4-00c04fd430c8". The first three fields of
 * a GUID are in little endian byte order, as in Windows, SMB2 and NDR
 * [MS-DTYP 2.3.4]; all fields of a UUID are in big endian order (RFC 9562).
 */
SDTKIT_ARG_TEXT(guid, (const void *bytes), (bytes),
		SDTKIT_OUT_P(bytes), SDTKIT_OUT_U(0))
#define sdtkit_arg_guid(bytes)	(sdtkit_arg_guid_here(bytes).text)
SDTKIT_ARG_TEXT(uuid, (const void *bytes), (bytes),
		SDTKIT_OUT_P(bytes), SDTKIT_OUT_U(0))
#define sdtkit_arg_uuid(bytes)	(sdtkit_arg_uuid_here(bytes).text)

/*
 * A security identifier as on the wire [MS-DTYP 2.4.2.2]: "S-1-5-32-544".
 * Bytes that are not a SID are written in hexadecimal.
 */
SDTKIT_ARG_TEXT(sid, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_sid(data, length)					\
	(sdtkit_arg_sid_here(data, length).text)

SDTKIT_ARG_END

#ifdef SDTKIT_ARG_DEFINES
SDTKIT_ARG_C
#include <sdtkit/arg-text.h>

/* The bytes of a 128-bit id in the order of its text. */
static const unsigned char sdtkit_guid_order[16] = {
	3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
};
static const unsigned char sdtkit_uuid_order[16] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
};

SDTKIT_ARG_LOCAL void sdtkit_write_id(struct sdtkit_out *out,
				      const void *bytes,
				      const unsigned char *order)
{
	const unsigned char *p = (const unsigned char *)bytes;
	int i;

	for (i = 0; p && i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			sdtkit_out_char(out, '-');
		sdtkit_out_hex(out, p[order[i]], 2);
	}
}

SDTKIT_ARG_LOCAL void sdtkit_write_guid(struct sdtkit_out *out,
					const void *bytes)
{
	sdtkit_write_id(out, bytes, sdtkit_guid_order);
}

SDTKIT_ARG_LOCAL void sdtkit_write_uuid(struct sdtkit_out *out,
					const void *bytes)
{
	sdtkit_write_id(out, bytes, sdtkit_uuid_order);
}

SDTKIT_ARG_LOCAL uint64_t sdtkit_sid_authority(const unsigned char *sid)
{
	uint64_t authority = 0;
	int i;

	for (i = 2; i < 8; i++)
		authority = authority << 8 | sid[i];
	return authority;
}

SDTKIT_ARG_LOCAL void sdtkit_write_sid(struct sdtkit_out *out,
				       const void *data, size_t length)
{
	const unsigned char *sid = (const unsigned char *)data, *sub;
	uint64_t authority;
	unsigned int i;

	if (sid == NULL || length < 8 || sid[0] != 1 || sid[1] > 15 ||
	    length < 8 + 4 * (size_t)sid[1]) {
		sdtkit_write_hex(out, data, length);
		return;
	}
	sdtkit_out_string(out, "S-1-");
	authority = sdtkit_sid_authority(sid);
	if (authority >> 32) {
		sdtkit_out_put(out, "0x", 2);
		sdtkit_out_hex(out, authority, 12);
	} else {
		sdtkit_out_decimal(out, (uint32_t)authority);
	}
	for (i = 0; i < sid[1]; i++) {
		sub = sid + 8 + 4 * i;
		sdtkit_out_char(out, '-');
		sdtkit_out_decimal(out, sub[0] | (uint32_t)sub[1] << 8 |
				   (uint32_t)sub[2] << 16 |
				   (uint32_t)sub[3] << 24);
	}
}

SDTKIT_ARG_DEFINE_TEXT(guid, sdtkit_write_guid,
		       (const void *bytes), (bytes),
		       (SDTKIT_ARG_POINTER(in.first)))
SDTKIT_ARG_DEFINE_TEXT(uuid, sdtkit_write_uuid,
		       (const void *bytes), (bytes),
		       (SDTKIT_ARG_POINTER(in.first)))
SDTKIT_ARG_DEFINE_TEXT(sid, sdtkit_write_sid,
		       (const void *data, size_t length), (data, length),
		       (SDTKIT_ARG_POINTER(in.first), in.second))

SDTKIT_ARG_C_END
#endif

#endif /* SDTKIT_ARG_ID_H */
