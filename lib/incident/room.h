/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The directory of --save: incidents in it, and how much room they take.
 *
 *	2026-11-23T10:15:02Z-p99-CREATE/	an incident
 *	.PROGRAM-incident-Xy3aQ1/		one that is being written
 *
 * A directory counts as an incident if it has such a name and incident.json,
 * and only files with names that incidents have. Nothing else is ever removed.
 */
#ifndef INCIDENT_ROOM_H
#define INCIDENT_ROOM_H

#include <limits.h>
#include <stdbool.h>

#include "report/program.h"

/*
 * Creates the directory if it does not exist, removes what one that was killed
 * has left there, and checks whether a directory can be created in it.
 * If not, prints a message and returns false.
 */
bool room_open(const struct report_program *program, const char *path);

/*
 * After room_open(): creates a directory for the files of an incident, which is not shown as one
 * until room_commit(). On failure prints a message and returns false.
 */
bool room_begin(const char *path, char directory[PATH_MAX]);

/*
 * Removes the oldest incidents until this one fits into so many bytes, and
 * gives it its name. On failure it is removed; prints a message, and returns
 * false.
 */
bool room_commit(const char *path, const char *directory, const char *name,
		 unsigned long long limit, char final[PATH_MAX]);

/* Removes what was begun. */
void room_abandon(const char *directory);

#endif /* INCIDENT_ROOM_H */
