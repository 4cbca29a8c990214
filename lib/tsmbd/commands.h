/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of tsmbd: each has a main() of its own. */
#ifndef TSMBD_COMMANDS_H
#define TSMBD_COMMANDS_H

int run_main(int argc, char **argv);		/* traces, and reports */
int replay_main(int argc, char **argv);		/* what --history recorded */
int merge_main(int argc, char **argv);		/* one report of several */

#endif /* TSMBD_COMMANDS_H */
