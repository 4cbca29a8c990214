/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The standard output. While there are sinks, a thread writes it, so that a
 * reader that does not read stops nothing else: lines that do not fit into a
 * limited memory are lost, and reports wait.
 *
 *	output_begin -> [print to output_file(), output_flush]... -> output_close
 */
#ifndef TSMBD_OUTPUT_H
#define TSMBD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * If the output is shared with sinks, nothing here waits for the reader, except
 * for output_close().
 */
void output_begin(bool shared);

/* Returns what to print to until the next call of another function here. */
FILE *output_file(void);

/* Whether one more line may be printed now; if not, it is to be left out. */
bool output_takes_line(void);

/* Likewise for a report; if not, the next one has to cover its time. */
bool output_takes_report(void);

/* Hands over what was printed. Returns 0 or -errno of a write that failed. */
int output_flush(void);

/*
 * Waits until all is written, and closes the file. A signal that ends tsmbd
 * does so during this wait. Returns 0 or -errno.
 */
int output_close(void);

#endif /* TSMBD_OUTPUT_H */
