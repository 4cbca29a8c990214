/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace: runs a command and prints its probes as they fire, with the
 * names and types of their arguments. It needs neither privilege nor the
 * kernel's help.
 *
 *	$ sdtkit trace -p 'smb2:request_*' -- demo-server /srv
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
 *	ticks.c		interrupts writes that block
 *	output.c	where lines go
 *	report.c	in which form: lines.c, json.c, count.c, ctf.c
 *	start.c, complaints.c, recorded.c	what is said at the start and at the end
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
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
	"Usage: sdtkit trace [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"       sdtkit trace [OPTION]... [--snapshot] -p PID [PATTERN]...\n"
	"       sdtkit trace [OPTION]... --snapshot FILE [PATTERN]...\n"
	"Run COMMAND and print its probes as they fire; this needs no privilege. Or\n"
	"print those of a process that has a recorder, docs/recorder.md.\n"
	"\n"
	"  -p, --probe=PATTERN  trace only these: 'smb2:*,!smb2:*_end'; repeatable\n"
	"      --pid=PID        follow this process until it ends; -p PID does, too\n"
	"      --snapshot       print what its recorder has now, or what FILE has\n"
	"  -o, --output=FILE    write lines to FILE, not to standard error\n"
	"  -c, --count          print at the end how often each probe has fired\n"
	"  -n, --max=N          stop tracing after N lines; COMMAND goes on\n"
	"  -t, --time=KIND      time of a line: start, delta, clock, epoch or none\n"
	"  -s, --strings=SIZE   cut strings longer than SIZE bytes; default: 200\n"
	"  -w, --wait=SECONDS   how long COMMAND waits for a blocked output; default: 10\n"
	"      --no-children    trace COMMAND only, none of its children\n"
	"  -q, --quiet          do not print at the start how much is traced\n"
	"      --color=WHEN     use colours: auto, always or never\n"
	"  -j, --json           write JSON for programs: docs/trace.schema.json\n"
	"      --ctf=DIR        write a trace for babeltrace2 and Trace Compass to DIR\n"
	"  -h, --help           print this text; -V, --version prints the version\n"
	"\n"
	"Exit status: that of COMMAND, 128 and the number of the signal that ended it,\n"
	"126 or 127 if it cannot be run, 125 after an error, 1 if lines are missing.\n"
	"\n"
	"Examples:\n"
	"  sdtkit trace -p 'smb2:*' -o /tmp/hits make check\n";

enum {
	NO_CHILDREN = 0x200,
	CTF,
	PID,
	SNAPSHOT,
};

enum {
	STRING_DEFAULT = 200,
	/* The longest text that libsdtkit-tap copies. */
	STRING_MAX = 1023,
	WAIT_DEFAULT = 10,
	WAIT_MAX = 3600,
};

static const struct option options[] = {
	{ "probe", required_argument, NULL, 'p' },
	{ "output", required_argument, NULL, 'o' },
	{ "count", no_argument, NULL, 'c' },
	{ "max", required_argument, NULL, 'n' },
	{ "time", required_argument, NULL, 't' },
	{ "strings", required_argument, NULL, 's' },
	{ "wait", required_argument, NULL, 'w' },
	{ "no-children", no_argument, NULL, NO_CHILDREN },
	{ "quiet", no_argument, NULL, 'q' },
	TOOL_OPTION_COLOR,
	{ "json", no_argument, NULL, 'j' },
	{ "ctf", required_argument, NULL, CTF },
	{ "pid", required_argument, NULL, PID },
	{ "snapshot", no_argument, NULL, SNAPSHOT },
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

static bool add_pattern(struct tracing *tracing, const char *text)
{
	if (!patterns_add(&tracing->patterns, text))
		return false;
	if (strlen(tracing->patterns.list) < SDTKIT_TRACE_PATTERNS)
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

static bool set_number(const char *option, const char *text, uint64_t min,
		       uint64_t max, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && text[0] != '-' &&
	    *number >= min && *number <= max)
		return true;
	tool_complain("invalid value '%s' for --%s: use a number from %llu "
		      "to %llu", text, option,
		      (unsigned long long)min, (unsigned long long)max);
	return false;
}

static bool set_string_limit(struct tracing *tracing, const char *text)
{
	uint64_t number;

	if (!set_number("strings", text, 1, STRING_MAX, &number))
		return false;
	tracing->string_limit = (uint32_t)number;
	return true;
}

static bool set_patience(struct tracing *tracing, const char *text)
{
	uint64_t seconds;

	if (!set_number("wait", text, 0, WAIT_MAX, &seconds))
		return false;
	tracing->patience_ms = (uint32_t)seconds * 1000;
	tracing->waits = seconds > 0;
	return true;
}

static bool set_pid(struct tracing *tracing, const char *text)
{
	uint64_t number;

	if (!set_number("pid", text, 1, INT32_MAX, &number))
		return false;
	if (tracing->pid != 0 && tracing->pid != (pid_t)number) {
		tool_complain("only one process can be followed: %d or %s",
			      (int)tracing->pid, text);
		return false;
	}
	tracing->pid = (pid_t)number;
	return true;
}

/* Returns false after a complaint. */
static bool take_option(struct tracing *tracing, int option)
{
	switch (option) {
	case 'p':
		if (tracing_is_number(optarg))
			return set_pid(tracing, optarg);
		if (add_pattern(tracing, optarg))
			return true;
		tracing_complain_of_name(optarg);
		return false;
	case PID:
		return set_pid(tracing, optarg);
	case SNAPSHOT:
		tracing->is_snapshot = true;
		return true;
	case 'o':
		tracing->path = optarg;
		return true;
	case 'c':
		tracing->count = true;
		return true;
	case 'n':
		return set_number("max", optarg, 1, UINT64_MAX,
				  &tracing->max);
	case 't':
		return set_time(tracing, optarg);
	case 's':
		tracing->of_command = "strings";
		return set_string_limit(tracing, optarg);
	case 'w':
		tracing->of_command = "wait";
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
			    tracing->count ? "--count" :
			    tracing->path != NULL ? "--output" : NULL;

	if (tracing->ctf != NULL && other != NULL)
		tool_complain("--ctf and %s cannot be used together", other);
	else if (tracing->is_snapshot && tracing->of_command != NULL)
		tool_complain("--%s cannot be used with --snapshot: what it "
			      "reads has been recorded", tracing->of_command);
	else if (!tracing_is_reading(tracing) && tracing->patterns.count > 0 &&
		 strchr(tracing->patterns.list, '/') != NULL)
		tool_complain("'%s': filters can only be used with a recorder: "
			      "-p PID", tracing->patterns.list);
	else if (tracing->pid != 0 && tracing->no_children)
		tool_complain("--no-children can only be used with COMMAND");
	else
		return true;
	return false;
}

/*
 * Reads options up to COMMAND or, with a recording, all of them; what are none
 * moves to the front. Returns what tool_option() returned last, with *count of
 * what is there.
 */
static int take_options(int argc, char **argv, struct tracing *tracing,
			size_t *count)
{
	int option;

	*count = 0;
	for (;;) {
		/* "+": what follows COMMAND belongs to COMMAND. */
		option = tool_option(argc, argv, "+p:o:cn:t:s:w:qjhV", options,
				     help_text);
		if (option == TOOL_HELPED || option == TOOL_MISUSED)
			return option;
		if (option != -1) {
			if (!take_option(tracing, option))
				return TOOL_MISUSED;
			continue;
		}
		if (!tracing_is_reading(tracing) || optind >= argc)
			return -1;
		argv[1 + (*count)++] = argv[optind++];
	}
}

/* Returns what tool_option() returned last: -1, TOOL_HELPED or TOOL_MISUSED. */
static int parse_options(int argc, char **argv, struct tracing *tracing)
{
	size_t count;
	int option = take_options(argc, argv, tracing, &count);

	if (option != -1)
		return option;
	if (!are_possible(tracing))
		return TOOL_MISUSED;
	if (tracing_is_reading(tracing))
		return tracing_take_words(tracing, argv + 1, count) ? -1 :
							      TOOL_MISUSED;
	if (optind < argc) {
		tracing->command = argv + optind;
		return -1;
	}
	tool_complain("no COMMAND given; try 'sdtkit trace --help'");
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
	status = tracing_check_command(tracing->command[0]);
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
		.patience_ms = WAIT_DEFAULT * 1000,
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
