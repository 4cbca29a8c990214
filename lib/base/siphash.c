/* SPDX-License-Identifier: BSD-2-Clause */
/* siphash.c - SipHash-2-4, by its paper: 131002.net/siphash/siphash.pdf */
#include <string.h>

#include "siphash.h"

typedef unsigned long long u64;

static u64 rotate(u64 x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void rounds(u64 v[4], int count)
{
	while (count-- > 0) {
		v[0] += v[1];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[0] = rotate(v[0], 32);
		v[2] += v[3];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[2] = rotate(v[2], 32);
	}
}

/* Returns up to 8 bytes as a word, the first one in the lowest bits. */
static u64 word(const unsigned char *bytes, size_t count)
{
	u64 w = 0;
	size_t i;

	for (i = 0; i < count; i++)
		w |= (u64)bytes[i] << 8 * i;
	return w;
}

static void compress(u64 v[4], u64 m)
{
	v[3] ^= m;
	rounds(v, 2);
	v[0] ^= m;
}

unsigned long long siphash(const unsigned long long key[2], const void *data,
			   size_t size)
{
	u64 v[4] = {
		key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL,
		key[0] ^ 0x6c7967656e657261ULL, key[1] ^ 0x7465646279746573ULL,
	};
	const unsigned char *bytes = data;
	size_t i;

	for (i = 0; i + 8 <= size; i += 8)
		compress(v, word(bytes + i, 8));
	compress(v, word(bytes + i, size % 8) | (u64)(size & 0xff) << 56);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
