/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash.h - hashes of names, the same ones in the kernel and in the command.
 *
 * A hash is the key of a table in the kernel, so that a name of any length
 * takes 8 bytes there. Each run has another secret, so that no client can
 * choose names that have the same hash. A client could do so if it knew the
 * factors, or if there was one multiplication only: a difference in the highest
 * bits would pass through it, and the next word could undo it.
 */
#ifndef TSMBD_HASH_H
#define TSMBD_HASH_H

#include "tsmbd.h"

/* Returns the first length % 8 bytes of a word. */
static inline unsigned long long hash_cut(unsigned long long word,
					  unsigned int length)
{
	unsigned int bits = 8 * (length & 7);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word & ((1ULL << bits) - 1);
#else
	return bits ? word >> (64 - bits) : 0;
#endif
}

static inline unsigned long long hash_mix(const struct tsmbd_secret *secret,
					  unsigned long long hash,
					  unsigned long long word)
{
	hash = (hash ^ word) * secret->factors[0];
	hash = (hash ^ hash >> 32) * secret->factors[1];
	return hash ^ hash >> 32;
}

/*
 * Returns the hash of a name. The words hold the name and whatever follows it
 * up to a multiple of 8 bytes; limit is the number of words, a constant.
 */
static inline __attribute__((always_inline)) unsigned long long
hash_words(const struct tsmbd_secret *secret, const unsigned long long *words,
	   unsigned int length, unsigned int limit)
{
	unsigned long long hash = hash_mix(secret, secret->begin, length);
	unsigned int i;

	for (i = 0; i < limit; i++) {
		if (8 * i + 8 > length)
			break;
		hash = hash_mix(secret, hash, words[i]);
	}
	if (i < limit && length & 7)
		hash = hash_mix(secret, hash, hash_cut(words[i], length));
	return hash;
}

#endif /* TSMBD_HASH_H */
