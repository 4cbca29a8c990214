/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - sdtkit serve, replay and merge, in a program of their own: what only
 * lists probes need not be linked with a web server and a database.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/service/plan.h"
#include "lib/service/serve.h"
#include "lib/symbols/stacks.h"
#include "lib/uprobe/allowed.h"
#include "serve/options.h"
#include "serve/program.h"
#include "serve/replay.h"
#include "serve/supervise.h"

static void check_and_exit(const struct sink_setup *setup)
{
	const struct serve_options *o = setup->options;
	const char *user = serve_check(&serve_service, &o->service);

	sinks_check(setup);
	plan_print(stdout, &serve_service, setup, user);
	exit(ferror(stdout) || fflush(stdout) != 0);
}

static int run(int argc, char **argv)
{
	static struct serve_options options;
	const struct sink_setup setup = { &serve_program, &options, 0 };
	char why[ALLOWED_TEXT];
	struct config config;
	bool good;

	if (!serve_options_load(argc, argv, &config))
		return 1;
	serve_options_parse(argc, argv, &config, &options);
	if (options.service.check_config)
		check_and_exit(&setup);
	options.kernel = allowed_to_trace("sdtkit serve", why);
	if (!options.kernel && options.via == TOOL_VIA_KERNEL)
		errx(1, "not permitted to trace: %s", why);
	if (!options.kernel)
		warnx("programs of other users, and processes without a "
		      "recorder, are not counted: %s", why);
	supervise_catch_signals();
	if (!sinks_wanted(&setup))
		warnx("the service makes nothing: set listen, textfile, "
		      "history, html or when");
	serve_begin(&serve_service, argc, argv, &options);
	serve_open_sinks(&setup, &options);
	/* workers may not see the kernel's symbols, but have them from here */
	if (options.sink_samples)
		stacks_begin();
	serve_attached(&options);
	good = supervise(&setup, &options);
	good &= sinks_close(&setup);
	good &= serve_end();
	return good ? 0 : 1;
}

static int serve(int argc, char **argv)
{
	return serve_main("sdtkit serve", run, argc, argv);
}

/* As sdtkit has called it: become.c. */
int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "sdtkit serve", serve },
		{ "sdtkit replay", replay_command },
		{ "sdtkit merge", merge_command },
	};
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (argc == 0 || strcmp(argv[0], commands[i].name) != 0)
			continue;
		tool_begin(strchr(argv[0], ' ') + 1);
		program_invocation_short_name = argv[0];
		return commands[i].run(argc, argv);
	}
	errx(1, "this is a part of sdtkit: use 'sdtkit serve'");
}
