/* SPDX-License-Identifier: BSD-2-Clause */
/* What a history has, for the page. */
#ifndef TSMBD_PAGE_RECORDED_H
#define TSMBD_PAGE_RECORDED_H

#include "history/read.h"
#include "sinks/sink.h"

/*
 * Reads the last hours of the history that is recorded, if one is and the page
 * has nothing yet: a service that was started again.
 */
void recorded_load(const struct sink_setup *setup);

/* tsmbd replay: takes all, in the order of time; requests before their tick. */
void recorded_take(const struct history_tick *tick);
void recorded_row(const void *row);

#endif /* TSMBD_PAGE_RECORDED_H */
