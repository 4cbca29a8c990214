/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loop.c - tells tracers when the event loop runs and when it waits.
 *
 * libtevent calls back at these four points. Only a process that serves a
 * client has the probes of smbd's idle time: hence two callbacks.
 */
#include <tevent.h>

#include "loop.h"
#include "smbd_probes.h"
#include "tevent_probes.h"

static void trace(enum tevent_trace_point point, void *private_data)
{
	struct tevent_context *ev = private_data;

	switch (point) {
	case TEVENT_TRACE_BEFORE_LOOP_ONCE:
		TEVENT_LOOP_ONCE_BEGIN(ev);
		break;
	case TEVENT_TRACE_BEFORE_WAIT:
		TEVENT_WAIT_BEGIN(ev);
		break;
	case TEVENT_TRACE_AFTER_WAIT:
		TEVENT_WAIT_END(ev);
		break;
	case TEVENT_TRACE_AFTER_LOOP_ONCE:
		TEVENT_LOOP_ONCE_END(ev);
		break;
	}
}

static void trace_client(enum tevent_trace_point point, void *private_data)
{
	struct tevent_context *ev = private_data;

	if (point == TEVENT_TRACE_BEFORE_WAIT)
		SMBD_IDLE_BEGIN(ev);
	trace(point, private_data);
	if (point == TEVENT_TRACE_AFTER_WAIT)
		SMBD_IDLE_END(ev);
}

void loop_trace(struct tevent_context *ev)
{
	tevent_set_trace_callback(ev, trace, ev);
}

void loop_trace_client(struct tevent_context *ev)
{
	tevent_set_trace_callback(ev, trace_client, ev);
}
