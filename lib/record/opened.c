/* SPDX-License-Identifier: BSD-2-Clause */
/* The recorders that are open, and the lock of all of them; see recorder.h. */
#include "recorder.h"

struct sdtkit_recorder *_Atomic sdtkit_record_all[SDTKIT_RECORD_WRITERS];
atomic_bool sdtkit_record_has_traps;
pthread_mutex_t sdtkit_record_lock = PTHREAD_MUTEX_INITIALIZER;
