/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what a recorder has written: sdtkit/recorder.h. */
#ifndef SDTKIT_TOOL_RECORDING_H
#define SDTKIT_TOOL_RECORDING_H

struct tracing;

/* Returns the exit status. */
int tracing_read_recording(struct tracing *tracing);

#endif /* SDTKIT_TOOL_RECORDING_H */
