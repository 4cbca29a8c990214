/* SPDX-License-Identifier: BSD-2-Clause */
/* How wide a terminal is. */
#ifndef SDTKIT_TOOL_TERMINAL_H
#define SDTKIT_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a number of columns; false if it is not one. */
bool terminal_parse_width(const char *text, int *width);

/* $COLUMNS, else what the terminal says; 0: it does not, or it is none. */
size_t terminal_width(int fd);

#endif /* SDTKIT_TOOL_TERMINAL_H */
