/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit top: where the time of a program goes. */
#ifndef SDTKIT_TOOL_TOP_COMMAND_H
#define SDTKIT_TOOL_TOP_COMMAND_H

/* argv[0] is "sdtkit top"; returns the exit status. */
int tool_top(int argc, char **argv);

#endif /* SDTKIT_TOOL_TOP_COMMAND_H */
