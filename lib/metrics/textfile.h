/* SPDX-License-Identifier: BSD-2-Clause */
/* --textfile: the metrics as a file for node_exporter. */
#ifndef METRICS_TEXTFILE_H
#define METRICS_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>

/* Checks that the file can be written; exits with a message if not. */
void textfile_open(const char *file);

/* Whether the file is due, which it is not again for ten seconds then. */
bool textfile_is_due(unsigned long long now);

/*
 * Writes the file. Says once if that fails, and when it works again. text is
 * NULL if there is no memory.
 */
void textfile_write(const char *file, const char *text, size_t size);

#endif /* METRICS_TEXTFILE_H */
