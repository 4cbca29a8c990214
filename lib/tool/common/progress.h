/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line on the terminal while a command takes long:
 *
 *	12345 files, 17 with probes: /usr/lib/x86_64-linux-gnu/libLLVM-14.so
 *
 * Only if the standard error is a terminal, only after a second.
 */
#ifndef SDTKIT_TOOL_PROGRESS_H
#define SDTKIT_TOOL_PROGRESS_H

#include <stddef.h>

/* Another file is looked at, after as many others. */
void progress_show(size_t files, size_t found, const char *path);

/* Takes the line away, before anything else is written. */
void progress_clear(void);

#endif /* SDTKIT_TOOL_PROGRESS_H */
