/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the table of the options. */
#include "listen.h"
#include "options.h"

const struct setting http_settings[] = {
	{ SETTING(TEXT, struct http_options, listen, "listen", "ADDRESS",
		  "serve metrics by HTTP at ADDRESS:PORT, "
		  "[ADDRESS]:PORT or unix:PATH; an ADDRESS alone has "
		  "port 10445, a PORT alone is one of 127.0.0.1"),
	  .check = check_listen },
	{ SETTING(TEXT, struct http_options, socket, "socket", "UNIT",
		  "serve metrics at the socket that systemd opens for this "
		  "unit, and passes") },
	{ SETTING(TEXT, struct http_options, tls_cert, "tls-cert", "FILE",
		  "use TLS with this certificate (PEM)") },
	{ SETTING(TEXT, struct http_options, tls_key, "tls-key", "FILE",
		  "the key of the certificate; others must not be "
		  "able to read it") },
	{ SETTING(TEXT, struct http_options, auth, "auth", "FILE",
		  "ask for a password: FILE has lines of user:hash, "
		  "as 'openssl passwd -6' prints hashes") },
	{ SETTING(FLAG, struct http_options, no_auth, "no-auth", NULL,
		  "let everybody in the network read, if --listen is "
		  "not a loopback address") },
	{ .name = NULL },
};
