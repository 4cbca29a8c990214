/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --html-flame: samples are taken while somebody looks at the page, and only
 * then. It is in the process that traces, which need not have the page.
 */
#ifndef PAGE_SAMPLER_H
#define PAGE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>

#include "report/program.h"

/*
 * To be called each second, with the time of the kernel's clock. While samples
 * are wanted, it hands on a struct page_flame every five seconds, of at most
 * PAGE_FLAME_LIMIT bytes and a head.
 */
void sampler_turn(const struct report_flames *flames, bool wanted,
		  unsigned long long now,
		  void (*hand_on)(const void *flame, size_t size));

#endif /* PAGE_SAMPLER_H */
