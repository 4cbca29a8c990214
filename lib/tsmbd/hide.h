/* SPDX-License-Identifier: BSD-2-Clause */
/* --privacy of events: see metrics/privacy.h. */
#ifndef TSMBD_HIDE_H
#define TSMBD_HIDE_H

#include "options.h"

/*
 * Returns the event, or a copy without its names, which is valid until the next
 * call. size is that of the whole event.
 */
const struct tsmbd_event *hide_event(const struct options *options,
				     const struct tsmbd_event *event,
				     size_t size);

#endif /* TSMBD_HIDE_H */
