/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: hold programs against their description. */
#ifndef SDTKIT_TOOL_CHECK_COMMAND_H
#define SDTKIT_TOOL_CHECK_COMMAND_H

/* argv[0] is "sdtkit check"; returns the exit status. */
int tool_check(int argc, char **argv);

#endif /* SDTKIT_TOOL_CHECK_COMMAND_H */
