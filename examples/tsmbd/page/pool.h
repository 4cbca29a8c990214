/* SPDX-License-Identifier: BSD-2-Clause */
/* The names that the page shows: each is kept once, and all have a limit. */
#ifndef TSMBD_PAGE_POOL_H
#define TSMBD_PAGE_POOL_H

#include <stddef.h>

/* POOL_LONGEST: bytes of a name; what is longer ends with "...". */
enum { POOL_LONGEST = 240, POOL_LIMIT = 2 << 20 };

/* Returns the number of a name, which is kept until pool_drop(). */
unsigned int pool_keep(const char *name);

void pool_drop(unsigned int number);

/* Returns the name that has this number. */
const char *pool_name(unsigned int number);

/* Numbers are smaller than this. */
unsigned int pool_end(void);

#endif /* TSMBD_PAGE_POOL_H */
