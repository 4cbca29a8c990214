/* SPDX-License-Identifier: BSD-2-Clause */
/* How wide a terminal is. */
#ifndef SDTKIT_TOOL_TERMINAL_H
#define SDTKIT_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a number of columns; false if it is not one. */
bool terminal_parse_width(const char *text, int *width);

/*
 * Returns $COLUMNS, or else what the terminal says; 0 if it is not a terminal
 * or does not say.
 */
size_t terminal_width(int fd);

#endif /* SDTKIT_TOOL_TERMINAL_H */
