/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit gen and sdtkit init: execute probegen. */
#ifndef SDTKIT_TOOL_GEN_COMMAND_H
#define SDTKIT_TOOL_GEN_COMMAND_H

/* argv[0] is "sdtkit gen"; returns the exit status. */
int tool_gen(int argc, char **argv);

/* argv[0] is "sdtkit init"; returns the exit status. */
int tool_init(int argc, char **argv);

#endif /* SDTKIT_TOOL_GEN_COMMAND_H */
