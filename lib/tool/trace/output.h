/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the lines of sdtkit trace go to. */
#ifndef SDTKIT_TOOL_OUTPUT_H
#define SDTKIT_TOOL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracing;

/* Returns 0, or -1 after a complaint. */
int tracing_open_output(const struct tracing *tracing);
bool tracing_output_is_coloured(void);

/*
 * Empties the file. Call it when COMMAND runs: if it cannot be run, the old
 * contents stay.
 */
void tracing_empty_output(void);

/*
 * Writes a line, which is given without its newline. Only whole lines go to the
 * output.
 */
void tracing_write_line(const char *data, size_t size);

/* Says that the last line was not about a hit. */
void tracing_line_was_no_hit(void);

/* Writes all lines so far. */
void tracing_flush(void);

/*
 * Returns 0, or the error of the first write that failed; -EINTR if the output
 * was given up.
 */
int tracing_output_error(void);

/* How many lines of hits could not be written. */
uint64_t tracing_unwritten(void);

/* Says that no line so far was about a hit, written or not. */
void tracing_forget_unwritten(void);

/*
 * Sets the function that is called ten times a second while the output is
 * blocked, with the number of calls so far. If it returns false, the output is
 * given up.
 */
void tracing_while_blocked(bool (*go_on)(void *context, int ticks),
			   void *context);

#endif /* SDTKIT_TOOL_OUTPUT_H */
