/* SPDX-License-Identifier: BSD-2-Clause */
/* tsmbd replay: reports and pictures of what was recorded. */
#ifndef TSMBD_REPLAY_H
#define TSMBD_REPLAY_H

#include <stdbool.h>

int replay_main(int argc, char **argv);

/* replay --list: prints the times that a history has; false on failure. */
bool replay_list(const char *path);

#endif /* TSMBD_REPLAY_H */
