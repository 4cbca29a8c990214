/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keys.c - reads certificates, their keys, and passwords.
 *
 * They are renewed while the service runs, as certificates are each few weeks.
 * So what was read is kept, to be compared. A file may be exchanged at any
 * moment: what is checked is what was read, and the same is used.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "settings/values.h"
#include "auth.h"
#include "keys.h"

struct keys keys;

/* What the files have. */
struct contents {
	char *cert, *key, *auth;	/* or NULL */
	struct users *users;
};

static struct contents used, fresh;

/* Reads the text of a file, if there is one; returns whether it could. */
static bool read_file(const char *option, const char *file, bool is_private,
		      char **text)
{
	char what[VALUES_OPTION];

	*text = NULL;
	if (file == NULL)
		return true;
	*text = auth_read_file(values_option(option, what), file, is_private);
	return *text != NULL;
}

static void forget(struct contents *contents)
{
	free(contents->cert);
	free(contents->key);
	free(contents->auth);
	auth_free(contents->users);
	*contents = (struct contents){ .cert = NULL };
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static enum MHD_Result refuse(void *context, struct MHD_Connection *connection,
			      const char *path, const char *method,
			      const char *version, const char *data,
			      size_t *size, void **state)
{
	return MHD_NO;
}

/* Who will use them decides whether they are good: tried without a socket. */
static bool is_good_tls(const struct http_options *o,
			const struct contents *c)
{
	char what[VALUES_OPTION];
	struct MHD_Daemon *none;

	if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
		warnx("%s: this libmicrohttpd has no TLS",
		      values_option("tls-cert", what));
		return false;
	}
	none = MHD_start_daemon(MHD_USE_TLS | MHD_USE_NO_LISTEN_SOCKET, 0,
				NULL, NULL, refuse, NULL,
				MHD_OPTION_HTTPS_MEM_CERT, c->cert,
				MHD_OPTION_HTTPS_MEM_KEY, c->key,
				MHD_OPTION_END);
	if (none == NULL)
		warnx("%s=%s: this and %s are not a certificate and its key, "
		      "as PEM",
		      values_option("tls-cert", what),
		      o->tls_cert, o->tls_key);
	else
		MHD_stop_daemon(none);
	return none != NULL;
}

/* Says what is wrong, and returns false then. */
static bool read_contents(const struct http_options *o, struct contents *c)
{
	bool good;

	*c = (struct contents){ .cert = NULL };
	good = read_file("tls-cert", o->tls_cert, false, &c->cert) &&
	       read_file("tls-key", o->tls_key, true, &c->key) &&
	       read_file("auth", o->auth, true, &c->auth);
	if (good && c->auth != NULL)
		good = (c->users = auth_parse(c->auth, o->auth)) != NULL;
	if (good && c->cert != NULL)
		good = is_good_tls(o, c);
	if (!good)
		forget(c);
	return good;
}

void keys_renew(void)
{
	/* auth.c frees its own */
	used.users = NULL;
	forget(&used);
	used = fresh;
	auth_use(fresh.users);
	fresh = (struct contents){ .cert = NULL };
	keys.cert = used.cert;
	keys.key = used.key;
	keys.has_auth = used.auth != NULL;
}

void keys_open(const struct http_options *o)
{
	if (!read_contents(o, &fresh))
		exit(1);
	keys_renew();
}

bool keys_reread(const struct http_options *o)
{
	if (!read_contents(o, &fresh)) {
		warnx("the certificate, the key and the passwords are those "
		      "that were read before: reload again when the files are "
		      "right");
		return false;
	}
	if (!is_same(fresh.cert, used.cert) || !is_same(fresh.key, used.key) ||
	    !is_same(fresh.auth, used.auth))
		return true;
	forget(&fresh);
	return false;
}
