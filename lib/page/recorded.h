/* SPDX-License-Identifier: BSD-2-Clause */
/* What a history has, for the page. */
#ifndef PAGE_RECORDED_H
#define PAGE_RECORDED_H

#include "history/read.h"
#include "sinks/sink.h"

/*
 * Reads the last hours of the history that is recorded, if one is and the page
 * has nothing yet: a service that was started again.
 */
void recorded_load(const struct sink_setup *setup);

/* Replay begins with this, whatever was recorded. */
void recorded_begin(const struct sink_setup *setup);

/*
 * Replay takes all, in the order of time; rows of slow ones before their tick.
 * A row gets the time of the kernel's clock.
 */
void recorded_take(const struct history_tick *tick);
void recorded_row(void *row);

#endif /* PAGE_RECORDED_H */
