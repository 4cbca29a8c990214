/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a thread that was writing an entry. */
#ifndef SDTKIT_TOOL_WRITERS_H
#define SDTKIT_TOOL_WRITERS_H

#include <stdint.h>

#include "lib/trace/ring.h"

/* Finds the state of a thread that has not yet completed its entry. */
enum sdtkit_ring_writer tracing_writer(uint32_t tid);

#endif /* SDTKIT_TOOL_WRITERS_H */
