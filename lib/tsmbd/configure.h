/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes the options to the programs in the kernel. */
#ifndef TSMBD_CONFIGURE_H
#define TSMBD_CONFIGURE_H

#include "options.h"

struct tsmbd;	/* the skeleton */

/* The modes, TSMBD_BASE and others, that the options ask for. */
unsigned int modes_of(const struct options *options);

/*
 * Sets the constants and the sizes of maps, before the programs are loaded.
 * Exits with a message if the address of a client is not one.
 */
void configure(struct tsmbd *skel, const struct options *options,
	       unsigned int modes);

#endif /* TSMBD_CONFIGURE_H */
