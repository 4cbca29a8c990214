/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list: lists the probes of files and processes. */
#ifndef SDTKIT_TOOL_LIST_COMMAND_H
#define SDTKIT_TOOL_LIST_COMMAND_H

/* argv[0] is "sdtkit list"; returns the exit status. */
int tool_list(int argc, char **argv);

#endif /* SDTKIT_TOOL_LIST_COMMAND_H */
