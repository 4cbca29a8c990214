/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a fork() does to the recorders of a process.
 *
 * Invariant: a child of fork() writes into the file of its parent, through the
 * same mapping.
 */
#include "open_recorder.h"

/* A server that goes into the background is a child, and its parent ends. */
static void in_child(void)
{
	struct sdtkit_recorder *recorder;
	int i;

	sdtkit_record_keep_handlers();
	SDTKIT_RECORD_FOR_EACH(recorder, i) {
		sdtkit_record_forget_listener(recorder);
		sdtkit_record_begin_process(&recorder->writer);
		sdtkit_record_add_process(recorder->output.file);
		sdtkit_record_end_fork(recorder->output.file);
	}
	pthread_mutex_unlock(&sdtkit_record_lock);
}

static void before_fork(void)
{
	struct sdtkit_recorder *recorder;
	int i;

	pthread_mutex_lock(&sdtkit_record_lock);
	SDTKIT_RECORD_FOR_EACH(recorder, i)
		atomic_fetch_add(&recorder->output.file->forks, 1);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&sdtkit_record_lock);
}

void sdtkit_record_watch_forks(void)
{
	pthread_atfork(before_fork, in_parent, in_child);
}
