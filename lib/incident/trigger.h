/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When an incident begins, and when it is over.
 *
 *	second   1  2  3  4  5  6  7  8 ...         17
 *	holds    -  x  x  x  -  x  -  -  -  -  -  -  -
 *	state    idle  waits    incident ........... idle	"for 3s"
 *
 * It begins with second 2, which is known at the end of second 4. It is over
 * when the condition has not held for TRIGGER_CALM.
 */
#ifndef INCIDENT_TRIGGER_H
#define INCIDENT_TRIGGER_H

#include "measure.h"

/* Nanoseconds. */
#define TRIGGER_CALM	10000000000ULL
/* So long a time without any value does not interrupt "for". */
#define TRIGGER_GAP	60000000000ULL
/* Times are rounded to a whole tick, since each is a little late or early. */
#define TRIGGER_HALF	500000000ULL

enum trigger_state { TRIGGER_IDLE, TRIGGER_WAITS, TRIGGER_INCIDENT };

struct trigger {
	enum trigger_state state;
	unsigned long long since;	/* begin of the first tick that holds */
	unsigned long long last;	/* end of the last one */
	unsigned long long ticks;	/* that held */
	unsigned long long fired;	/* when the last one was reported */
	bool has_fired;
	unsigned int left_out;		/* incidents since then */
	bool reported;			/* this one is */
};

/*
 * Takes what a tick was; begin and end are its times. Whether an incident is
 * reported depends on the time since the last one that was.
 */
void trigger_take(struct trigger *trigger, const struct condition *condition,
		  enum verdict verdict, unsigned long long begin,
		  unsigned long long end);

#endif /* INCIDENT_TRIGGER_H */
