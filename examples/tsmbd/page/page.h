/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of --html and --listen. */
#ifndef TSMBD_PAGE_H
#define TSMBD_PAGE_H

#include "../sinks.h"

extern const struct sink page_sink;

#endif /* TSMBD_PAGE_H */
