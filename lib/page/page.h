/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of --html and --listen, and that of replay. */
#ifndef PAGE_H
#define PAGE_H

#include "sinks/sink.h"

extern const struct sink page_sink;

/* Whether somebody looks at it, and samples are asked for. */
bool page_wants_samples(const struct sink_setup *setup);

/* Writes the file of --html. On failure prints a message and returns false. */
bool page_write(const struct sink_setup *setup);

#endif /* PAGE_H */
