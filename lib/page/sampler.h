/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --html-flame: samples are taken while somebody looks at the page, and only
 * then. It is in the process that traces, which need not have the page.
 */
#ifndef TSMBD_PAGE_SAMPLER_H
#define TSMBD_PAGE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * To be called each second, with the time of the kernel's clock. While samples
 * are wanted, it hands on a struct page_flame every five seconds, of at most
 * PAGE_FLAME_LIMIT bytes and a head.
 */
void sampler_turn(bool wanted, unsigned long long now,
		  void (*hand_on)(const void *flame, size_t size));

#endif /* TSMBD_PAGE_SAMPLER_H */
