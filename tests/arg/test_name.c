/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of status codes, errors and flags. To add a case, add a row. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arg_check.h"

static const struct {
	uint32_t status;
	const char *text;
} statuses[] = {
	{ 0, "NT_STATUS_OK" },
	{ 0x00000103, "NT_STATUS_PENDING" },
	{ 0x80000005, "NT_STATUS_BUFFER_OVERFLOW" },
	{ 0x80000006, "NT_STATUS_NO_MORE_FILES" },
	{ 0xc0000001, "NT_STATUS_UNSUCCESSFUL" },
	{ 0xc0000011, "NT_STATUS_END_OF_FILE" },
	{ 0xc0000016, "NT_STATUS_MORE_PROCESSING_REQUIRED" },
	{ 0xc0000022, "NT_STATUS_ACCESS_DENIED" },
	{ 0xc0000034, "NT_STATUS_OBJECT_NAME_NOT_FOUND" },
	{ 0xc0000043, "NT_STATUS_SHARING_VIOLATION" },
	{ 0xc000006d, "NT_STATUS_LOGON_FAILURE" },
	{ 0xc0000120, "NT_STATUS_CANCELLED" },
	{ 0xc000020c, "NT_STATUS_CONNECTION_DISCONNECTED" },
	{ 0xc0000203, "NT_STATUS_USER_SESSION_DELETED" },
	{ 0xc000035c, "NT_STATUS_NETWORK_SESSION_EXPIRED" },
	{ 0xc05d0000, "NT_STATUS_SMB_NO_PREAUTH_INTEGRITY_HASH_OVERLAP" },
	/* below the first with a letter, between two, above the last */
	{ 0x00000001, "0x00000001" },
	{ 0xc0009999, "0xc0009999" },
	{ 0xffffffff, "0xffffffff" },
};

static const struct {
	int number;
	const char *text;
} errors[] = {
	{ 0, "0" },
	{ ENOENT, "ENOENT" },
	{ EAGAIN, "EAGAIN" },
	{ EWOULDBLOCK, "EAGAIN" },
	{ EOPNOTSUPP, "EOPNOTSUPP" },
	{ ENOTRECOVERABLE, "ENOTRECOVERABLE" },
	{ -ENOENT, "-ENOENT" },
	{ 4095, "4095" },
	{ -4095, "-4095" },
	{ INT32_MAX, "2147483647" },
	{ INT32_MIN, "-2147483648" },
};

static const struct sdtkit_flag access_mask[] = {
	{ 0x1, "READ" },
	{ 0x2, "WRITE" },
	{ 0x0, "NONE" },
	{ 0xf0, "ALL" },
	{ 0x10, "LOW" },
	{ 0x8000000000000000, "HIGH" },
	{ 0, NULL },
};

static const struct {
	uint64_t value;
	const char *text;
} flags[] = {
	{ 0, "0" },
	{ 0x1, "READ" },
	{ 0x3, "READ|WRITE" },
	{ 0x4, "0x4" },
	{ 0x5, "READ|0x4" },
	{ 0xf0, "ALL" },
	{ 0x30, "LOW|0x20" },
	{ 0xf1, "READ|ALL" },
	{ UINT64_MAX, "READ|WRITE|ALL|HIGH|0x7fffffffffffff0c" },
};

static const char *write_status(char *to, size_t size, const void *input,
				size_t length)
{
	return sdtkit_arg_ntstatus_to(to, size, *(const uint32_t *)input);
}

static const char *write_error(char *to, size_t size, const void *input,
			       size_t length)
{
	return sdtkit_arg_errno_to(to, size, *(const int *)input);
}

static const char *write_flags(char *to, size_t size, const void *input,
			       size_t length)
{
	return sdtkit_arg_flags_to(to, size, *(const uint64_t *)input,
				   access_mask);
}

TEST(test_name__tables)
{
	size_t i;

	for (i = 0; i < ROWS(statuses); i++)
		arg_check(write_status, &statuses[i].status, 0,
			  statuses[i].text);
	for (i = 0; i < ROWS(errors); i++)
		arg_check(write_error, &errors[i].number, 0, errors[i].text);
	for (i = 0; i < ROWS(flags); i++)
		arg_check(write_flags, &flags[i].value, 0, flags[i].text);
}

/*
 * The table is searched by halves, so each number must be greater than the one
 * before.
 */
TEST(test_name__statuses_ascend)
{
#define SDTKIT_NTSTATUS(status, name)	status,
	static const uint32_t all[] = {
#include <sdtkit/arg-ntstatus.h>
	};
#undef SDTKIT_NTSTATUS
	char hex[16];
	size_t i;

	for (i = 0; i < ROWS(all); i++) {
		assert_true(i == 0 || all[i - 1] < all[i]);
		snprintf(hex, sizeof(hex), "0x%08x", all[i]);
		assert_string_not_equal(sdtkit_arg_ntstatus(all[i]), hex);
	}
}

/* Every number that libc has a text for has a name here. */
TEST(test_name__errors_are_complete)
{
	char number[16];
	int i;

	for (i = 1; i < 200; i++) {
		snprintf(number, sizeof(number), "%d", i);
		if (strncmp(strerror(i), "Unknown error", 13) == 0)
			assert_string_equal(sdtkit_arg_errno(i), number);
		else
			assert_string_not_equal(sdtkit_arg_errno(i), number);
	}
}

TEST(test_name__no_table)
{
	assert_string_equal(sdtkit_arg_flags(0x30, NULL), "0x30");
	assert_string_equal(sdtkit_arg_flags(0, NULL), "0");
}
