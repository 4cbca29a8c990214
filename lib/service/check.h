/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Refuses options that contradict each other, or that would have no effect: who
 * gives one believes that it has. A message has the line of the file in which
 * the first one of the group is given.
 */
#ifndef SERVICE_CHECK_H
#define SERVICE_CHECK_H

#include <stdbool.h>

#include "settings/table.h"

enum { CHECK_MOST = 6 };

/* Options that ask for something which others do not permit. */
struct check_group {
	const char *options[CHECK_MOST];
};

#define CHECK_GROUP(...)	(&(const struct check_group){ { __VA_ARGS__ } })

void check_refuse(bool wrong, const struct check_group *group, const char *why);

/* The same, if any of the group is given. */
void check_refuse_given(bool wrong, const struct check_group *group,
			const char *why);

/*
 * Checks those of the rooms that take reports. Where systemd opens the socket,
 * its address becomes the one to listen to.
 */
void check_sinks(const struct settings *settings, const void *options);

/* Refuses files of these rooms that this user cannot make. */
void check_places(const struct settings *settings, const void *options);

#endif /* SERVICE_CHECK_H */
