/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit bt: runs bpftrace with a script that names probes and their arguments.
 *
 *	$ sdtkit bt -e 'smb2:read_start { @[args.file] = sum(args.length); }' \
 *		/usr/sbin/smbd
 *
 *	command.c	the command line
 *	source.c	the text, and complaints that point at it
 *	token.c, clause.c, point.c	what is in the text
 *	objects.c, match.c	the files with probes, and which are meant
 *	plan.c		what to mind where bpftrace confuses probes
 *	rewrite.c, walk.c, members.c	a clause for one probe: chain.c finds
 *			what args.NAME is, enumerator.c what CREATE is,
 *			value.c and operand.c how bpftrace reads it
 *	translate.c, attach.c	the script for bpftrace
 *	run.c		bpftrace
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bt/clause.h"
#include "bt/command.h"
#include "bt/objects.h"
#include "bt/run.h"
#include "bt/source.h"
#include "bt/translate.h"
#include "common/command_path.h"
#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"

static const char help_text[] =
	"Usage: sdtkit bt [OPTION]... -e SCRIPT [FILE]... [-- ARGUMENT...]\n"
	"       sdtkit bt [OPTION]... SCRIPT-FILE [FILE]... [-- ARGUMENT...]\n"
	"Run bpftrace with a script that names probes and their arguments. FILE is a\n"
	"program or a library with the probes.\n"
	"\n"
	"  -e, --execute=SCRIPT  the text of the script, or a line of it; repeatable\n"
	"  -p, --pid=PID         a process, not its children, with what it has mapped\n"
	"  -n, --name=NAME       the same, for the process of this name\n"
	"      --description=FILE  take names of a program that has none from FILE\n"
	"      --cmd=COMMAND     run this and trace it; without FILE, it has the probes\n"
	"      --print           print the script for bpftrace, and do not run it\n"
	"      --target=VERSION  write it for this version (0.17), not the installed one\n"
	"  -q, --quiet           do not say how many probes are attached\n"
	"  -o, --output=FILE     write to FILE, not to standard output\n"
	"  -j, --json            let bpftrace write JSON\n"
	"  -h, --help            print this text; -V, --version prints the version\n"
	"\n"
	"In the script: PROVIDER:PROBE and patterns ('smb2:*,!smb2:*_end'), or\n"
	"usdt:FILE:PROVIDER:PROBE. args.NAME is an argument, args.NAME.MEMBER a member of\n"
	"a record; args.NAME == WORD compares with a named value, and name(args.NAME) is\n"
	"the name of a value. All else is bpftrace's. ARGUMENT is for bpftrace: an\n"
	"option, or a value for $1. BPFTRACE is the command to run, default: bpftrace.\n"
	"Exit status: that of bpftrace; 2 if the script is wrong, 127 without bpftrace.\n"
	"\n"
	"Examples:\n"
	"  sdtkit bt -e 'smb2:request_exec /args.opcode == CREATE/\n"
	"          { @[args.user] = count(); }' /usr/sbin/smbd\n";

enum {
	DESCRIPTION = 0x300,
	PRINT,
	TARGET,
	CMD,
};

static const struct option options[] = {
	{ "execute", required_argument, NULL, 'e' },
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "description", required_argument, NULL, DESCRIPTION },
	{ "cmd", required_argument, NULL, CMD },
	{ "print", no_argument, NULL, PRINT },
	{ "target", required_argument, NULL, TARGET },
	{ "quiet", no_argument, NULL, 'q' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	struct source source;
	struct objects objects;
	bool has_text;
	pid_t pid;
	char *command;
	bool print;
	bool quiet;
	bool json;
	bool has_version;
	struct dialect dialect;
	/* The words that are no options, and those behind "--". */
	char **words;
	size_t word_count;
	char **rest;
	size_t rest_count;
};

static bool set_version(struct request *request, const char *text)
{
	request->has_version = run_parse_version(text, &request->dialect);
	if (!request->has_version)
		tool_complain("invalid value '%s' for --target: use a version of "
			      "bpftrace, such as 0.17", text);
	return request->has_version;
}

/* Returns false after a complaint. */
static bool take_option(struct request *request, int option)
{
	switch (option) {
	case 'e':
		source_add(&request->source, optarg);
		request->has_text = true;
		return true;
	case 'p':
		return tool_read_pid(optarg, &request->pid);
	case 'n':
		return tool_read_only_name(optarg, &request->pid);
	case DESCRIPTION:
		return objects_add_description(&request->objects, optarg);
	case CMD:
		request->command = optarg;
		return true;
	case 'q':
		request->quiet = true;
		return true;
	case 'o':
		return tool_set_output(optarg);
	case 'j':
		request->json = true;
		return true;
	case PRINT:
		request->print = true;
		return true;
	default:
		return set_version(request, optarg);
	}
}

/* What is behind "--" is for bpftrace, and getopt must not see it. */
static int count_before_rest(int argc, char **argv, struct request *request)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		request->rest = argv + i + 1;
		request->rest_count = (size_t)(argc - i - 1);
		return i;
	}
	return argc;
}

/* Returns what tool_option() returned last: -1, TOOL_HELPED or TOOL_MISUSED. */
static int parse_options(int argc, char **argv, struct request *request)
{
	int count = count_before_rest(argc, argv, request);
	char *saved = argv[count];
	int option;

	argv[count] = NULL;
	while ((option = tool_option(count, argv, "e:p:n:qo:jhV", options,
				     help_text)) != -1) {
		if (option == TOOL_HELPED || option == TOOL_MISUSED)
			return option;
		if (!take_option(request, option))
			return TOOL_MISUSED;
	}
	argv[count] = saved;
	request->words = argv + optind;
	request->word_count = (size_t)(count - optind);
	if (request->has_text)
		return -1;
	if (request->word_count == 0) {
		tool_complain("no script given: use -e SCRIPT or the name of a "
			      "file; try 'sdtkit bt --help'");
		return TOOL_MISUSED;
	}
	if (!source_read(&request->source, request->words[0]))
		return TOOL_MISUSED;
	request->words++;
	request->word_count--;
	return -1;
}

/* The program of --cmd is the file with the probes if nothing else is. */
static bool add_command(struct objects *objects, const char *text)
{
	char name[PATH_MAX], path[PATH_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " \t"), text);
	if (command_path(name, path))
		return objects_add_file(objects, path);
	tool_complain("cannot run '%s': no such program", name);
	return false;
}

static bool add_objects(struct request *request, struct objects *objects)
{
	size_t i;

	objects->pid = request->pid;
	for (i = 0; i < request->word_count; i++) {
		if (!objects_add_file(objects, request->words[i]))
			return false;
	}
	if (request->pid != 0)
		return objects_add_process(objects);
	if (request->word_count == 0 && request->command != NULL)
		return add_command(objects, request->command);
	return true;
}

/* Returns 0 or the exit status. */
static int choose_dialect(struct request *request)
{
	int status;

	if (request->has_version)
		return 0;
	status = run_read_version(&request->dialect, !request->print);
	if (status == 0 || !request->print)
		return status;
	/* What the oldest version reads, newer ones read, too. */
	return run_parse_version("0.17", &request->dialect) ? 0 : status;
}

static int execute(const struct request *request,
		   const struct translation *translation)
{
	char **arguments = tool_zeros(request->rest_count + 8,
				      sizeof(*arguments));
	size_t used = 0;
	char pid[16];
	int status;

	snprintf(pid, sizeof(pid), "%d", (int)request->pid);
	if (request->pid != 0 && !translation->looks_at_pid) {
		arguments[used++] = (char *)"-p";
		arguments[used++] = pid;
	}
	if (request->command != NULL) {
		arguments[used++] = (char *)"-c";
		arguments[used++] = request->command;
	}
	if (request->quiet)
		arguments[used++] = (char *)"-q";
	if (request->json) {
		arguments[used++] = (char *)"-f";
		arguments[used++] = (char *)"json";
	}
	if (request->rest_count > 0)
		memcpy(arguments + used, request->rest,
		       request->rest_count * sizeof(*arguments));
	status = run_bpftrace(&request->dialect, translation->text,
			      translation->probes, arguments);
	free(arguments);
	return status;
}

static int run(struct request *request)
{
	struct translation translation = { .text = NULL };
	struct clauses clauses = { .count = 0 };
	struct objects *objects = &request->objects;
	int status = TOOL_TROUBLE;

	if (clauses_parse(&clauses, &request->source) &&
	    add_objects(request, objects)) {
		status = choose_dialect(request);
		if (status == 0 &&
		    !translate(&request->source, &clauses, objects,
			       &request->dialect, &translation))
			status = TOOL_TROUBLE;
	}
	clauses_free(&clauses);
	if (status == 0 && request->print) {
		out_text(translation.text);
		if (translation.text[0] != '\0' &&
		    translation.text[strlen(translation.text) - 1] != '\n')
			out_char('\n');
	} else if (status == 0) {
		status = execute(request, &translation);
	}
	free(translation.text);
	return status;
}

int tool_bt(int argc, char **argv)
{
	struct request request = { .pid = 0 };
	int option = parse_options(argc, argv, &request);
	int status = option == -1 ? run(&request) :
				    tool_option_status(option);

	objects_free(&request.objects);
	source_free(&request.source);
	return status;
}
