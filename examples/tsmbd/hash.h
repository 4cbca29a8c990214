/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash.h - a number for a name, the same one in the kernel and in the command.
 *
 * Tables in the kernel go by it: a name of any length costs them 8 bytes then.
 * The secret is another one in each run, so that no client can choose names
 * that share a number. With one multiplication, or known factors, it could: a
 * difference in the highest bits goes through, and the next word takes it back.
 */
#ifndef TSMBD_HASH_H
#define TSMBD_HASH_H

#include "tsmbd.h"

/* As much of a word as is below its first length bytes. */
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
 * The words are the name and whatever is behind it, to a multiple of 8 bytes;
 * limit is how many there are, and has to be known to the compiler.
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
