/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The flame graph that the page shows: that of --flame, or one that the process
 * that traces has sent.
 */
#ifndef PAGE_SAMPLED_H
#define PAGE_SAMPLED_H

#include <stddef.h>

#include "sinks/sink.h"

/* Returns it, valid until the next call; NULL if there is none. */
const struct page_flame *sampled(const struct sink_setup *setup);

/* Takes what was sent: a struct page_flame of so many bytes. */
void sampled_take(const void *data, size_t size);

/* Forgets it. */
void sampled_drop(void);

#endif /* PAGE_SAMPLED_H */
