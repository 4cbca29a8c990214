/* SPDX-License-Identifier: BSD-2-Clause */
/* The open recorders, and the lock of all of them: see open_recorder.h. */
#include "open_recorder.h"

struct sdtkit_recorder *_Atomic sdtkit_record_all[SDTKIT_RECORD_WRITERS];
int (*sdtkit_record_prepare_counts)(const char *spans,
	struct sdtkit_record_settings *settings, const char **patterns);
atomic_bool sdtkit_record_has_traps;
pthread_mutex_t sdtkit_record_lock = PTHREAD_MUTEX_INITIALIZER;
