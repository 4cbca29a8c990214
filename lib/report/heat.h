/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The heat map of reports, with a field for each row of program->heat->table:
 *
 *	struct heat *heat = heat_new(&program, " around an incident", begin,
 *				     1000000000);
 *
 *	heat_add(heat, report);		for each report, in the order of time
 *	good = heat_write(heat, "map.svg");
 *
 * Rows that come late share a field if there are very many.
 */
#ifndef REPORT_HEAT_H
#define REPORT_HEAT_H

#include "program.h"

#define HEAT_TITLE	": how long they took, and when"

struct heat;

/*
 * Begins a map with columns of at least sample_ns. The title is what
 * program->heat says, and then the given text, which has to stay.
 */
struct heat *heat_new(const struct report_program *program, const char *title,
		      unsigned long long begin_ns,
		      unsigned long long sample_ns);

/* Nothing is known of the time between two reports. */
void heat_add(struct heat *heat, const struct report *report);

/*
 * Writes the picture to a file, and releases the map. On failure prints a
 * message and returns false.
 */
bool heat_write(struct heat *heat, const char *path);

#endif /* REPORT_HEAT_H */
