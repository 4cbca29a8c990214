/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of what is served by HTTP. */
#ifndef HTTP_OPTIONS_H
#define HTTP_OPTIONS_H

#include <stdbool.h>

#include "settings/table.h"

struct http_options {
	const char *listen;
	const char *socket;		/* the unit that has it, or NULL */
	const char *tls_cert;
	const char *tls_key;
	const char *auth;
	bool no_auth;
};

extern const struct setting http_settings[];

#endif /* HTTP_OPTIONS_H */
