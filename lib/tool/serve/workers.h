/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts workers, reads what they send, and notices when they end. */
#ifndef SDTKIT_TOOL_SERVE_WORKERS_H
#define SDTKIT_TOOL_SERVE_WORKERS_H

#include "lib/report/report.h"
#include "serve/worker.h"

/* Starts one for a group; says so if it cannot. */
void workers_start(struct worker_job *job);

/* Whether one counts the group, or has tried it in vain. */
bool workers_has(unsigned int group);

/*
 * Tells the one of a group what its program has used since the last call, and
 * which processes it has.
 */
void workers_tell(const struct discover_group *group,
		  unsigned long long cpu_ns);

/* Tells all whether samples are wanted, if that has changed. */
void workers_sample(void);

/* Ends the one of a group that is gone; what it has counted is kept. */
void workers_end(unsigned int group);

/*
 * Kills workers that have not ended in time: if their program starts again, they
 * would count beside its new worker.
 */
void workers_kill_stuck(void);

/*
 * Waits so long for messages, and takes them: row() is called for slow spans.
 * Returns early if a signal comes.
 */
void workers_wait(int ms, void (*row)(const void *slow, void *context),
		  void *context);

/*
 * Ends all of them. A worker that is stopped, or takes more than 10 s, is killed,
 * and its last second is lost.
 */
void workers_end_all(void (*row)(const void *slow, void *context),
		     void *context);

/*
 * Takes messages until each worker has reported since the last call of
 * workers_take(), for a third of a second at most. One that has not is not
 * waited for again before it reports.
 */
void workers_await(void (*row)(const void *slow, void *context), void *context);

/*
 * Adds what all of them have counted since the last call. The gauges of one
 * that has not reported since then are those of its last report.
 */
void workers_take(struct report *report);

#endif /* SDTKIT_TOOL_SERVE_WORKERS_H */
