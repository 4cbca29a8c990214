/* SPDX-License-Identifier: BSD-2-Clause */
/* The signals that end tsmbd or ask it for something. */
#ifndef TSMBD_SIGNALS_H
#define TSMBD_SIGNALS_H

#include <stdbool.h>

/* SIGINT, SIGTERM, SIGHUP, SIGUSR1; for a service SIGHUP reads options again. */
void signals_catch(bool serves);

/* Whether a signal has come that ends it, or signals_end() was called. */
bool signals_ended(void);
void signals_end(void);

/* Whether a signal has asked for this since the last call. */
enum signal_wish { SIGNAL_REPORT, SIGNAL_RELOAD, SIGNAL_WISHES };
bool signals_took(enum signal_wish wish);

#endif /* TSMBD_SIGNALS_H */
