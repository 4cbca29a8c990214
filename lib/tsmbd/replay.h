/* SPDX-License-Identifier: BSD-2-Clause */
/* tsmbd replay: reports and pictures of what was recorded. */
#ifndef TSMBD_REPLAY_H
#define TSMBD_REPLAY_H

int replay_main(int argc, char **argv);

#endif /* TSMBD_REPLAY_H */
