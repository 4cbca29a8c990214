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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tsmbd/sinks.h"
#include "link.h"
#include "options.h"
#include "reload.h"
#include "say.h"

static bool is_good(const struct server_source *source,
		    struct config *config)
{
	struct options options;
	pid_t child = fork();
	int status;

	if (child < 0) {
		warn("cannot check the configuration");
		return false;
	}
	if (child == 0) {
		options_parse_loaded(source->argc, source->argv, config,
				     &options);
		fflush(stderr);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_filter(const struct filter *a, const struct filter *b)
{
	int i;

	for (i = 0; i < a->count && i < b->count; i++) {
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	}
	return a->count == b->count;
}

static bool are_same_files(const struct options *a, const struct options *b)
{
	int i;

	for (i = 0; i < a->num_files && i < b->num_files; i++) {
		if (strcmp(a->files[i], b->files[i]) != 0)
			return false;
	}
	return a->num_files == b->num_files;
}

/*
 * What the programs in the kernel were loaded for. Returns whether the new
 * options ask for something else; sinks may have added needs to the old ones.
 */
static bool needs_restart(const struct options *asked,
			  const struct options *now)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (!is_same_filter(&asked->filters[kind],
				    &now->filters[kind]))
			return true;
	}
	return !are_same_files(asked, now) || asked->pid != now->pid ||
	       asked->node != now->node ||
	       !is_same_text(asked->name, now->name) ||
	       asked->tops != now->tops || asked->calls != now->calls ||
	       asked->distributions != now->distributions ||
	       asked->slow != now->slow || asked->slow_ms != now->slow_ms ||
	       asked->errors != now->errors || asked->exits != now->exits ||
	       asked->oplocks != now->oplocks ||
	       asked->commands != now->commands;
}

/*
 * The tracer hides names, before anybody sees them. So what was asked of it
 * holds on, and sinks must not believe something else. Returns whether the new
 * options ask for something else.
 */
static bool keep_privacy(const struct options *asked, struct options *now)
{
	bool differs = asked->metrics.privacy != now->metrics.privacy;

	now->metrics.privacy = asked->metrics.privacy;
	return differs;
}

/* Returns whether the file is good; options point into its text then. */
static bool read_again(const struct server_source *source,
		       struct options *fresh)
{
	struct config config;

	if (!options_load(source->argc, source->argv, &config))
		return false;
	if (!is_good(source, &config)) {
		config_free(&config);
		return false;
	}
	options_parse_loaded(source->argc, source->argv, &config, fresh);
	return true;
}

void reload(struct options *options, const struct server_source *source)
{
	struct options fresh;
	struct link_needs before, after;
	enum sinks_reloaded done;
	bool privacy;

	if (!read_again(source, &fresh)) {
		warnx("the configuration has not been changed");
		return;
	}
	before = link_needs_of(options);
	privacy = keep_privacy(&source->asked, &fresh);
	done = sinks_reload(options, &fresh);
	after = link_needs_of(options);
	link_needs_set(options, &before);
	if (done == SINKS_NOT_RELOADED) {
		warnx("the configuration has not been changed");
		return;
	}
	if (done == SINKS_ELSEWHERE || privacy ||
	    needs_restart(&source->asked, &fresh) ||
	    memcmp(&before, &after, sizeof(before)) != 0 ||
	    settings_differ(options_settings, &source->asked, &fresh,
			    "Service"))
		warnx("some changes of the configuration take effect when "
		      "tsmbd is started again: what is traced, incidents, "
		      "privacy, and the user that it runs as");
	say("the configuration has been read again");
}
