/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --privacy: hides the names of clients, users, shares and files.
 *
 * It is applied to reports and events as they come from the kernel, before
 * anything prints, stores or serves them. Whatever comes later sees hidden
 * names only.
 */
#ifndef TSMBD_PRIVACY_H
#define TSMBD_PRIVACY_H

#include <stddef.h>

#include "tsmbd/report.h"

enum privacy {
	PRIVACY_NONE,
	PRIVACY_HASH,		/* 16 hexadecimal digits for each name */
	PRIVACY_OMIT,
};

/* Hides the names of a report. */
void privacy_report(const struct options *options, struct smbd_report *report);

/*
 * Returns the event, or a copy without its names, which is valid until the next
 * call. size is that of the whole event.
 */
const struct tsmbd_event *privacy_event(const struct options *options,
					const struct tsmbd_event *event,
					size_t size);

#endif /* TSMBD_PRIVACY_H */
