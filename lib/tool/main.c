/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sdtkit command: a table of subcommands, help, and an exit status that
 * tells when the output could not be written.
 *
 *	$ sdtkit list -v /usr/sbin/smbd
 *	         \________ argv of the subcommand
 */
#include <stddef.h>
#include <string.h>

#include "bt/command.h"
#include "check/command.h"
#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"
#include "diff/command.h"
#include "gen/command.h"
#include "lib/text/similar.h"
#include "list/command.h"
#include "serve/become.h"
#include "top/command.h"
#include "trace/command.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "list", tool_list, "list the probes of files and processes" },
	{ "check", tool_check, "compare programs with their description" },
	{ "diff", tool_diff, "report changes that break scripts" },
	{ "gen", tool_gen, "generate headers and more: runs probegen" },
	{ "init", tool_init, "begin with probes in a program" },
	{ "trace", tool_trace, "run a program and print its hits" },
	{ "top", tool_top, "show where the time of a program goes" },
	{ "bt", tool_bt, "run bpftrace with names of arguments" },
	{ "serve", tool_serve, "tell Prometheus and a page of all programs" },
	{ "replay", tool_serve, "print what 'sdtkit serve' has recorded" },
	{ "merge", tool_serve, "print one report of several hosts" },
};

enum {
	COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]),
};

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
		 "  -h, --help     print this text, or after COMMAND its own\n"
		 "  -V, --version  print the version, and what it was built with\n"
		 "\n"
		 "Examples:\n"
		 "  sdtkit list /usr/sbin/smbd\n"
		 "  sdtkit check build/smbd --description smb2.d\n"
		 "  sdtkit diff /usr/sbin/smbd build/smbd\n"
		 "  sdtkit gen smb2.d -o smb2_probes.h\n"
		 "  sdtkit trace 'smb2:*' build/smbd --interactive\n"
		 "  sdtkit top -p $(pidof -s smbd) -i 1\n"
		 "  sdtkit bt -e 'smb2:request_exec { @[args.user] = count(); }' build/smbd\n");
	return TOOL_FOUND;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	argv[0] = tool_begin(command->name);
	return command->run(argc, argv);
}

/* The command that was meant, or NULL. */
static const char *similar_command(const char *name)
{
	unsigned int most = SIMILAR_ENOUGH - 1;
	const char *found = NULL;
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		unsigned int percent =
			sdtkit_similar_names(name, commands[i].name);

		if (percent > most) {
			most = percent;
			found = commands[i].name;
		}
	}
	return found;
}

static int complain_of(const char *name)
{
	const char *similar = similar_command(name);

	if (name[0] == '-')
		tool_complain("unknown option '%s'; try 'sdtkit --help'",
			      name);
	else if (similar != NULL)
		tool_complain("unknown command '%s'; did you mean '%s'? 'sdtkit "
			      "--help' lists the commands", name, similar);
	else
		tool_complain("unknown command '%s'; 'sdtkit --help' lists the "
			      "commands", name);
	return TOOL_TROUBLE;
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	size_t i;

	if (name == NULL) {
		tool_complain("no command given; try 'sdtkit --help'");
		return TOOL_TROUBLE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0)
		return help();
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		return tool_version_and_parts();
	for (i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(name, commands[i].name) == 0)
			return run_command(&commands[i], argc - 1, argv + 1);
	}
	return complain_of(name);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);
	int ret;

	if (status == TOOL_FOUND)
		out_begin();
	ret = out_flush();

	if (ret < 0) {
		tool_complain("cannot write the output: %s", strerror(-ret));
		status = TOOL_TROUBLE;
	}
	return status;
}
