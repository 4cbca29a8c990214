/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shows progress in a line on the terminal, if a command takes long:
 *
 *	12345 files, 17 with probes: /usr/lib/x86_64-linux-gnu/libLLVM-14.so
 *
 * It is shown only if standard error is a terminal, and only after a second.
 */
#ifndef SDTKIT_TOOL_PROGRESS_H
#define SDTKIT_TOOL_PROGRESS_H

#include <stddef.h>

/* Shows that a file is read, after this many others. */
void progress_show(size_t files, size_t found, const char *path);

/* Erases the line, before anything else is written. */
void progress_clear(void);

#endif /* SDTKIT_TOOL_PROGRESS_H */
