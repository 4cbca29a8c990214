/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes an incident to a directory of its own. */
#ifndef INCIDENT_SAVE_H
#define INCIDENT_SAVE_H

#include <limits.h>

#include "options.h"
#include "record.h"

/*
 * Writes the files of an incident, which are printed with options of the
 * program, and sets path to their directory. If one
 * cannot be written, none remains: prints a message and returns false.
 */
bool save(const void *options, const struct incident_options *incident,
	  struct record *record, char path[PATH_MAX]);

#endif /* INCIDENT_SAVE_H */
