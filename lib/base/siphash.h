/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash that depends on a secret key. */
#ifndef BASE_SIPHASH_H
#define BASE_SIPHASH_H

#include <stddef.h>

/*
 * The 64 bits of SipHash-2-4. Who does not have the key cannot find the address
 * that a hash was made of by trying a few million addresses.
 */
unsigned long long siphash(const unsigned long long key[2], const void *data,
			   size_t size);

#endif /* BASE_SIPHASH_H */
