/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers and texts as bytes: 7 bits of a number in each byte, the lowest
 * first, and the highest bit of each byte but the last is set.
 */
#ifndef TSMBD_PACK_H
#define TSMBD_PACK_H

#include <stdbool.h>
#include <stddef.h>

struct pack {
	unsigned char *bytes;
	size_t length;
	size_t capacity;
};

void pack_number(struct pack *p, unsigned long long value);

/* How many there are without the zeros at the end, and those. */
void pack_numbers(struct pack *p, const unsigned long long *values, int count);

/* Those that are not 0: how many, then for each the gap before and itself. */
void pack_slots(struct pack *p, const unsigned long long *slots, int count);

void pack_bytes(struct pack *p, const void *bytes, size_t length);

/* Its length, and then the text. */
void pack_text(struct pack *p, const char *text);

/* A part has a tag and its length; returns what pack_end() needs. */
size_t pack_begin(struct pack *p, unsigned int tag);
void pack_end(struct pack *p, size_t begin);

/* The same in the other direction; bad is set if there is anything wrong. */
struct unpack {
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

/* 0 if it is bad. */
unsigned long long unpack_number(struct unpack *u);

/* Numbers that are not there are 0; those beyond count are skipped. */
void unpack_numbers(struct unpack *u, unsigned long long *values, int count);
void unpack_slots(struct unpack *u, unsigned long long *slots, int count);

/* Sets text to "" if it is bad, or does not fit. */
void unpack_text(struct unpack *u, char *text, size_t size);

/* Returns false at the end; part gets the contents. */
bool unpack_part(struct unpack *u, unsigned int *tag, struct unpack *part);

#endif /* TSMBD_PACK_H */
