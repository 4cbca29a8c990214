/* SPDX-License-Identifier: BSD-2-Clause */
/* The names that the page shows: each is kept once, and all have a limit. */
#ifndef PAGE_POOL_H
#define PAGE_POOL_H

#include <stddef.h>

/*
 * POOL_LONGEST: bytes of a name; what is longer ends with "...". POOL_LIMIT:
 * bytes of all names, with POOL_MORE for each of them, which its memory takes.
 */
enum { POOL_LONGEST = 240, POOL_MORE = 40, POOL_LIMIT = 3 << 19 };

/*
 * Returns the number of a name, which is kept until pool_drop(): as UTF-8, what
 * is not becomes U+FFFD.
 */
unsigned int pool_keep(const char *name);

void pool_drop(unsigned int number);

/* Returns the name that has this number. */
const char *pool_name(unsigned int number);

/* Numbers are smaller than this. */
unsigned int pool_end(void);

#endif /* PAGE_POOL_H */
