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
	int options[MOST];
};

#define GROUP(...)	(&(const struct group){ { __VA_ARGS__ } })

/* Returns the first one that is given, or 0. */
static int given(const struct group *group)
{
	int i;

	for (i = 0; i < MOST && group->options[i] != 0; i++) {
		if (values_given(group->options[i]))
			return group->options[i];
	}
	return 0;
}

static void refuse_if(bool wrong, const struct group *group, const char *why)
{
	if (wrong)
		values_refuse_together(given(group), why);
}

static void refuse_given_if(bool wrong, const struct group *group,
			    const char *why)
{
	refuse_if(wrong && given(group) != 0, group, why);
}

static void check_report(const struct options *o)
{
	refuse_if(o->name != NULL && o->num_files > 0, GROUP('f'),
		  "--name and --file exclude each other: use one of them");
	refuse_if(o->name != NULL && o->pid != 0, GROUP('p', 'n'),
		  "--name and a PID exclude each other: use one of them");
	refuse_if((o->ordered || o->top_lines > 0) && o->tops == 0,
		  GROUP(BY, LINES),
		  "--by and --lines have no effect without --top");
	refuse_if(o->heatmap != NULL && o->flame != NULL &&
		  strcmp(o->heatmap, o->flame) == 0, GROUP(FLAME),
		  "--heatmap and --flame cannot write to the same file");
	refuse_if(o->hertz > 0 && o->flame == NULL, GROUP('F'),
		  "--frequency has no effect without --flame");
}

/* A file may be checked without saying that it is for a service. */
static void check_service(const struct options *o)
{
	refuse_if(o->serve.daemon &&
		  (o->interval != 0 || o->count != 0 || o->json ||
		   o->heatmap != NULL || o->flame != NULL),
		  GROUP('i', 'c', 'j', HEATMAP, FLAME),
		  "the service prints no reports: leave out --interval, "
		  "--count, --json, --heatmap and --flame");
	refuse_given_if(!o->serve.daemon && !o->serve.check_config,
			GROUP(SERVE_run_as, SERVE_pid_file),
			"--run-as and --pid-file have no effect without "
			"--daemon: use 'tsmbd serve'");
}

/* What would end tsmbd later, when the service opens its socket. */
static void check_listening(const struct serve_options *o)
{
	refuse_given_if(o->listen == NULL,
			GROUP(SERVE_auth, SERVE_no_auth, SERVE_tls_cert,
			      SERVE_tls_key),
			"--auth, --no-auth, --tls-cert and --tls-key have no "
			"effect without --listen");
	refuse_if((o->tls_cert == NULL) != (o->tls_key == NULL),
		  GROUP(SERVE_tls_cert, SERVE_tls_key),
		  "--tls-cert and --tls-key have to be given together");
	if (o->listen != NULL && o->auth == NULL && !o->no_auth &&
	    !listen_is_local(o->listen))
		values_refuse_option(SERVE_listen, "--listen=%s: everybody in "
				     "the network could read names of files "
				     "and users: use --auth=FILE, or "
				     "--no-auth to allow that", o->listen);
}

static void check_sinks(const struct serve_options *o)
{
	check_listening(o);
	refuse_given_if(o->listen == NULL && o->textfile == NULL,
			GROUP(SERVE_top_series),
			"--top-series has no effect without --listen or "
			"--textfile");
	refuse_given_if(o->history == NULL, GROUP(SERVE_history_size),
			"--history-size has no effect without --history");
	refuse_if(o->html_flame && (o->html == NULL || o->listen == NULL),
		  GROUP(SERVE_html_flame),
		  "--html-flame has no effect without --html and --listen");
	refuse_if(o->save != NULL && o->when.count == 0, GROUP(SERVE_save),
		  "--save has no effect without --when");
	refuse_given_if(o->save == NULL, GROUP(SERVE_save_size),
			"--save-size has no effect without --save");
}

void options_check(const struct options *options)
{
	check_sinks(&options->serve);
	check_service(options);
	check_report(options);
}
