/* SPDX-License-Identifier: BSD-2-Clause */
/* What of the tables becomes metrics. */
#ifndef SDTKIT_TOOL_SERVE_METRICS_H
#define SDTKIT_TOOL_SERVE_METRICS_H

#include "lib/metrics/families.h"

extern const struct metrics_families serve_metrics;

#endif /* SDTKIT_TOOL_SERVE_METRICS_H */
