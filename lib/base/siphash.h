/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash that depends on a secret key. */
#ifndef BASE_SIPHASH_H
#define BASE_SIPHASH_H

#include <stddef.h>

/*
 * The 64 bits of SipHash-2-4. Without the key nobody can tell from a hash which
 * of a few million addresses it is of.
 */
unsigned long long siphash(const unsigned long long key[2], const void *data,
			   size_t size);

#endif /* BASE_SIPHASH_H */
