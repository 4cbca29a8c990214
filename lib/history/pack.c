/* SPDX-License-Identifier: BSD-2-Clause */
/* pack.c - numbers and texts to bytes, and back. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "history/pack.h"

static unsigned char *reserve(struct pack *p, size_t length)
{
	if (p->capacity - p->length < length) {
		p->capacity = p->capacity * 2 + length + 256;
		p->bytes = realloc(p->bytes, p->capacity);
		if (p->bytes == NULL)
			err(1, NULL);
	}
	p->length += length;
	return p->bytes + p->length - length;
}

void pack_bytes(struct pack *p, const void *bytes, size_t length)
{
	if (length > 0)
		memcpy(reserve(p, length), bytes, length);
}

void pack_number(struct pack *p, unsigned long long value)
{
	for (; value >= 0x80; value >>= 7)
		*reserve(p, 1) = (unsigned char)(value | 0x80);
	*reserve(p, 1) = (unsigned char)value;
}

void pack_numbers(struct pack *p, const unsigned long long *values, int count)
{
	int i;

	while (count > 0 && values[count - 1] == 0)
		count--;
	pack_number(p, (unsigned long long)count);
	for (i = 0; i < count; i++)
		pack_number(p, values[i]);
}

void pack_slots(struct pack *p, const unsigned long long *slots, int count)
{
	int used = 0;
	int gap = 0;
	int i;

	for (i = 0; i < count; i++)
		used += slots[i] != 0;
	pack_number(p, (unsigned long long)used);
	for (i = 0; i < count; i++, gap++) {
		if (slots[i] == 0)
			continue;
		pack_number(p, (unsigned long long)gap);
		pack_number(p, slots[i]);
		gap = -1;
	}
}

void pack_text(struct pack *p, const char *text)
{
	size_t length = strlen(text);

	pack_number(p, length);
	pack_bytes(p, text, length);
}

/* Where its length will be, in two bytes more than most need. */
enum { LENGTH_BYTES = 3 };

size_t pack_begin(struct pack *p, unsigned int tag)
{
	pack_number(p, tag);
	reserve(p, LENGTH_BYTES);
	return p->length;
}

void pack_end(struct pack *p, size_t begin)
{
	size_t length = p->length - begin;
	unsigned char *at = p->bytes + begin - LENGTH_BYTES;

	if (length >= 1 << 21)
		errx(1, "a part of the history has %zu bytes", length);
	at[0] = (unsigned char)(length | 0x80);
	at[1] = (unsigned char)(length >> 7 | 0x80);
	at[2] = (unsigned char)(length >> 14);
}

unsigned long long unpack_number(struct unpack *u)
{
	unsigned long long value = 0;
	unsigned int shift;

	for (shift = 0; shift < 64 && u->at < u->end; shift += 7) {
		unsigned char byte = *u->at++;

		value |= (unsigned long long)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	u->bad = true;
	u->at = u->end;
	return 0;
}

void unpack_numbers(struct unpack *u, unsigned long long *values, int count)
{
	unsigned long long there = unpack_number(u);
	unsigned long long value, i;

	memset(values, 0, (size_t)count * sizeof(*values));
	for (i = 0; i < there && !u->bad; i++) {
		value = unpack_number(u);
		if (i < (unsigned long long)count)
			values[i] = value;
	}
}

void unpack_slots(struct unpack *u, unsigned long long *slots, int count)
{
	unsigned long long used = unpack_number(u);
	unsigned long long slot = 0;
	unsigned long long value;

	memset(slots, 0, (size_t)count * sizeof(*slots));
	for (; used > 0 && !u->bad; used--, slot++) {
		slot += unpack_number(u);
		value = unpack_number(u);
		if (slot >= (unsigned long long)count) {
			u->bad = true;
			return;
		}
		slots[slot] = value;
	}
}

void unpack_text(struct unpack *u, char *text, size_t size)
{
	unsigned long long length = unpack_number(u);

	*text = '\0';
	if (length >= size || length > (size_t)(u->end - u->at)) {
		u->bad = true;
		u->at = u->end;
		return;
	}
	memcpy(text, u->at, length);
	text[length] = '\0';
	u->at += length;
}

bool unpack_part(struct unpack *u, unsigned int *tag, struct unpack *part)
{
	unsigned long long length;

	if (u->at == u->end || u->bad)
		return false;
	*tag = (unsigned int)unpack_number(u);
	length = unpack_number(u);
	if (length > (size_t)(u->end - u->at)) {
		u->bad = true;
		return false;
	}
	*part = (struct unpack){ .at = u->at, .end = u->at + length };
	u->at += length;
	return true;
}
