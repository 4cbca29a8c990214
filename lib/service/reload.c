/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reload.c - SIGHUP: the options of sinks change, those of the trace do not.
 *
 * Whoever parses options exits if one is wrong. So a child tries it first. The
 * file may be exchanged at any moment, so it is read once: what the child finds
 * good is what we take.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "metrics/options.h"
#include "link.h"
#include "options.h"
#include "reload.h"
#include "say.h"

static void *new_options(const struct service_program *program)
{
	void *options = calloc(1, program->report->options_size);

	if (options == NULL)
		err(1, NULL);
	return options;
}

static bool is_good(const struct server_source *source,
		    struct config *config)
{
	void *options;
	pid_t child = fork();
	int status;

	if (child < 0) {
		warn("cannot check the configuration");
		return false;
	}
	if (child == 0) {
		options = new_options(source->program);
		source->program->parse(source->argc, source->argv, config,
				       options);
		fflush(stderr);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

/*
 * The tracer hides names, before anybody sees them. So what was asked of it
 * holds on, and sinks must not believe something else. Returns whether the new
 * options ask for something else.
 */
static bool keep_privacy(const struct server_source *source, void *now)
{
	const struct settings *settings = source->program->report->settings;
	const struct metrics_options *asked =
		settings_part(settings, source->asked, metrics_settings);
	struct metrics_options *fresh =
		settings_part(settings, now, metrics_settings);
	bool differs = asked->privacy != fresh->privacy;

	fresh->privacy = asked->privacy;
	return differs;
}

/*
 * Returns the options, which point into the text of the file then; NULL if the
 * file is wrong.
 */
static void *read_again(const struct server_source *source)
{
	struct config config;
	void *fresh;

	if (!source->program->load(source->argc, source->argv, &config))
		return NULL;
	if (!is_good(source, &config)) {
		config_free(&config);
		return NULL;
	}
	fresh = new_options(source->program);
	source->program->parse(source->argc, source->argv, &config, fresh);
	return fresh;
}

/* Whether something has changed that this process cannot change. */
static bool needs_restart(const struct server_source *source,
			  const void *fresh)
{
	return source->program->differs(source->asked, fresh) ||
	       settings_differ(source->program->report->settings, source->asked,
			       fresh, "Service");
}

void reload(const struct sink_setup *setup, void *options,
	    const struct server_source *source)
{
	void *fresh = read_again(source);
	struct sink_needs needs = source->needs;
	enum sinks_reloaded done = SINKS_NOT_RELOADED;
	bool privacy = false;

	if (fresh != NULL) {
		privacy = keep_privacy(source, fresh);
		done = sinks_reload(setup, options, fresh, &needs);
	}
	if (done == SINKS_NOT_RELOADED) {
		warnx("the configuration has not been changed");
		free(fresh);
		return;
	}
	if (done == SINKS_ELSEWHERE || privacy ||
	    needs_restart(source, fresh) ||
	    memcmp(&source->needs, &needs, sizeof(needs)) != 0)
		warnx("some changes of the configuration take effect when "
		      "%s is started again: what is traced, incidents, "
		      "privacy, and the user that it runs as",
		      source->program->report->name);
	free(fresh);
	say("the configuration has been read again");
}
