/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options_check.c - refuses options that contradict each other, or that would
 * have no effect: who gives one believes that it has.
 *
 * A message has the line of the file in which the first of the options is that
 * it is about.
 */
#include <stddef.h>
#include <string.h>

#include "settings/values.h"
#include "http/listen.h"
#include "options_check.h"

enum { MOST = 6 };

/* Options that ask for something which others do not permit. */
struct group {
	const char *options[MOST];
};

#define GROUP(...)	(&(const struct group){ { __VA_ARGS__ } })

/* Returns the first one that is given, or NULL. */
static const char *given(const struct group *group)
{
	int i;

	for (i = 0; i < MOST && group->options[i] != NULL; i++) {
		if (values_given(group->options[i]))
			return group->options[i];
	}
	return NULL;
}

static void refuse_if(bool wrong, const struct group *group, const char *why)
{
	if (wrong)
		values_refuse_together(given(group), why);
}

static void refuse_given_if(bool wrong, const struct group *group,
			    const char *why)
{
	refuse_if(wrong && given(group) != NULL, group, why);
}

/* Of two outputs in one file, the second would replace the first. */
void options_check_files(const struct options *o, const char *history)
{
	const struct { const char *name, *path; } files[] = {
		{ "--history", history }, { "--html", o->page.html },
		{ "--textfile", o->metrics.textfile },
		{ "--heatmap", o->heatmap }, { "--flame", o->flame },
		{ "--pid-file", o->service.pid_file },
	};
	const size_t count = sizeof(files) / sizeof(files[0]);
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < i && files[i].path != NULL; j++) {
			if (files[j].path != NULL &&
			    strcmp(files[i].path, files[j].path) == 0)
				values_refuse("%s and %s cannot write to the "
					      "same file", files[j].name,
					      files[i].name);
		}
	}
}

static void check_report(const struct options *o)
{
	refuse_if(o->name != NULL && o->files.count > 0, GROUP("file"),
		  "--name and --file exclude each other: use one of them");
	refuse_if(o->name != NULL && o->pid != 0, GROUP("pid", "name"),
		  "--name and a PID exclude each other: use one of them");
	refuse_given_if(o->tops == 0, GROUP("by", "lines"),
			"--by and --lines have no effect without --top");
	refuse_given_if(o->flame == NULL, GROUP("frequency"),
			"--frequency has no effect without --flame");
}

/* A file may be checked without saying that it is for a service. */
static void check_service(const struct options *o)
{
	refuse_if(o->service.daemon &&
		  (o->interval != 0 || o->count != 0 || o->json ||
		   o->heatmap != NULL || o->flame != NULL),
		  GROUP("interval", "count", "json", "heatmap", "flame"),
		  "the service prints no reports: leave out --interval, "
		  "--count, --json, --heatmap and --flame");
	refuse_given_if(!o->service.daemon && !o->service.check_config,
			GROUP("run-as", "pid-file"),
			"--run-as and --pid-file have no effect without "
			"--daemon: use 'tsmbd serve'");
}

/* What would end tsmbd later, when the service opens its socket. */
static void check_listening(const struct http_options *o)
{
	refuse_given_if(o->listen == NULL,
			GROUP("auth", "no-auth", "tls-cert", "tls-key"),
			"--auth, --no-auth, --tls-cert and --tls-key have no "
			"effect without --listen");
	refuse_if((o->tls_cert == NULL) != (o->tls_key == NULL),
		  GROUP("tls-cert", "tls-key"),
		  "--tls-cert and --tls-key have to be given together");
	if (o->listen != NULL && o->auth == NULL && !o->no_auth &&
	    !listen_is_local(o->listen))
		values_refuse_option("listen", "--listen=%s: everybody in "
				     "the network could read names of files "
				     "and users: use --auth=FILE, or "
				     "--no-auth to allow that", o->listen);
}

static void check_sinks(const struct options *o)
{
	const struct incident_options *i = &o->incident;

	check_listening(&o->http);
	refuse_given_if(o->http.listen == NULL && o->metrics.textfile == NULL,
			GROUP("top-series"),
			"--top-series has no effect without --listen or "
			"--textfile");
	refuse_given_if(o->history.history == NULL, GROUP("history-size"),
			"--history-size has no effect without --history");
	refuse_if(o->page.html_flame &&
		  (o->page.html == NULL || o->http.listen == NULL),
		  GROUP("html-flame"),
		  "--html-flame has no effect without --html and --listen");
	refuse_if(i->save != NULL && i->when.count == 0, GROUP("save"),
		  "--save has no effect without --when");
	refuse_given_if(i->save == NULL, GROUP("save-size"),
			"--save-size has no effect without --save");
}

void options_check(const struct options *options)
{
	options_check_files(options, options->history.history);
	check_sinks(options);
	check_service(options);
	check_report(options);
}
