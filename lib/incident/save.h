/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes an incident to a directory of its own. */
#ifndef TSMBD_INCIDENT_SAVE_H
#define TSMBD_INCIDENT_SAVE_H

#include <limits.h>

#include "record.h"

/*
 * Writes the files of an incident, and sets path to their directory. If one
 * cannot be written, none remains: prints a message and returns false.
 */
bool save(const struct options *options, const struct record *record,
	  char path[PATH_MAX]);

#endif /* TSMBD_INCIDENT_SAVE_H */
