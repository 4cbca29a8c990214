/* SPDX-License-Identifier: BSD-2-Clause */
/* The workers: one for each program that is counted. */
#ifndef SDTKIT_TOOL_SERVE_SUPERVISE_H
#define SDTKIT_TOOL_SERVE_SUPERVISE_H

#include <stdbool.h>

#include "lib/sinks/sink.h"
#include "serve/options.h"

/* Whether workers attach by perf events; before any of them is started. */
bool supervise_uses_perf_events(void);

/* Catches signals; whether one that ends the program has come. */
void supervise_catch_signals(void);
bool supervise_is_ending(void);

/*
 * Finds programs, counts them, and hands reports to the sinks and to the server
 * until a signal comes or the server ends. Returns false after a complaint.
 */
bool supervise(const struct sink_setup *setup,
	       const struct serve_options *options);

#endif /* SDTKIT_TOOL_SERVE_SUPERVISE_H */
