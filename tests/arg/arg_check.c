/* SPDX-License-Identifier: BSD-2-Clause */
/* arg_check.c - see arg_check.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arg_check.h"

enum { ERRNO_BEFORE = 12345 };

/* Whether text may be cut before the byte with this index. */
static int is_boundary(const char *text, size_t at)
{
	size_t back;

	if (((unsigned char)text[at] & 0xc0) == 0x80)
		return 0;
	for (back = 1; back <= 3 && back <= at; back++) {
		const char *p = text + at - back;

		if (p[0] == '\\' && p[1] == 'x' && strlen(p) >= 4)
			return 0;
	}
	return 1;
}

/* Checks got, which is text that was written to a buffer too small for it. */
static void check_cut(const char *got, size_t size, const char *text)
{
	size_t dots = size - 1 < 3 ? size - 1 : 3, kept = strlen(got) - dots;

	assert_true(strlen(got) < size);
	assert_memory_equal(got + kept, "...", dots);
	assert_memory_equal(got, text, kept);
	assert_true(is_boundary(text, kept));
	/* It must be as long as possible: the longest piece has 16 digits. */
	assert_true(size - 1 - strlen(got) < 16);
}

static void check_size(arg_write_fn *write, const void *input, size_t length,
		       const char *text, size_t size)
{
	char *to = malloc(size);
	const char *got;

	assert_true(to != NULL || size == 0);
	if (size)
		memset(to, '#', size);
	errno = ERRNO_BEFORE;
	got = write(to, size, input, length);
	assert_int_equal(errno, ERRNO_BEFORE);
	if (size == 0) {
		assert_string_equal(got, "");
	} else if (strlen(text) < size) {
		assert_ptr_equal(got, to);
		assert_string_equal(got, text);
	} else {
		assert_ptr_equal(got, to);
		check_cut(got, size, text);
	}
	free(to);
}

void arg_check(arg_write_fn *write, const void *input, size_t length,
	       const char *text)
{
	size_t size;

	for (size = 0; size <= strlen(text) + 2; size++)
		check_size(write, input, length, text, size);
}

void arg_check_data(arg_write_fn *write, const struct arg_row *row)
{
	size_t odd;

	for (odd = 0; odd < 2; odd++) {
		char *data = malloc(row->length + odd);

		assert_non_null(data);
		memcpy(data + odd, row->data, row->length);
		arg_check(write, data + odd, row->length, row->text);
		free(data);
	}
}
