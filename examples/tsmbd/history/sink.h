/* SPDX-License-Identifier: BSD-2-Clause */
/* --history=DIR: what happens is recorded. */
#ifndef TSMBD_HISTORY_SINK_H
#define TSMBD_HISTORY_SINK_H

#include "sinks.h"

extern const struct sink history_sink;

#endif /* TSMBD_HISTORY_SINK_H */
