/* SPDX-License-Identifier: BSD-2-Clause */
/* The place that lines of sdtkit trace go to. */
#ifndef SDTKIT_TOOL_OUTPUT_H
#define SDTKIT_TOOL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracing;

/* 0, or -1 after telling why not. */
int tracing_open_output(const struct tracing *tracing);
bool tracing_output_is_coloured(void);

/*
 * Empties the file, now that COMMAND runs: otherwise what was in it stays
 * there.
 */
void tracing_empty_output(void);

/* A line without its end: only whole lines go to the output. */
void tracing_write_line(const char *data, size_t size);

/* The last line was not about a hit. */
void tracing_line_was_no_hit(void);

/* Lines so far become visible. */
void tracing_flush(void);

/* 0, or the error of the first write that failed; -EINTR: it was given up. */
int tracing_output_error(void);

/* Lines of hits that were to be written, and were not. */
uint64_t tracing_unwritten(void);

/* Lines so far were not about hits, whether or not they were written. */
void tracing_forget_unwritten(void);

/*
 * What is asked at each tick, ten times a second, while the output takes
 * nothing, with the number of ticks so far.  False: the output is given up.
 */
void tracing_while_blocked(bool (*go_on)(void *context, int ticks),
			   void *context);

#endif /* SDTKIT_TOOL_OUTPUT_H */
