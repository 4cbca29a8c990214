/* SPDX-License-Identifier: BSD-2-Clause */
/* --privacy of what comes from the kernel: see metrics/privacy.h. */
#ifndef TSMBD_HIDE_H
#define TSMBD_HIDE_H

#include "report.h"

/* Hides the names of a report. */
void hide_report(const struct options *options, struct smbd_report *report);

/*
 * Returns the event, or a copy without its names, which is valid until the next
 * call. size is that of the whole event.
 */
const struct tsmbd_event *hide_event(const struct options *options,
				     const struct tsmbd_event *event,
				     size_t size);

#endif /* TSMBD_HIDE_H */
