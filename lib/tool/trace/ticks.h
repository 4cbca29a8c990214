/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts a blocked write. */
#ifndef SDTKIT_TOOL_TICKS_H
#define SDTKIT_TOOL_TICKS_H

/*
 * Between these two calls, a system call that blocks is interrupted ten times a
 * second.
 */
void tracing_ticks_start(void);
void tracing_ticks_stop(void);

#endif /* SDTKIT_TOOL_TICKS_H */
