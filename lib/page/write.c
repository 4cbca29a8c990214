/* SPDX-License-Identifier: BSD-2-Clause */
/* write.c - JSON as text. */
#include <err.h>
#include <string.h>

#include "base/text.h"
#include "report/table.h"
#include "write.h"

void write_number(FILE *file, unsigned long long value)
{
	char text[24];
	char *at = text + sizeof(text);

	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	fwrite(at, 1, (size_t)(text + sizeof(text) - at), file);
}

/* Nothing within a script element may look like its end. */
static int put(const char *text, size_t size, void *file)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (text[i] != '\0' && strchr("<>&\x7f", text[i]) != NULL)
			fprintf(file, "\\u%04x", (unsigned int)text[i]);
		else
			putc_unlocked(text[i], file);
	}
	return 0;
}

void write_json(FILE *file, const json_t *value)
{
	if (json_dump_callback(value, put, file, JSON_COMPACT |
			       JSON_ENSURE_ASCII | JSON_ENCODE_ANY) != 0)
		errx(1, "no memory");
}

void write_string(FILE *file, const char *text)
{
	json_t *string = text_json(text);

	write_json(file, string);
	json_decref(string);
}

void write_slots(FILE *file, const unsigned int *slots)
{
	unsigned int first = 0, end = REPORT_POWERS;

	while (end > 0 && slots[end - 1] == 0)
		end--;
	while (first < end && slots[first] == 0)
		first++;
	putc_unlocked('[', file);
	if (first < end)
		write_number(file, first);
	for (; first < end; first++) {
		putc_unlocked(',', file);
		write_number(file, slots[first]);
	}
	putc_unlocked(']', file);
}

/* A byte may become \u1234, as two of UTF-8 do. */
size_t write_most(const char *text)
{
	size_t size = 2;

	for (; *text != '\0'; text++) {
		if (*text >= ' ' && *text < 0x7f &&
		    strchr("\"\\<>&", *text) == NULL)
			size++;
		else
			size += 6;
	}
	return size;
}
