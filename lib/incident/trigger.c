/* SPDX-License-Identifier: BSD-2-Clause */
/* trigger.c - the states of a trigger, see trigger.h. */
#include "trigger.h"

static void begin_incident(struct trigger *t, const struct condition *c,
			   unsigned long long now)
{
	t->state = TRIGGER_INCIDENT;
	t->reported = !t->has_fired || now - t->fired >= c->again_ns;
	if (!t->reported) {
		t->left_out++;
		return;
	}
	t->has_fired = true;
	t->fired = now;
}

static void hold(struct trigger *t, const struct condition *c,
		 unsigned long long begin, unsigned long long end)
{
	if (t->state == TRIGGER_IDLE) {
		t->state = TRIGGER_WAITS;
		t->since = begin;
		t->ticks = 0;
	}
	t->last = end;
	t->ticks++;
	if (t->state == TRIGGER_WAITS &&
	    end - t->since + TRIGGER_HALF >= c->for_ns)
		begin_incident(t, c, end);
}

void trigger_take(struct trigger *t, const struct condition *c,
		  enum verdict verdict, unsigned long long begin,
		  unsigned long long end)
{
	unsigned long long limit = t->state == TRIGGER_WAITS ? TRIGGER_GAP :
		TRIGGER_CALM;

	if (verdict == VERDICT_HOLDS) {
		hold(t, c, begin, end);
		return;
	}
	if (t->state == TRIGGER_WAITS && verdict == VERDICT_FAILS)
		t->state = TRIGGER_IDLE;
	else if (end - t->last + TRIGGER_HALF >= limit)
		t->state = TRIGGER_IDLE;
}
