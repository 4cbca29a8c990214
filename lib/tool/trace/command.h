/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit trace: runs a program and prints its probes as they fire. */
#ifndef SDTKIT_TOOL_TRACE_COMMAND_H
#define SDTKIT_TOOL_TRACE_COMMAND_H

/* argv[0] is "sdtkit trace"; returns the exit status. */
int tool_trace(int argc, char **argv);

#endif /* SDTKIT_TOOL_TRACE_COMMAND_H */
