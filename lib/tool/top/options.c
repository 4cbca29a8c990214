/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the command line of sdtkit top. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/tool.h"
#include "lib/spans/spans.h"
#include "top/catalogue.h"
#include "top/describe.h"
#include "top/options.h"

static const char help_text[] =
	"Usage: sdtkit top [OPTION]... FILE [SPAN|PATTERN]...\n"
	"       sdtkit top [OPTION]... -p PID|-n NAME [SPAN|PATTERN]...\n"
	"Show where the time of a program goes: for each span that its description\n"
	"or --span declares, how many there were, how long they took, and how many\n"
	"failed. A word with a colon that is no span is a PATTERN, as 'smb2:read_*', and\n"
	"counts probes. Without spans, all probes of the FILE are counted.\n"
	"\n"
	"  -p, --pid=PID    trace a process and its children\n"
	"  -n, --name=NAME  trace what the processes of this name have mapped\n"
	"      --span='NAME: START..END key=ARG'   declare a span: see below\n"
	"      --describe=FILE  take names, types and spans of a program that has none\n"
	"                   from this description or manifest, see examples/spans\n"
	"      --by=ARG[,ARG]   group by these, and not by the name of the span\n"
	"  -i, --interval=SECONDS   print a report again and again\n"
	"  -c, --count=N    end after N reports\n"
	"  -w, --wait=SECONDS   end after this time; otherwise, at ctrl-C\n"
	"  -d, --distribution   print a histogram of the times for each row\n"
	"      --slow=MS    print a line for each span that takes that long\n"
	"      --heatmap=FILE   write a heat map (SVG): spans by time and duration\n"
	"      --flame=FILE     write a flame graph (SVG): what the CPUs execute, by span\n"
	"  -F, --frequency=HZ   take HZ samples a second on each CPU for that\n"
	"      --plain      print tables as lines, also on a terminal\n"
	"  -j, --json       write JSON for programs: docs/top.schema.json\n"
	"      --color=WHEN, --width=N   auto, always or never; fold lines at N\n"
	"  -h, --help       print this text; -V, --version prints the version\n"
	"\n"
	"Spans: START and END are probes; key=ARG[,ARG] pairs them, key=tid pairs those\n"
	"of a thread. name=ARG groups, error=ARG and ok=VALUE count errors, sum=ARG adds\n"
	"up; there are duration=, started=, suspend=, resume= and parent=, too. ARG is a\n"
	"name, or arg0 to arg11. See docs/top.md.\n"
	"Exit status: 0 if something was counted, 1 if nothing was, 2 trouble.\n"
	"\n"
	"Examples:\n"
	"  sdtkit top -p $(pidof -s demo-server) -i 1\n"
	"  sdtkit top /usr/sbin/smbd smb2:request --slow 100\n"
	"  sdtkit top -n postgres --span 'query: query__start..query__done key=tid'\n";

enum { SPAN = 0x200, DESCRIBE, BY, SLOW, PLAIN, HEATMAP, FLAME };

static const struct option long_options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "span", required_argument, NULL, SPAN },
	{ "describe", required_argument, NULL, DESCRIBE },
	{ "by", required_argument, NULL, BY },
	{ "interval", required_argument, NULL, 'i' },
	{ "count", required_argument, NULL, 'c' },
	{ "wait", required_argument, NULL, 'w' },
	{ "distribution", no_argument, NULL, 'd' },
	{ "slow", required_argument, NULL, SLOW },
	{ "json", no_argument, NULL, 'j' },
	{ "heatmap", required_argument, NULL, HEATMAP },
	{ "flame", required_argument, NULL, FLAME },
	{ "frequency", required_argument, NULL, 'F' },
	{ "plain", no_argument, NULL, PLAIN },
	TOOL_OPTIONS_OF_ALL
};

static bool read_number(const char *option, const char *text,
			unsigned long long limit, unsigned long long *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 &&
	    *number > 0 && *number <= limit)
		return true;
	tool_complain("invalid value '%s' for %s: use a number from 1 to %llu",
		      text, option, limit);
	return false;
}

/* Seconds or milliseconds, with a fraction: a nanosecond or more. */
static bool read_time(const char *option, const char *text, const char *unit,
		      double unit_ns, double *time)
{
	char *end;

	*time = strtod(text, &end);
	if (isdigit((unsigned char)text[0]) && *end == '\0' &&
	    *time * unit_ns >= 1 && *time <= 1e9)
		return true;
	tool_complain("invalid value '%s' for %s: use a number of %s above 0, "
		      "such as 0.5", text, option, unit);
	return false;
}

static bool read_seconds(const char *option, unsigned long long *ns)
{
	double seconds;

	if (!read_time(option, optarg, "seconds", 1e9, &seconds))
		return false;
	*ns = (unsigned long long)(seconds * 1e9);
	return true;
}

/* Returns false after a complaint. */
static bool set(struct options *o, int option)
{
	unsigned long long number;

	switch (option) {
	case 'p':
		if (!read_number("--pid", optarg, INT_MAX, &number))
			return false;
		o->pid = (pid_t)number;
		return true;
	case 'n':
		o->name = optarg;
		return true;
	case SPAN:
		if (spans_add_option(&catalogue.texts, optarg))
			return true;
		tool_complain("%s", spans_error());
		return false;
	case DESCRIBE:
		return describe_read(optarg, &catalogue.texts);
	case BY:
		o->by = optarg;
		return true;
	case 'i':
		return read_seconds("--interval", &o->interval_ns);
	case 'c':
		return read_number("--count", optarg, INT_MAX, &o->count);
	case 'w':
		return read_seconds("--wait", &o->wait_ns);
	case 'd':
		o->histograms = true;
		return true;
	case SLOW:
		return read_time("--slow", optarg, "milliseconds", 1e6,
				 &o->slow_ms);
	case HEATMAP:
		o->heatmap = optarg;
		return true;
	case FLAME:
		o->flame = optarg;
		return true;
	case 'F':
		if (!read_number("--frequency", optarg, INT_MAX, &number))
			return false;
		o->hertz = (unsigned int)number;
		return true;
	case PLAIN:
		o->plain = true;
		return true;
	default:
		o->json = true;
		return true;
	}
}

static bool check_pictures(struct options *o)
{
	if (o->hertz > 0 && o->flame == NULL) {
		tool_complain("--frequency has no effect without --flame");
		return false;
	}
	if (o->flame != NULL && o->hertz == 0)
		o->hertz = 99;
	if (o->heatmap == NULL || o->flame == NULL ||
	    strcmp(o->heatmap, o->flame) != 0)
		return true;
	tool_complain("--heatmap and --flame cannot write to the same file");
	return false;
}

/* No span has a name of digits. */
static bool is_number(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static bool check(struct options *o)
{
	if (o->pid != 0 && o->name != NULL) {
		tool_complain("use either -p or -n; try 'sdtkit top --help'");
		return false;
	}
	if (o->pid != 0 && o->num_words > 0 && is_number(o->words[0])) {
		tool_complain("-p takes one process: %d or %s; -n NAME traces "
			      "all processes of a name", (int)o->pid,
			      o->words[0]);
		return false;
	}
	if (o->pid == 0 && o->name == NULL) {
		if (o->num_words == 0) {
			tool_complain("no FILE given; try 'sdtkit top --help'");
			return false;
		}
		o->file = o->words[0];
		o->words++;
		o->num_words--;
	}
	if (o->count > 0 && o->interval_ns == 0)
		o->interval_ns = 1000000000;
	return check_pictures(o);
}

int options_read(int argc, char **argv, struct options *options)
{
	int option;

	*options = (struct options){ .pid = 0 };
	while ((option = tool_option(argc, argv, "p:n:i:c:w:F:djhV",
				     long_options, help_text)) != -1) {
		if (option == TOOL_HELPED || option == TOOL_MISUSED)
			return option;
		if (!set(options, option))
			return TOOL_MISUSED;
	}
	options->words = argv + optind;
	options->num_words = (size_t)(argc - optind);
	return check(options) ? -1 : TOOL_MISUSED;
}
