/* SPDX-License-Identifier: BSD-2-Clause */
/* What has become of a thread that was writing a record. */
#ifndef SDTKIT_TOOL_WRITERS_H
#define SDTKIT_TOOL_WRITERS_H

#include <stdint.h>

#include "lib/trace/ring.h"

/* What a thread is at that has not yet completed its record. */
enum sdtkit_ring_writer tracing_writer(uint32_t tid);

#endif /* SDTKIT_TOOL_WRITERS_H */
