/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.c - options of which one asks for what another one does not permit, and
 * files that cannot be made.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/options.h"
#include "http/listen.h"
#include "http/options.h"
#include "http/passed.h"
#include "incident/options.h"
#include "metrics/options.h"
#include "page/options.h"
#include "settings/values.h"
#include "check.h"

#define PART(room)	settings_part(settings, options, room##_settings)

/* Returns the first one that is given, or NULL. */
static const char *given(const struct check_group *group)
{
	int i;

	for (i = 0; i < CHECK_MOST && group->options[i] != NULL; i++) {
		if (values_given(group->options[i]))
			return group->options[i];
	}
	return NULL;
}

void check_refuse(bool wrong, const struct check_group *group, const char *why)
{
	if (wrong)
		values_refuse_together(given(group), why);
}

void check_refuse_given(bool wrong, const struct check_group *group,
			const char *why)
{
	check_refuse(wrong && given(group) != NULL, group, why);
}

/*
 * The socket that systemd opens is what the service listens to. It is not
 * passed to those who check a configuration.
 */
static void take_socket(struct http_options *o)
{
	const char *address = passed_address();
	const char *unit = o->socket != NULL ? o->socket : "UNIT.socket";

	if (address == NULL && o->socket == NULL)
		return;
	if (o->listen != NULL)
		values_refuse_option("listen", "--listen=%s: systemd opens the "
				     "socket of this service: leave --listen "
				     "out, and change the address with "
				     "'systemctl edit %s'", o->listen, unit);
	o->listen = address != NULL ? address : unit;
}

/* What would end the program later, when the service opens its socket. */
static void check_listening(const struct http_options *o)
{
	check_refuse_given(o->listen == NULL,
			CHECK_GROUP("auth", "no-auth", "tls-cert", "tls-key"),
			"--auth, --no-auth, --tls-cert and --tls-key have no "
			"effect without --listen");
	check_refuse((o->tls_cert == NULL) != (o->tls_key == NULL),
		  CHECK_GROUP("tls-cert", "tls-key"),
		  "--tls-cert and --tls-key have to be given together");
	if (o->listen != NULL && o->auth == NULL && !o->no_auth &&
	    !listen_is_local(o->listen) && o->listen != o->socket)
		values_refuse_option("listen", "--listen=%s: everybody in "
				     "the network could read names of files "
				     "and users: use --auth=FILE, or "
				     "--no-auth to allow that", o->listen);
}

void check_sinks(const struct settings *settings, const void *options)
{
	const struct incident_options *i = PART(incident);
	const struct history_options *history = PART(history);
	const struct metrics_options *metrics = PART(metrics);
	const struct page_options *page = PART(page);
	struct http_options *http = PART(http);

	take_socket(http);
	check_listening(http);
	check_refuse_given(http->listen == NULL && metrics->textfile == NULL,
			CHECK_GROUP("top-series"),
			"--top-series has no effect without --listen or "
			"--textfile");
	check_refuse_given(history->history == NULL, CHECK_GROUP("history-size"),
			"--history-size has no effect without --history");
	check_refuse(page->html_flame &&
		  ((page->html == NULL && !page->served) || http->listen == NULL),
		  CHECK_GROUP("html-flame"), page->served ?
		  "--html-flame has no effect without --listen" :
		  "--html-flame has no effect without --html and --listen");
	check_refuse(i->save != NULL && i->when.count == 0, CHECK_GROUP("save"),
		  "--save has no effect without --when");
	check_refuse_given(i->save == NULL, CHECK_GROUP("save-size"),
			"--save-size has no effect without --save");
}

/* The units have RuntimeDirectory= and StateDirectory=, for the start. */
static bool is_made_by_systemd(const char *directory)
{
	char copy[PATH_MAX];
	const char *above;

	snprintf(copy, sizeof(copy), "%s", directory);
	above = dirname(copy);
	return strcmp(above, "/run") == 0 || strcmp(above, "/var/lib") == 0;
}

/*
 * serve_check() has become the user of the service, but for access(2). Not all
 * file systems have files without a name.
 */
static void check_place(const char *option, const char *path, bool alone)
{
	char copy[PATH_MAX];
	const char *directory;
	struct stat st;
	int file, error;

	snprintf(copy, sizeof(copy), "%s", path);
	directory = dirname(copy);
	file = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	error = file < 0 ? errno : 0;
	if (!alone && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		values_refuse_option(option, "--%s=%s is a directory: use the "
				     "name of a file", option, path);
	if (error == ENOENT && is_made_by_systemd(directory))
		error = 0;
	if (error == ENOENT || error == ENOTDIR || error == EACCES ||
	    error == EROFS)
		values_refuse_option(option, "--%s=%s: %s: %s: use a directory "
				     "in which the user of the service may "
				     "write", option, path, directory,
				     strerror(error));
	if (file >= 0)
		close(file);
}

void check_places(const struct settings *settings, const void *options)
{
	const struct history_options *history = PART(history);
	const struct incident_options *incident = PART(incident);
	const struct metrics_options *metrics = PART(metrics);
	const struct page_options *page = PART(page);

	if (history->history != NULL)
		check_place("history", history->history, false);
	if (metrics->textfile != NULL)
		check_place("textfile", metrics->textfile, false);
	if (page->html != NULL)
		check_place("html", page->html, false);
	if (incident->save != NULL)
		check_place("save", incident->save, true);
}
