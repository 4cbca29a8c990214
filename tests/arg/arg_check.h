/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arg_check.h - checks what every function that makes text must do, for any
 * input and any size of the buffer:
 *
 *	- if the text fits, it is the one in the table;
 *	- if not, it is the longest beginning of that text that leaves space
 *	  for "..." and cuts neither a UTF-8 character nor a \x00 in two;
 *	- nothing is written beyond the buffer and nothing read beyond the
 *	  input: both are allocated at their exact size, so that ASan and
 *	  valgrind notice;
 *	- errno does not change.
 */
#ifndef SDTKIT_TESTS_ARG_CHECK_H
#define SDTKIT_TESTS_ARG_CHECK_H

#include <sdtkit/arg.h>

#include "../cmocka_all.h"

/* One row of a table: length bytes of data, and their text. */
struct arg_row {
	const char *data;
	size_t length;
	const char *text;
};

/* A string literal with the zero bytes in it, without the last one. */
#define BYTES(literal)	literal, sizeof(literal) - 1

/* Calls the function under test with an input of arg_check()'s caller. */
typedef const char *arg_write_fn(char *to, size_t size, const void *input,
				 size_t length);

/*
 * Checks all sizes of the buffer from 0 to more than the text needs; input is
 * passed to the function.
 */
void arg_check(arg_write_fn *write, const void *input, size_t length,
	       const char *text);

/*
 * Does the same with a copy of the data, once at an odd address and once at an
 * even one.
 */
void arg_check_data(arg_write_fn *write, const struct arg_row *row);

#endif /* SDTKIT_TESTS_ARG_CHECK_H */
