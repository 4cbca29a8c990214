/* SPDX-License-Identifier: BSD-2-Clause */
/* For --check-config: what the service would do. */
#ifndef TSMBD_SERVE_PLAN_H
#define TSMBD_SERVE_PLAN_H

#include <stdio.h>

#include "tsmbd/options.h"

/*
 * Says whether the configuration is good, in a line, and below it what a
 * service would do. user is the one that it becomes, or NULL. makes_nothing
 * tells that no sink is wanted.
 */
void plan_print(FILE *out, const struct options *options, const char *user,
		bool makes_nothing);

#endif /* TSMBD_SERVE_PLAN_H */
