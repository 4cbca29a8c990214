/* SPDX-License-Identifier: BSD-2-Clause */
/* The page by HTTP: / is the page, and /data.json its data. */
#ifndef PAGE_SERVED_H
#define PAGE_SERVED_H

#include "sinks/sink.h"

void served_open(const struct sink_setup *setup);

/* Forgets the page: who asks for it is told that there is none. */
void served_close(void);

/* Whether somebody has asked for it in the last minute. */
bool served_is_watched(void);

/* Makes new texts if somebody has asked for them. */
void served_tick(const struct sink_setup *setup, unsigned long long now);

#endif /* PAGE_SERVED_H */
