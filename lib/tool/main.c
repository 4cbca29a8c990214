/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sdtkit command: a table of subcommands, and what they all need: help,
 * version, and an exit status that tells when the output could not be
 * written.
 *
 *	$ sdtkit list -v /usr/sbin/smbd
 *	         \________ argv of the subcommand
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs.h"
#include "fold.h"
#include "out.h"
#include "progress.h"
#include "tool.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "list", tool_list, "the probes of files and of processes" },
	{ "check", tool_check, "hold programs against their description" },
	{ "diff", tool_diff, "what scripts break on, between two builds" },
	{ "gen", tool_gen, "make headers and more of descriptions: probegen" },
	{ "trace", tool_trace, "run a program, print its probes as they fire" },
};

enum {
	COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]),
};

/* What runs, as messages begin with it: "sdtkit list". */
static char running[32] = "sdtkit";

void tool_complain(const char *format, ...)
{
	char text[8192];
	const char *at;
	va_list ap;

	out_flush();
	progress_clear();
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	fprintf(stderr, "%s: ", running);
	/* Names of files may drive a terminal: see out_path(). */
	for (at = text; *at != '\0'; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			fprintf(stderr, "\\x%02x", (unsigned int)*at);
		else
			fputc(*at, stderr);
	}
	fputc('\n', stderr);
}

void tool_no_memory(void)
{
	fprintf(stderr, "%s: out of memory\n", running);
	exit(TOOL_TROUBLE);
}

void *tool_grow(void *array, size_t count, size_t *room, size_t item_size)
{
	size_t more = *room == 0 ? 64 : *room * 2;

	if (count < *room)
		return array;
	array = reallocarray(array, more, item_size);
	if (array == NULL)
		tool_no_memory();
	*room = more;
	return array;
}

static int version(void)
{
	out_text("sdtkit " TOOL_VERSION "\n");
	return TOOL_FOUND;
}

/* --color and --width, which are the same for all that have them. */
static bool set_looks(int option, const char *value)
{
	if (option == TOOL_COLOR && !out_set_colour(value))
		tool_complain("invalid value '%s' for --color: use always, "
			      "auto or never", value);
	else if (option == TOOL_WIDTH && !fold_set_width(value))
		tool_complain("invalid value '%s' for --width: use a number "
			      "of characters, or 0 for no limit", value);
	else
		return true;
	return false;
}

int tool_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help)
{
	int option;

	do {
		option = getopt_long(argc, argv, letters, options, NULL);
		if ((option == TOOL_COLOR || option == TOOL_WIDTH) &&
		    !set_looks(option, optarg))
			return TOOL_MISUSED;
	} while (option == TOOL_COLOR || option == TOOL_WIDTH);
	switch (option) {
	case 'h':
		out_text(docs_named(help));
		return TOOL_HELPED;
	case 'V':
		version();
		return TOOL_HELPED;
	case '?':
		tool_complain("try '%s --help'", argv[0]);
		return TOOL_MISUSED;
	default:
		return option;
	}
}

int tool_option_status(int option)
{
	return option == TOOL_HELPED ? TOOL_FOUND : TOOL_TROUBLE;
}

static int help(void)
{
	size_t i;

	out_text("Usage: sdtkit COMMAND ...\n"
		 "Static probes (USDT) of programs and libraries.\n"
		 "\n"
		 "Commands:\n");
	for (i = 0; i < COMMAND_COUNT; i++)
		out_format("  %-10s %s\n", commands[i].name,
			   commands[i].summary);
	out_text("\n"
		 "  -h, --help     this text; sdtkit COMMAND --help for more\n"
		 "  -V, --version  the version\n"
		 "\n"
		 "Examples:\n"
		 "  sdtkit list /usr/sbin/smbd\n"
		 "  sdtkit check build/smbd --against smb2.d\n"
		 "  sdtkit diff /usr/sbin/smbd build/smbd\n"
		 "  sdtkit gen smb2.d -o smb2_probes.h\n"
		 "  sdtkit trace build/smbd --interactive\n");
	return TOOL_FOUND;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	snprintf(running, sizeof(running), "sdtkit %s", command->name);
	/* Messages of getopt begin with this. */
	argv[0] = running;
	return command->run(argc, argv);
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	size_t i;

	if (name == NULL) {
		tool_complain("no command given; try 'sdtkit --help'");
		return TOOL_TROUBLE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return help();
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		return version();
	for (i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(name, commands[i].name) == 0)
			return run_command(&commands[i], argc - 1, argv + 1);
	}
	tool_complain("unknown %s '%s'; try 'sdtkit --help'",
		      name[0] == '-' ? "option" : "command", name);
	return TOOL_TROUBLE;
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);
	int ret = out_flush();

	if (ret < 0) {
		tool_complain("cannot write the output: %s", strerror(-ret));
		status = TOOL_TROUBLE;
	}
	return status;
}
