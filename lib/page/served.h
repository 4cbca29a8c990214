/* SPDX-License-Identifier: BSD-2-Clause */
/* The page by HTTP: / is the page, and /data.json its data. */
#ifndef TSMBD_PAGE_SERVED_H
#define TSMBD_PAGE_SERVED_H

#include "tsmbd/options.h"

void served_open(const struct options *options);

/* Forgets the page: who asks for it is told that there is none. */
void served_close(void);

/* Whether somebody has asked for it in the last minute. */
bool served_is_watched(void);

/* Makes new texts if somebody has asked for them. */
void served_tick(const struct options *options, unsigned long long now);

#endif /* TSMBD_PAGE_SERVED_H */
