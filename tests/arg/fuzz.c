/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.c - calls each function that makes text with any bytes.
 *
 * It is for libFuzzer (fuzz.py builds it). Without that it is a program that
 * reads corpus.txt, which has an input in hexadecimal digits on each line:
 *
 *	03 10 41 00 3d d8 00 de
 *	|  |  what the function gets: bytes, or a number made of them
 *	|  size of the buffer, less 1
 *	which function, modulo their number
 *
 * A text must end within its buffer, be UTF-8, and not change errno. The
 * sanitizers see whether anything else is read or written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sdtkit/arg.h>
#include <sdtkit/record.h>

enum { HEAD = 2, ERRNO_BEFORE = 4711 };

static uint64_t number(const uint8_t *data, size_t length)
{
	uint64_t value = 0;

	memcpy(&value, data, length < sizeof(value) ? length : sizeof(value));
	return value;
}

static const char *sockaddr_to(char *to, size_t size, const void *data,
			       size_t length)
{
	uint8_t address[128] = { 0 };	/* as large as the largest */

	memcpy(address, data, length < sizeof(address) ? length :
	       sizeof(address));
	return sdtkit_arg_sockaddr_to(to, size, address);
}

static const char *guid_to(char *to, size_t size, const void *data,
			   size_t length)
{
	return sdtkit_arg_guid_to(to, size, length < 16 ? NULL : data);
}

static const char *uuid_to(char *to, size_t size, const void *data,
			   size_t length)
{
	return sdtkit_arg_uuid_to(to, size, length < 16 ? NULL : data);
}

static const char *ntstatus_to(char *to, size_t size, const void *data,
			       size_t length)
{
	return sdtkit_arg_ntstatus_to(to, size,
				      (uint32_t)number(data, length));
}

static const char *errno_to(char *to, size_t size, const void *data,
			    size_t length)
{
	return sdtkit_arg_errno_to(to, size, (int)number(data, length));
}

static const char *flags_to(char *to, size_t size, const void *data,
			    size_t length)
{
	static const struct sdtkit_flag table[] = {
		{ 1, "ONE" }, { 0, "NONE" }, { 6, "SIX" }, { 2, "TWO" },
		{ 1ULL << 63, "HIGH" }, { 0, NULL },
	};

	return sdtkit_arg_flags_to(to, size, number(data, length), table);
}

static const char *numbers_to(char *to, size_t size, const void *data,
			      size_t length)
{
	struct timespec spec;
	struct timeval val;
	uint64_t bits = number(data, length);
	double value;

	memcpy(&value, &bits, sizeof(value));
	sdtkit_arg_milli(value);
	sdtkit_arg_micro(value);
	sdtkit_arg_nttime(bits);
	if (length >= sizeof(spec)) {
		memcpy(&spec, data, sizeof(spec));
		memcpy(&val, data, sizeof(val));
		sdtkit_arg_timespec(&spec);
		sdtkit_arg_timeval(&val);
	}
	return sdtkit_arg_hex_to(to, size, data, length);
}

/* Members of records take text as it is, so this gets UTF-8 only. */
static const char *record_to(char *to, size_t size, const void *data,
			     size_t length)
{
	char text[64];

	sdtkit_record_put_text(to, size, data, length);
	sdtkit_arg_counted_to(text, sizeof(text), data, length);
	sdtkit_record_put_text(to, size, text, sizeof(text));
	return to;
}

static const char *(*const functions[])(char *, size_t, const void *,
					size_t) = {
	sdtkit_arg_counted_to, sdtkit_arg_printable_to, sdtkit_arg_hex_to,
	sdtkit_arg_utf16_to, sdtkit_arg_sockaddr_len_to, sdtkit_arg_sid_to,
	sockaddr_to, guid_to, uuid_to, ntstatus_to, errno_to, flags_to,
	numbers_to, record_to,
};

/* Whether the text consists of whole UTF-8 characters. */
static int is_utf8(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		size_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
		size_t i;

		if (*p >= 0x80 && (*p < 0xc2 || *p > 0xf4))
			return 0;
		for (i = 1; i < n; i++) {
			if ((p[i] & 0xc0) != 0x80)
				return 0;
		}
		p += n;
	}
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t count = sizeof(functions) / sizeof(functions[0]);
	uint8_t *input;
	char *to;

	if (size < HEAD)
		return 0;
	input = malloc(size - HEAD);
	to = malloc(data[1] + 1U);
	if (to == NULL || (input == NULL && size > HEAD))
		abort();
	if (size > HEAD)
		memcpy(input, data + HEAD, size - HEAD);
	errno = ERRNO_BEFORE;
	functions[data[0] % count](to, data[1] + 1U, input, size - HEAD);
	if (errno != ERRNO_BEFORE || strlen(to) > data[1] || !is_utf8(to))
		abort();
	free(to);
	free(input);
	return 0;
}

#ifndef SDTKIT_LIBFUZZER
static int replay(const char *line)
{
	uint8_t data[1024];
	size_t size = 0, cut;
	unsigned int byte;
	int used;

	while (size < sizeof(data) &&
	       sscanf(line, "%2x%n", &byte, &used) == 1) {
		data[size++] = (uint8_t)byte;
		line += used;
	}
	for (cut = 0; cut <= size; cut++)
		LLVMFuzzerTestOneInput(data, cut);
	return size != 0;
}

int main(int argc, char **argv)
{
	FILE *corpus = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[4096];
	int lines = 0;

	if (corpus == NULL) {
		fprintf(stderr, "usage: %s CORPUS.txt\n", argv[0]);
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof(line), corpus))
		lines += line[0] != '#' && replay(line);
	fclose(corpus);
	printf("TAP version 13\n1..1\n%s 1 - %d inputs, cut at each byte\n",
	       lines ? "ok" : "not ok", lines);
	return lines ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
