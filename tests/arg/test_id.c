/* SPDX-License-Identifier: BSD-2-Clause */
/* GUIDs, UUIDs and SIDs: bytes, and their text. To add a case, add a row. */
#include "arg_check.h"

static const char *write_guid(char *to, size_t size, const void *input,
			      size_t length)
{
	return sdtkit_arg_guid_to(to, size, input);
}

static const char *write_uuid(char *to, size_t size, const void *input,
			      size_t length)
{
	return sdtkit_arg_uuid_to(to, size, input);
}

static const struct {
	arg_write_fn *write;
	struct arg_row row;
} cases[] = {
	/* the DNS namespace of RFC 9562, and as a GUID */
	{ write_uuid,
	  { BYTES("\x6b\xa7\xb8\x10\x9d\xad\x11\xd1"
		  "\x80\xb4\x00\xc0\x4f\xd4\x30\xc8"),
	    "6ba7b810-9dad-11d1-80b4-00c04fd430c8" } },
	{ write_guid,
	  { BYTES("\x10\xb8\xa7\x6b\xad\x9d\xd1\x11"
		  "\x80\xb4\x00\xc0\x4f\xd4\x30\xc8"),
	    "6ba7b810-9dad-11d1-80b4-00c04fd430c8" } },
	{ write_guid,
	  { BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
	    "00000000-0000-0000-0000-000000000000" } },

	/* nobody, the administrators, a user of a domain */
	{ sdtkit_arg_sid_to, { BYTES("\1\1\0\0\0\0\0\0\0\0\0\0"), "S-1-0-0" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\2\0\0\0\0\0\5\x20\0\0\0\x20\2\0\0"), "S-1-5-32-544" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\5\0\0\0\0\0\5\x15\0\0\0\xff\xff\xff\xff\1\0\0\0"
		  "\0\0\0\x80\xf4\1\0\0"),
	    "S-1-5-21-4294967295-1-2147483648-500" } },
	/* no sub-authority at all; fifteen; an authority over 32 bits */
	{ sdtkit_arg_sid_to, { BYTES("\1\0\0\0\0\0\0\5"), "S-1-5" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\xf\0\0\0\0\0\1\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0"
		  "\6\0\0\0\7\0\0\0\x8\0\0\0\x9\0\0\0\xa\0\0\0\xb\0\0\0"
		  "\xc\0\0\0\xd\0\0\0\xe\0\0\0\xf\0\0\0"),
	    "S-1-1-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\1\0\1\0\0\0\5\7\0\0\0"), "S-1-0x000100000005-7" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\0\0\0\xff\xff\xff\xff"), "S-1-4294967295" } },
	/* bytes beyond its end do not matter */
	{ sdtkit_arg_sid_to, { BYTES("\1\0\0\0\0\0\0\5junk"), "S-1-5" } },
	/* not SIDs: of another revision, with a sixteenth, one byte short */
	{ sdtkit_arg_sid_to, { BYTES(""), "" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\2\0\0\0\0\0\0\5"), "0200000000000005" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\x10\0\0\0\0\0\5"), "0110000000000005" } },
	{ sdtkit_arg_sid_to, { BYTES("\1\0\0\0\0\0\0"), "01000000000000" } },
	{ sdtkit_arg_sid_to,
	  { BYTES("\1\1\0\0\0\0\0\5\1\0\0"), "0101000000000005010000" } },
};

TEST(test_id__tables)
{
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		arg_check_data(cases[i].write, &cases[i].row);
		arg_check(cases[i].write, NULL, 0, "");
		arg_check(cases[i].write, NULL, 16, "");
	}
}

TEST(test_id__macros)
{
	assert_string_equal(sdtkit_arg_guid("0123456789abcdef"),
			    "33323130-3534-3736-3839-616263646566");
	assert_string_equal(sdtkit_arg_uuid("0123456789abcdef"),
			    "30313233-3435-3637-3839-616263646566");
	assert_string_equal(sdtkit_arg_sid("\1\0\0\0\0\0\0\5", 8), "S-1-5");
}
