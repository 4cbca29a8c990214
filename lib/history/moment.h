/* SPDX-License-Identifier: BSD-2-Clause */
/* Moments as options give them. */
#ifndef TSMBD_MOMENT_H
#define TSMBD_MOMENT_H

#include <stdbool.h>

/*
 * "-2h" (before now; d, h, m or s), "10:00" (the last one that has been),
 * "2026-11-23", "2026-11-23 10:00:00", "@1795428000.5" or "now", in local time,
 * to nanoseconds since 1970. Returns false if it is none of these.
 */
bool moment_parse(const char *text, unsigned long long now_ns,
		  unsigned long long *ns);

/* Converts the value of an option; exits with a message if it is wrong. */
void moment_option(const char *what, const char *text, unsigned long long *ns);

#endif /* TSMBD_MOMENT_H */
