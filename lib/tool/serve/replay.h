/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit replay and sdtkit merge. argv[0] is that; they return the status. */
#ifndef SDTKIT_TOOL_SERVE_REPLAY_H
#define SDTKIT_TOOL_SERVE_REPLAY_H

int replay_command(int argc, char **argv);
int merge_command(int argc, char **argv);

#endif /* SDTKIT_TOOL_SERVE_REPLAY_H */
