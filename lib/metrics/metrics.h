/* SPDX-License-Identifier: BSD-2-Clause */
/* The sink of reports that serves metrics. */
#ifndef TSMBD_METRICS_H
#define TSMBD_METRICS_H

#include "sinks/sink.h"

extern const struct sink metrics_sink;

#endif /* TSMBD_METRICS_H */
