/* SPDX-License-Identifier: BSD-2-Clause */
/* For --check-config: what the service would do. */
#ifndef SERVICE_PLAN_H
#define SERVICE_PLAN_H

#include <stdio.h>

#include "program.h"

/*
 * Says whether the configuration is good, in a line, and below it what a
 * service would do. user is the one that it becomes, or NULL.
 */
void plan_print(FILE *out, const struct service_program *program,
		const struct sink_setup *setup, const char *user);

#endif /* SERVICE_PLAN_H */
