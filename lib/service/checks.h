/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks of values, for options.def. Each returns NULL for a good value, or
 * what to use instead: "use ADDRESS:PORT or unix:PATH".
 */
#ifndef TSMBD_SERVE_CHECKS_H
#define TSMBD_SERVE_CHECKS_H

#include "http/listen.h"	/* check_listen() */
#include "incident/check.h"	/* check_when() */

#endif /* TSMBD_SERVE_CHECKS_H */
