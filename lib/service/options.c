/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the table of the options. */
#include "options.h"

const struct setting service_settings[] = {
	{ SETTING(FLAG, struct service_options, daemon, "daemon", NULL,
		  "run as a service, as the command serve does: wait for "
		  "what is traced, print no reports, and give up the "
		  "privileges of root") },
	{ SETTING(TEXT, struct service_options, config, "config", "FILE",
		  "read options from FILE, one a line: listen = [::1]") },
	{ SETTING(FLAG, struct service_options, check_config,
		  "check-config", NULL,
		  "check the options and the file, and end") },
	{ SETTING(TEXT, struct service_options, run_as, "run-as", "NAME",
		  "the user that the service runs as (that of the program, or "
		  "nobody)") },
	{ SETTING(TEXT, struct service_options, pid_file, "pid-file", "FILE",
		  "write the process ID of the service to FILE") },
	{ .name = NULL },
};
