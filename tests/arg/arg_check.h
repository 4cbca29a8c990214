/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arg_check.h - what every function that makes text must do, for any input and
 * any size of the buffer:
 *
 * - where the text fits, it is the one that the table says;
 * - where it does not, it is the longest beginning of that which leaves space
 *   for "...", and which neither cuts a UTF-8 character nor a \x00 in two;
 * - nothing is written behind the buffer, nothing read behind the input, which
 *   both are allocated at the size they have, for ASan and valgrind to see;
 * - errno stays.
 */
#ifndef SDTKIT_TESTS_ARG_CHECK_H
#define SDTKIT_TESTS_ARG_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sdtkit/arg.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* One row of a table: length bytes of data, and their text. */
struct arg_row {
	const char *data;
	size_t length;
	const char *text;
};

/* A string literal with the zero bytes in it, but the last. */
#define BYTES(literal)	literal, sizeof(literal) - 1

/* Calls the function under test with an input of arg_check()'s caller. */
typedef const char *arg_write_fn(char *to, size_t size, const void *input,
				 size_t length);

/* All sizes from 0 to more than enough; input is handed on. */
void arg_check(arg_write_fn *write, const void *input, size_t length,
	       const char *text);

/* The same with data in memory of its own, at an odd address and an even. */
void arg_check_data(arg_write_fn *write, const struct arg_row *row);

#endif /* SDTKIT_TESTS_ARG_CHECK_H */
