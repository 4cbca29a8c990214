/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit serve, replay and merge: executes the program that has them. */
#ifndef SDTKIT_TOOL_SERVE_BECOME_H
#define SDTKIT_TOOL_SERVE_BECOME_H

/* argv[0] is "sdtkit serve" or another one; returns the exit status. */
int tool_serve(int argc, char **argv);

#endif /* SDTKIT_TOOL_SERVE_BECOME_H */
