/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of what a condition can compare. */
#ifndef TSMBD_INCIDENT_MEASURES_H
#define TSMBD_INCIDENT_MEASURES_H

#include "condition.h"

enum measure_subject { OF_NOTHING, OF_COMMAND, OF_PHASE };

struct measure {
	const char *name;
	enum measure_subject subject;
	enum condition_kind kind;
};

/* By enum condition_measure. */
extern const struct measure measures[MEASURE_END];

/* By enum tsmbd_phase. */
extern const char *const measure_phases[];

/* Their index, or -1. */
int measure_find(const char *name);
int measure_find_phase(const char *name);

/* Returns the name that is most similar, or NULL. */
const char *measure_guess(const char *name);
const char *measure_guess_phase(const char *name);
const char *measure_guess_command(const char *name);

#endif /* TSMBD_INCIDENT_MEASURES_H */
