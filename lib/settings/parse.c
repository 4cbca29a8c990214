/* SPDX-License-Identifier: BSD-2-Clause */
/* parse.c - argv and the configuration file, by the tables of a program. */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "similar.h"
#include "values.h"

enum { VERSION = 256, MOST_OPTIONS = 128 };

static const struct option own_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, VERSION },
	{ NULL, 0, NULL, 0 },
};

/* The rules of a file know no context. */
static const struct settings_program *program;

static void say_and_exit(const char *text)
{
	fputs(text, stdout);
	if (fflush(stdout) != 0)
		err(1, "standard output");
	exit(0);
}

/* The options of all tables, and the end mark. */
static const struct option *list_options(void)
{
	static struct option list[MOST_OPTIONS];
	size_t count = settings_list(program->settings, list);

	memcpy(list + count, own_options, sizeof(own_options));
	return list;
}

static void note(int option)
{
	const struct option *one = list_options();

	while (one->name != NULL && one->val != option)
		one++;
	if (one->name != NULL)
		values_note(one->name);
}

static void parse_one(int option, const char *value, void *options)
{
	note(option);
	if (option == 'h') {
		fputs(program->usage, stdout);
		settings_help(program->settings, stdout);
		say_and_exit(program->usage_end);
	} else if (option == VERSION || option == 'V') {
		say_and_exit(program->version);
	} else if (!settings_set(program->settings, option, options, value)) {
		values_hint();
	}
}

/* The file of the last --config, or NULL. */
static const char *find_config(int argc, char **argv)
{
	const struct option *list = list_options();
	const char *path = NULL;
	int index = 0;
	int option;

	opterr = 0;
	optind = 0;
	while ((option = getopt_long(argc, argv, program->letters, list,
				     &index)) != -1) {
		if (option >= SETTINGS_FIRST &&
		    strcmp(list[index].name, "config") == 0)
			path = optarg;
	}
	opterr = 1;
	optind = 0;
	return path;
}

bool settings_load(const struct settings_program *of, int argc, char **argv,
		   struct config *config)
{
	const char *path;

	program = of;
	path = find_config(argc, argv);
	*config = (struct config){ .path = NULL };
	return path == NULL || config_load(path, config);
}

/* After what getopt_long() has said of it. */
__attribute__((noreturn))
static void refuse_option(char **argv)
{
	const char *similar = optopt != 0 ? NULL :
		sdtkit_similar_option(argv[optind - 1], list_options());

	if (similar != NULL)
		fprintf(stderr, "%s: did you mean --%s?\n", argv[0], similar);
	values_hint();
}

void settings_parse(const struct settings_program *of, int argc, char **argv,
		    struct config *config, void *options)
{
	const struct config_rules rules = {
		of->settings, parse_one, of->excluded, of->instead_of,
	};
	int option;

	program = of;
	values_begin();
	settings_defaults(of->settings, options);
	config_parse(config, list_options(), &rules, options);
	while ((option = getopt_long(argc, argv, of->letters, list_options(),
				     NULL)) != -1) {
		values_check_word(argv, list_options(), option);
		if (option == '?')
			refuse_option(argv);
		parse_one(option, optarg, options);
	}
}
