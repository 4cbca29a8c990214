/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are printed as things happen: --slow, --exit, --oplocks. */
#ifndef TSMBD_LOG_H
#define TSMBD_LOG_H

#include "options.h"
#include "tsmbd.h"

/* Prints what the columns of --slow and --errors are. */
void log_columns(const struct options *options);

/* Prints the line of an event from the kernel; for other ones nothing. */
void log_event(const struct options *options, const struct tsmbd_event *event);

#endif /* TSMBD_LOG_H */
