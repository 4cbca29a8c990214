/* SPDX-License-Identifier: BSD-2-Clause */
/* loop.h - tells tracers when the event loop runs and when it waits. */
#ifndef DEMO_LOOP_H
#define DEMO_LOOP_H

struct tevent_context;

/* For the process that accepts connections. */
void loop_trace(struct tevent_context *ev);

/* For a process that serves a client: smbd idle_begin and idle_end as well. */
void loop_trace_client(struct tevent_context *ev);

#endif /* DEMO_LOOP_H */
