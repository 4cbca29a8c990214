/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of metrics. */
#ifndef METRICS_OPTIONS_H
#define METRICS_OPTIONS_H

#include "settings/table.h"

struct metrics_options {
	const char *textfile;
	unsigned int top_series;
	unsigned int privacy;		/* enum privacy */
};

extern const struct setting metrics_settings[];

#endif /* METRICS_OPTIONS_H */
