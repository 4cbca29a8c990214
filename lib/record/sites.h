/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for sites, one behind the other: hits of many sites, one each, touch
 * few pages. Called under the lock of the taps.
 */
#ifndef SDTKIT_RECORD_SITES_H
#define SDTKIT_RECORD_SITES_H

#include <stddef.h>

/* Zeros, at the beginning of a cache line; NULL: there is no memory. */
void *sdtkit_record_new_site(size_t size);
void sdtkit_record_give_site(void *site);

#endif /* SDTKIT_RECORD_SITES_H */
