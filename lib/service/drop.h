/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives up privileges. docs/tsmbd-serve.md says which remain, and why. */
#ifndef TSMBD_SERVE_DROP_H
#define TSMBD_SERVE_DROP_H

#include <stdbool.h>

/*
 * Finds the user of --run-as, or the default one if name is NULL; exits with a
 * message if there is none. Without root it is the user that we are: NULL is
 * returned. Otherwise it is the name.
 */
const char *drop_find_user(const char *name);

/*
 * Likewise, for somebody who only checks, and need not be able to become that
 * user.
 */
const char *drop_check_user(const char *name);

/* In between, files are opened and made as that user. */
void drop_begin_files(void);
void drop_end_files(void);

/*
 * Becomes that user, with the capabilities that are needed to trace an smbd
 * that is upgraded later; more if it is attached to by perf events. Exits with
 * a message on failure.
 */
void drop_for_tracer(bool perf_events);

/*
 * The same without any capability, but that to listen on a port below 1024 if
 * it is needed, until drop_ports().
 */
void drop_for_server(bool low_port);
void drop_ports(void);

#endif /* TSMBD_SERVE_DROP_H */
