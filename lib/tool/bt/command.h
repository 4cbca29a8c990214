/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit bt: runs bpftrace with names of arguments. */
#ifndef SDTKIT_TOOL_BT_COMMAND_H
#define SDTKIT_TOOL_BT_COMMAND_H

int tool_bt(int argc, char **argv);

#endif /* SDTKIT_TOOL_BT_COMMAND_H */
