/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces smbd until a signal, or as long as the options say. */
#ifndef TSMBD_RUN_H
#define TSMBD_RUN_H

/* Returns the exit status; may exit with a message as well. */
int run_main(int argc, char **argv);

#endif /* TSMBD_RUN_H */
