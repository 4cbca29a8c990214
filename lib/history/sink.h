/* SPDX-License-Identifier: BSD-2-Clause */
/* --history=FILE: what happens is recorded. */
#ifndef TSMBD_HISTORY_SINK_H
#define TSMBD_HISTORY_SINK_H

#include "sinks/sink.h"

/* A request that takes as long is slow, unless --slow says otherwise. */
enum { HISTORY_SLOW_MS = 100 };

extern const struct sink history_sink;

#endif /* TSMBD_HISTORY_SINK_H */
