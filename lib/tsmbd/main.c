/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - tsmbd: where does the time of smbd go?
 *
 *	tsmbd [OPTION]... [PID]		traces
 *	tsmbd COMMAND [OPTION]...	does what the table below says
 */
#include <stddef.h>
#include <string.h>

#include "service/serve.h"
#include "commands.h"

static int serve(int argc, char **argv)
{
	return serve_main("tsmbd", run_main, argc, argv);
}

static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
} commands[] = {
	{ "merge", merge_main },
	{ "replay", replay_main },
	{ "serve", serve },
	{ NULL, run_main },		/* without the name of a command */
};

int main(int argc, char **argv)
{
	const struct command *command = commands;

	/* getopt(3) prints it: a path would say nothing */
	if (argc > 0)
		argv[0] = (char *)"tsmbd";
	while (command->name != NULL &&
	       (argc < 2 || strcmp(argv[1], command->name) != 0))
		command++;
	if (command->name == NULL)
		return command->main(argc, argv);
	argv[1] = argv[0];
	return command->main(argc - 1, argv + 1);
}
