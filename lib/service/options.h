/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the service itself. */
#ifndef SERVICE_OPTIONS_H
#define SERVICE_OPTIONS_H

#include <stdbool.h>

#include "settings/table.h"

struct service_options {
	bool daemon;
	const char *config;
	bool check_config;
	const char *run_as;
	const char *pid_file;
};

extern const struct setting service_settings[];

#endif /* SERVICE_OPTIONS_H */
