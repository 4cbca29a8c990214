/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of --html and --listen, and that of tsmbd replay. */
#ifndef TSMBD_PAGE_H
#define TSMBD_PAGE_H

#include "sinks/sink.h"
#include "tsmbd/options.h"

extern const struct sink page_sink;

/* Whether somebody looks at it, and samples are asked for. */
bool page_wants_samples(const struct sink_setup *setup);

/* Writes the file of --html. On failure prints a message and returns false. */
bool page_write(const struct options *options);

#endif /* TSMBD_PAGE_H */
