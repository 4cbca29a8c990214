/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The flame graph that the page shows: that of --flame, or one that the process
 * that traces has sent.
 */
#ifndef TSMBD_PAGE_SAMPLED_H
#define TSMBD_PAGE_SAMPLED_H

#include <stddef.h>

#include "tsmbd/options.h"

/* Returns it, valid until the next call; NULL if there is none. */
const struct page_flame *sampled(const struct options *options);

/* Takes what was sent: a struct page_flame of so many bytes. */
void sampled_take(const void *data, size_t size);

/* Forgets it. */
void sampled_drop(void);

#endif /* TSMBD_PAGE_SAMPLED_H */
