/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives up privileges. docs/tsmbd-serve.md says which remain, and why. */
#ifndef SERVICE_DROP_H
#define SERVICE_DROP_H

#include <stdbool.h>

#include "program.h"

/*
 * Finds the user of --run-as, or the default one if name is NULL: that of the
 * program, or "nobody". Exits with a message if there is none. Without root it
 * is the user that we are: NULL is returned. Otherwise it is the name.
 */
const char *drop_find_user(const struct service_program *program,
			   const char *name);

/*
 * Likewise, for somebody who only checks, and need not be able to become that
 * user.
 */
const char *drop_check_user(const struct service_program *program,
			    const char *name);

/* In between, files are opened and made as that user. */
void drop_begin_files(void);
void drop_end_files(void);

/*
 * Becomes that user, with the capabilities that are needed to trace what is
 * upgraded later; more if it is attached to by perf events, and those that the
 * program asks for. Exits with a message on failure.
 */
void drop_for_tracer(const struct service_program *program);

/*
 * The same without any capability, but that to listen on a port below 1024 if
 * it is needed, until drop_ports().
 */
void drop_for_server(const struct service_program *program, bool low_port);
void drop_ports(void);

#endif /* SERVICE_DROP_H */
