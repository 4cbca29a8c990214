/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of tsmbd.bpf.c, loaded and attached. */
#ifndef TSMBD_ATTACH_H
#define TSMBD_ATTACH_H

#include "find.h"
#include "options.h"

struct tsmbd;	/* the skeleton */

/* Exits with a message if it cannot be done. It ends with leave(). */
struct tsmbd *attach(const struct options *options, const struct found *found);

#endif /* TSMBD_ATTACH_H */
