/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keys.c - reads certificates, their keys, and passwords.
 *
 * They are renewed while the service runs, as certificates are each few weeks.
 * So what was read is kept, to be compared.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "auth.h"
#include "keys.h"

struct keys keys;
static char *users;

/* Returns the text of a file, or NULL if there is none. */
static char *text_of(const char *option, const char *file, bool is_private)
{
	return file == NULL ? NULL : auth_read_file(option, file, is_private);
}

static bool is_same_file(const char *text, const char *option,
			 const char *file, bool is_private)
{
	char *now = text_of(option, file, is_private);
	bool same = now == text ||
		(now != NULL && text != NULL && strcmp(now, text) == 0);

	free(now);
	return same;
}

bool keys_have_changed(const struct serve_options *o)
{
	return !is_same_file(keys.cert, "--tls-cert", o->tls_cert, false) ||
	       !is_same_file(keys.key, "--tls-key", o->tls_key, true) ||
	       !is_same_file(users, "--auth", o->auth, true);
}

static enum MHD_Result refuse(void *context, struct MHD_Connection *connection,
			      const char *path, const char *method,
			      const char *version, const char *data,
			      size_t *size, void **state)
{
	(void)context;
	(void)connection;
	(void)path;
	(void)method;
	(void)version;
	(void)data;
	(void)size;
	(void)state;
	return MHD_NO;
}

/* Who will use them decides whether they are good: tried without a socket. */
static void check_tls(void)
{
	struct MHD_Daemon *none;

	if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
		errx(1, "--tls-cert: this libmicrohttpd has no TLS");
	none = MHD_start_daemon(MHD_USE_TLS | MHD_USE_NO_LISTEN_SOCKET, 0,
				NULL, NULL, refuse, NULL,
				MHD_OPTION_HTTPS_MEM_CERT, keys.cert,
				MHD_OPTION_HTTPS_MEM_KEY, keys.key,
				MHD_OPTION_END);
	if (none == NULL)
		errx(1, "--tls-cert and --tls-key are not a certificate and "
		     "its key, as PEM");
	MHD_stop_daemon(none);
}

void keys_open(const struct serve_options *o)
{
	free(keys.cert);
	free(keys.key);
	free(users);
	keys.cert = text_of("--tls-cert", o->tls_cert, false);
	keys.key = text_of("--tls-key", o->tls_key, true);
	users = text_of("--auth", o->auth, true);
	keys.has_auth = users != NULL;
	if (keys.has_auth)
		auth_open(o->auth);
	if (keys.cert != NULL)
		check_tls();
}
