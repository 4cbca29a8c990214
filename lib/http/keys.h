/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of --tls-cert, --tls-key and --auth. */
#ifndef TSMBD_KEYS_H
#define TSMBD_KEYS_H

#include <stdbool.h>

#include "options.h"

struct keys {
	char *cert, *key;		/* PEM, or NULL */
	bool has_auth;			/* for auth_check() */
};

extern struct keys keys;

/* Reads them; exits with a message if one is wrong. */
void keys_open(const struct http_options *options);

/*
 * Reads them again; returns whether something else is in them, which is used
 * after keys_renew(). If one is wrong it says so, and what was read before
 * remains.
 */
bool keys_reread(const struct http_options *options);
void keys_renew(void);

#endif /* TSMBD_KEYS_H */
