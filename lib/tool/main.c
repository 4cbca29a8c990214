/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sdtkit command: a table of subcommands, and what they all need: help,
 * version, and an exit status that tells when the output could not be
 * written.
 *
 *	$ sdtkit list -v /usr/sbin/smbd
 *	         \________ argv of the subcommand
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "list", tool_list, "list the probes of programs and libraries" },
};

enum {
	COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]),
};

void tool_complain(const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("sdtkit: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static int help(void)
{
	size_t i;

	printf("Usage: sdtkit COMMAND ...\n"
	       "Static probes (USDT) of programs and libraries.\n"
	       "\n"
	       "Commands:\n");
	for (i = 0; i < COMMAND_COUNT; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	printf("\n"
	       "      --help     this text; sdtkit COMMAND --help for more\n"
	       "      --version  the version\n"
	       "\n"
	       "Example:\n"
	       "  sdtkit list /usr/sbin/smbd\n");
	return TOOL_FOUND;
}

static int version(void)
{
	printf("sdtkit %s\n", TOOL_VERSION);
	return TOOL_FOUND;
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
			return commands[i].run(argc - 1, argv + 1);
	}
	tool_complain("unknown %s '%s'; try 'sdtkit --help'",
		      name[0] == '-' ? "option" : "command", name);
	return TOOL_TROUBLE;
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		tool_complain("cannot write the output: %s",
			      strerror(errno != 0 ? errno : EIO));
		status = TOOL_TROUBLE;
	}
	return status;
}
