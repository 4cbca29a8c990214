/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of incidents. */
#ifndef INCIDENT_OPTIONS_H
#define INCIDENT_OPTIONS_H

#include "settings/table.h"

enum { MOST_CONDITIONS = 16 };

struct incident_options {
	struct texts when;
	const char *save;
	unsigned int save_size;		/* MiB */
};

/* The context of their table is a struct measures: measures.h. */
extern const struct setting incident_settings[];

#endif /* INCIDENT_OPTIONS_H */
