/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace: runs a command and prints its probes as they fire, with the
 * names and types of their arguments. It needs neither privilege nor the
 * kernel's help, unless a program runs already and has no recorder.
 *
 *	$ sdtkit trace 'smb2:request_*' demo-server /srv
 *	  0.013412  4711  smb2:request_start(mid=1, opcode=0)
 *
 * The loader puts libsdtkit-trace.so into the command (LD_PRELOAD), which puts
 * jumps or traps at the sites. Hits come back through shared memory.
 *
 *	command.c	the command line
 *	executable.c	whether this command can be traced so
 *	setup.c		what it gets to begin with
 *	run.c		processes and signals
 *	children.c	processes that are not COMMAND's
 *	words.c		the words behind the options, if there is no COMMAND
 *	recording.c	instead of COMMAND: what a recorder has written
 *	attach.c	the recorder of a process
 *	kernel.c	programs without a recorder, by kernel.bpf.c
 *	ticks.c		interrupts writes that block
 *	output.c	where lines go
 *	report.c	in which form: lines.c, json.c, count.c, ctf.c
 *	start.c, complaints.c, recorded.c	what is said at the start and at the end
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"
#include "lib/trace/control.h"
#include "trace/command.h"
#include "trace/executable.h"
#include "trace/recording.h"
#include "trace/report.h"
#include "trace/run.h"
#include "trace/tracing.h"
#include "trace/words.h"

static const char help_text[] =
	"Usage: sdtkit trace [OPTION]... [PATTERN]... [--] COMMAND [ARGUMENT]...\n"
	"       sdtkit trace [OPTION]... [--snapshot] -p PID|-n NAME [PATTERN]...\n"
	"       sdtkit trace [OPTION]... --via=kernel|--snapshot FILE [PATTERN]...\n"
	"Run COMMAND and print its probes as they fire, or those of a program that runs:\n"
	"by its recorder, or, for root, by the kernel. PATTERN: '!smb2:*', 'a:b/n>1M/'.\n"
	"\n"
	"  -p, --pid=PID        follow this process until it ends\n"
	"  -n, --name=NAME      follow the processes of this name\n"
	"      --via=HOW        by the kernel, all processes of FILE too; or recorder\n"
	"      --description=FILE   by the kernel, with the names and types of smb2.d\n"
	"      --snapshot       print what its recorder has now, or what FILE has\n"
	"  -c, --count=N, -w, --wait=SECONDS   stop after N hits, or after this time\n"
	"      --totals         print at the end how often each probe has fired\n"
	"      --time=KIND      time of a line: start, delta, clock, epoch or none\n"
	"      --strings=SIZE   cut strings longer than SIZE bytes; default: 200\n"
	"      --patience=SECONDS   how long COMMAND waits for a blocked output: 10\n"
	"      --no-children    trace COMMAND only, none of its children\n"
	"  -q, --quiet          do not print at the start how much is traced\n"
	"  -o, --output=FILE    write lines to FILE, not to standard error\n"
	"  -j, --json           write JSON for programs: docs/trace.schema.json\n"
	"      --ctf=DIR        write a trace for babeltrace2 and Trace Compass to DIR\n"
	"      --color=WHEN     auto, always or never; -h, --help; -V, --version\n"
	"\n"
	"Exit status: that of COMMAND, 128 and the number of the signal that ended it,\n"
	"126 or 127 if it cannot be run, 125 after an error, 1 if lines are missing.\n"
	"\n"
	"Examples:\n"
	"  sdtkit trace 'smb2:*' -o /tmp/hits make check\n";

enum {
	NO_CHILDREN = 0x200,
	DESCRIPTION,
	VIA,
	CTF,
	PATIENCE,
	SNAPSHOT,
	STRINGS,
	TIME,
	TOTALS,
};

enum {
	STRING_DEFAULT = 200,
	/* The longest text that libsdtkit-tap copies. */
	STRING_MAX = 1023,
	PATIENCE_DEFAULT = 10,
	PATIENCE_MAX = 3600,
};

static const struct option options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "via", required_argument, NULL, VIA },
	{ "description", required_argument, NULL, DESCRIPTION },
	{ "snapshot", no_argument, NULL, SNAPSHOT },
	{ "output", required_argument, NULL, 'o' },
	{ "count", required_argument, NULL, 'c' },
	{ "wait", required_argument, NULL, 'w' },
	{ "totals", no_argument, NULL, TOTALS },
	{ "time", required_argument, NULL, TIME },
	{ "strings", required_argument, NULL, STRINGS },
	{ "patience", required_argument, NULL, PATIENCE },
	{ "no-children", no_argument, NULL, NO_CHILDREN },
	{ "quiet", no_argument, NULL, 'q' },
	TOOL_OPTION_COLOR,
	{ "json", no_argument, NULL, 'j' },
	{ "ctf", required_argument, NULL, CTF },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static const char *const time_names[] = {
	[TIME_START] = "start",
	[TIME_DELTA] = "delta",
	[TIME_CLOCK] = "clock",
	[TIME_EPOCH] = "epoch",
	[TIME_NONE] = "none",
};

static bool take_patterns(struct tracing *tracing, char **words, size_t count)
{
	if (!tracing_take_patterns(tracing, words, count))
		return false;
	if (strlen(tracing->asked) < SDTKIT_TRACE_PATTERNS)
		return true;
	tool_complain("the patterns are too long: together they may have %d "
		      "characters", SDTKIT_TRACE_PATTERNS - 1);
	return false;
}

static bool set_time(struct tracing *tracing, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(time_names) / sizeof(time_names[0]); i++) {
		if (strcmp(name, time_names[i]) == 0) {
			tracing->time = (enum tracing_time)i;
			return true;
		}
	}
	tool_complain("invalid value '%s' for --time: use start, delta, "
		      "clock, epoch or none", name);
	return false;
}

static bool set_string_limit(struct tracing *tracing, const char *text)
{
	unsigned long long number;

	if (!tool_read_number("--strings", text, 1, STRING_MAX, &number))
		return false;
	tracing->string_limit = (uint32_t)number;
	return true;
}

static bool set_patience(struct tracing *tracing, const char *text)
{
	unsigned long long seconds;

	if (!tool_read_number("--patience", text, 0, PATIENCE_MAX, &seconds))
		return false;
	tracing->patience_ms = (uint32_t)seconds * 1000;
	tracing->waits = seconds > 0;
	return true;
}

static bool set_pid(struct tracing *tracing, pid_t pid)
{
	if (tracing->pid != 0 && tracing->pid != pid) {
		tool_complain("only one process can be followed: %d or %d",
			      (int)tracing->pid, (int)pid);
		return false;
	}
	tracing->pid = pid;
	return true;
}

static bool complain_of_both(void)
{
	tool_complain("use either -p or -n; try 'sdtkit trace --help'");
	return false;
}

/* A process that is the only one of its name may have a recorder. */
static bool set_name(struct tracing *tracing, const char *name)
{
	pid_t *pids;
	size_t count;
	bool good;

	if (tracing->pid != 0 && tracing->name == NULL)
		return complain_of_both();
	count = tool_read_name(name, &pids);
	good = count > 0 && (count > 1 || set_pid(tracing, pids[0]));
	tracing->name = name;
	free(pids);
	return good;
}

/* Returns false after a complaint. */
static bool take_option(struct tracing *tracing, int option)
{
	pid_t pid;

	switch (option) {
	case 'p':
		if (tracing->name != NULL)
			return complain_of_both();
		return tool_read_pid(optarg, &pid) && set_pid(tracing, pid);
	case 'n':
		return set_name(tracing, optarg);
	case VIA:
		return tool_read_via(optarg, &tracing->via);
	case DESCRIPTION:
		return tracing_add_description(tracing, optarg);
	case SNAPSHOT:
		tracing->is_snapshot = true;
		return true;
	case 'o':
		tracing->path = optarg;
		return tool_may_replace(optarg);
	case 'c':
		return tool_read_number("--count", optarg, 1, ULLONG_MAX,
					&tracing->max);
	case 'w':
		return tool_read_seconds("--wait", optarg, &tracing->wait_ns);
	case TOTALS:
		tracing->count = true;
		return true;
	case TIME:
		return set_time(tracing, optarg);
	case STRINGS:
		tracing->of_command = "strings";
		return set_string_limit(tracing, optarg);
	case PATIENCE:
		tracing->of_command = "patience";
		return set_patience(tracing, optarg);
	case NO_CHILDREN:
		tracing->of_command = "no-children";
		tracing->no_children = true;
		return true;
	case 'q':
		tracing->quiet = true;
		return true;
	case CTF:
		tracing->ctf = optarg;
		return true;
	default:
		tracing->json = true;
		return true;
	}
}

/* Whether the options go together. Returns false after a complaint. */
static bool are_possible(const struct tracing *tracing)
{
	const char *other = tracing->json ? "--json" :
			    tracing->count ? "--totals" :
			    tracing->path != NULL ? "--output" : NULL;

	if (tracing->ctf != NULL && other != NULL)
		tool_complain("--ctf and %s cannot be used together", other);
	else if (tracing->is_snapshot && tracing->via != TOOL_VIA_ANY)
		tool_complain("--via and --snapshot cannot be used together");
	else if (tracing->file != NULL && tracing->via == TOOL_VIA_RECORDER)
		tool_complain("--via=recorder needs -p PID or -n NAME");
	else if (tracing->is_snapshot && tracing->of_command != NULL)
		tool_complain("--%s cannot be used with --snapshot: what it "
			      "reads has been recorded", tracing->of_command);
	else if (tracing->pid != 0 && tracing->no_children)
		tool_complain("--no-children can only be used with COMMAND");
	else
		return true;
	return false;
}

/* Whether the next word is COMMAND, to which all that follows belongs. */
static bool is_at_command(const struct tracing *tracing, char **argv)
{
	return !tracing_is_reading(tracing) &&
	       (strcmp(argv[optind - 1], "--") == 0 ||
		!tracing_is_pattern(argv[optind]));
}

/*
 * Reads options and patterns up to COMMAND or, with a recording, all words; what
 * are no options move to the front. Returns what tool_option() returned last,
 * with *count of what is there.
 */
static int take_options(int argc, char **argv, struct tracing *tracing,
			size_t *count)
{
	bool is_end;
	int option;

	*count = 0;
	for (;;) {
		/* "+": what follows COMMAND belongs to COMMAND. */
		option = tool_option(argc, argv, "+p:n:o:c:w:qjhV", options,
				     help_text);
		if (option == TOOL_HELPED || option == TOOL_MISUSED)
			return option;
		if (option != -1) {
			if (!take_option(tracing, option))
				return TOOL_MISUSED;
			continue;
		}
		if (optind >= argc || is_at_command(tracing, argv))
			return -1;
		/* getopt_long() may not be called again after that. */
		is_end = strcmp(argv[optind - 1], "--") == 0;
		do
			argv[1 + (*count)++] = argv[optind++];
		while (is_end && optind < argc);
		if (is_end)
			return -1;
	}
}

/* Returns what tool_option() returned last: -1, TOOL_HELPED or TOOL_MISUSED. */
static int parse_options(int argc, char **argv, struct tracing *tracing)
{
	size_t count;
	int option = take_options(argc, argv, tracing, &count);

	if (option != -1)
		return option;
	if (!(tracing_is_reading(tracing) ?
	      tracing_take_words(tracing, argv + 1, count) :
	      take_patterns(tracing, argv + 1, count)) ||
	    !are_possible(tracing))
		return TOOL_MISUSED;
	if (tracing_is_reading(tracing))
		return -1;
	if (optind < argc) {
		tracing->command = argv + optind;
		return tracing_is_command(argv + 1, count, tracing->command) ?
		       -1 : TOOL_MISUSED;
	}
	tool_complain("no COMMAND given%s; try 'sdtkit trace --help'",
		      count > 0 ? ": a word with a colon is a PATTERN" : "");
	return TOOL_MISUSED;
}

/*
 * If a standard file is closed, a file that sdtkit opens would get its number
 * and be taken for it. COMMAND still has it closed.
 */
static void occupy_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int run(struct tracing *tracing)
{
	int status;

	/* Programs that read JSON there expect nothing else. */
	if (tracing->json && tracing->path == NULL)
		tracing->quiet = true;
	occupy_standard_files();
	if (tracing_is_reading(tracing))
		return tracing_read_recording(tracing);
	status = tracing_check_command(tracing);
	if (status != 0)
		return status;
	if (!tracing_open_report(tracing))
		return TRACING_TROUBLE;
	return tracing_run(tracing);
}

int tool_trace(int argc, char **argv)
{
	struct tracing tracing = {
		.string_limit = STRING_DEFAULT,
		.patience_ms = PATIENCE_DEFAULT * 1000,
	};
	int option = parse_options(argc, argv, &tracing);
	int status;

	if (option == -1)
		status = run(&tracing);
	else
		status = option == TOOL_HELPED ? TOOL_FOUND : TRACING_TROUBLE;
	patterns_free(&tracing.patterns);
	free(tracing.asked);
	return status;
}
