/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes texts and numbers: faster than printf(), as there are thousands. */
#ifndef METRICS_PUT_H
#define METRICS_PUT_H

#include <stdio.h>
#include <string.h>

static inline void put_bytes(FILE *out, const char *bytes, size_t length)
{
	fwrite_unlocked(bytes, 1, length, out);
}

static inline void put_text(FILE *out, const char *text)
{
	put_bytes(out, text, strlen(text));
}

/* Writes a number with at least so many digits. */
static inline void put_digits(FILE *out, unsigned long long value, int least)
{
	char text[24], *at = text + sizeof(text);

	for (; value != 0 || least > 0; value /= 10, least--)
		*--at = (char)('0' + value % 10);
	put_bytes(out, at, (size_t)(text + sizeof(text) - at));
}

/* Writes nanoseconds as seconds. */
static inline void put_seconds(FILE *out, unsigned long long ns)
{
	put_digits(out, ns / 1000000000, 1);
	put_bytes(out, ".", 1);
	put_digits(out, ns % 1000000000, 9);
}

#endif /* METRICS_PUT_H */
