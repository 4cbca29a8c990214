/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: compares programs with the description of their probes. */
#ifndef SDTKIT_TOOL_CHECK_COMMAND_H
#define SDTKIT_TOOL_CHECK_COMMAND_H

/* argv[0] is "sdtkit check"; returns the exit status. */
int tool_check(int argc, char **argv);

#endif /* SDTKIT_TOOL_CHECK_COMMAND_H */
