/* SPDX-License-Identifier: BSD-2-Clause */
/* The heat map of --heatmap: spans by time and by duration. */
#ifndef SDTKIT_TOOL_TOP_MAP_H
#define SDTKIT_TOOL_TOP_MAP_H

#include <stdbool.h>

#include "top/rows.h"

/* Begins the map; map_add() will be called every sample_ns. */
void map_begin(unsigned long long now, unsigned long long sample_ns);

/* Adds the spans of a report. */
void map_add(const struct report *report);

/* Writes the picture to a file; returns false after a complaint. */
bool map_write(const char *path);

#endif /* SDTKIT_TOOL_TOP_MAP_H */
