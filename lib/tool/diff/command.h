/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit diff: reports changes that break scripts. */
#ifndef SDTKIT_TOOL_DIFF_COMMAND_H
#define SDTKIT_TOOL_DIFF_COMMAND_H

/* argv[0] is "sdtkit diff"; returns the exit status. */
int tool_diff(int argc, char **argv);

#endif /* SDTKIT_TOOL_DIFF_COMMAND_H */
