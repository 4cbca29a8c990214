/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CPUs execute for the spans of all programs. */
#ifndef SDTKIT_TOOL_SERVE_FLAMES_H
#define SDTKIT_TOOL_SERVE_FLAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/report/program.h"

enum { FLAMES_HERTZ = 99 };

extern const struct report_flames serve_flames;

/* Whether samples are to be taken now. */
bool flames_wanted(void);

/*
 * Adds what a worker has sent of a program: a struct page_flame of so many
 * bytes. Returns false if it makes no sense.
 */
bool flames_take(const char *program, const void *sent, size_t size);

#endif /* SDTKIT_TOOL_SERVE_FLAMES_H */
