/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the command line of sdtkit top. */
#define _GNU_SOURCE
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "common/options.h"
#include "common/patterns.h"
#include "common/tool.h"
#include "lib/spans/spans.h"
#include "top/catalogue.h"
#include "top/describe.h"
#include "top/options.h"
#include "top/rows.h"
#include "top/sample.h"

static const char help_text[] =
	"Usage: sdtkit top [OPTION]... FILE [SPAN|PATTERN]...\n"
	"       sdtkit top [OPTION]... -p PID|-n NAME [SPAN|PATTERN]...\n"
	"Show where the time of a program goes: for each span that its description\n"
	"or --span declares, how many there were, how long they took, and how many\n"
	"failed. A word with a colon that is no span is a PATTERN, as 'smb2:read_*', and\n"
	"counts probes. Without spans, all probes of the FILE are counted.\n"
	"'smb2:request/status!=0/' counts the spans whose end has such an argument.\n"
	"\n"
	"  -p, --pid=PID    trace a process and its children\n"
	"  -n, --name=NAME  trace what the processes of this name have mapped\n"
	"      --span='NAME: START..END key=ARG'   declare a span: see below\n"
	"      --description=FILE   take names, types and spans of a program that has\n"
	"                   none from this description or manifest, see examples/spans\n"
	"      --by=ARG[,ARG]   group by these, not by the name of the span; 'A\", \"B'\n"
	"      --columns=NAME,...   show these, in fitting units: count, errors, avg,\n"
	"                   p99, sum, rate, p50, max, running, self, sums\n"
	"      --sort=NAME  sort by this column, or by name\n"
	"  -i, --interval=SECONDS   print a report again and again\n"
	"  -c, --count=N    end after N reports\n"
	"  -w, --wait=SECONDS   end after this time; otherwise, at ctrl-C\n"
	"  -d, --distribution   print a histogram of the times for each row\n"
	"      --slow=MS    print a line for each span that takes that long\n"
	"      --heatmap=FILE   write a heat map (SVG): spans by time and duration\n"
	"      --flame=FILE     write a flame graph (SVG): what the CPUs execute, by span\n"
	"  -F, --frequency=HZ   take HZ samples a second on each CPU for that\n"
	"      --via=HOW    by the kernel, or by the recorders that processes have\n"
	"      --plain      print tables as lines, also on a terminal\n"
	"  -q, --quiet      do not say that the tracing begins\n"
	"  -o, --output=FILE    write to FILE, not to standard output\n"
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

enum { SPAN = 0x200, DESCRIPTION, BY, COLUMNS, SORT, SLOW, PLAIN, HEATMAP, FLAME,
	VIA };

static const struct option long_options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "span", required_argument, NULL, SPAN },
	{ "description", required_argument, NULL, DESCRIPTION },
	{ "by", required_argument, NULL, BY },
	{ "columns", required_argument, NULL, COLUMNS },
	{ "sort", required_argument, NULL, SORT },
	{ "interval", required_argument, NULL, 'i' },
	{ "count", required_argument, NULL, 'c' },
	{ "wait", required_argument, NULL, 'w' },
	{ "distribution", no_argument, NULL, 'd' },
	{ "slow", required_argument, NULL, SLOW },
	{ "quiet", no_argument, NULL, 'q' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "heatmap", required_argument, NULL, HEATMAP },
	{ "flame", required_argument, NULL, FLAME },
	{ "frequency", required_argument, NULL, 'F' },
	{ "via", required_argument, NULL, VIA },
	{ "plain", no_argument, NULL, PLAIN },
	TOOL_OPTIONS_OF_ALL
};

/* share", "command -> share,command; what is in quotes separates the values. */
static bool set_by(struct options *o, char *value)
{
	char *quote = strchr(value, '"');
	char *end = quote != NULL ? strchr(quote + 1, '"') : NULL;

	o->by = value;
	if (quote == NULL)
		return true;
	if (quote == value || end == NULL || end[1] == '\0' ||
	    strpbrk(end + 1, "\",") != NULL) {
		tool_complain("invalid value '%s' for --by: a text in quotes "
			      "stands between two arguments, as in "
			      "'share\", \"command'", value);
		return false;
	}
	*end = '\0';
	sample_separate_by(tool_format("%s", quote + 1));
	*quote = ',';
	memmove(quote + 1, end + 1, strlen(end + 1) + 1);
	return true;
}

/* Returns false after a complaint. */
static bool set(struct options *o, int option)
{
	unsigned long long number;

	switch (option) {
	case 'p':
		return tool_read_pid(optarg, &o->pid);
	case 'n':
		o->name = optarg;
		return true;
	case SPAN:
		if (spans_add_option(&catalogue.texts, optarg))
			return true;
		tool_complain("%s", spans_error());
		return false;
	case DESCRIPTION:
		return describe_read(optarg, &catalogue.texts);
	case BY:
		return set_by(o, optarg);
	case COLUMNS:
		return rows_choose_columns(optarg);
	case SORT:
		return rows_choose_order(optarg);
	case 'i':
		return tool_read_seconds("--interval", optarg,
					 &o->interval_ns);
	case 'c':
		return tool_read_number("--count", optarg, 1, INT_MAX,
					&o->count);
	case 'w':
		return tool_read_seconds("--wait", optarg, &o->wait_ns);
	case 'd':
		o->histograms = true;
		return true;
	case SLOW:
		return tool_read_time("--slow", optarg, "milliseconds", 1e6,
				      &o->slow_ms);
	case HEATMAP:
		o->heatmap = optarg;
		return tool_may_replace(optarg);
	case FLAME:
		o->flame = optarg;
		return tool_may_replace(optarg);
	case 'F':
		if (!tool_read_number("--frequency", optarg, 1, INT_MAX,
				      &number))
			return false;
		o->hertz = (unsigned int)number;
		return true;
	case VIA:
		return tool_read_via(optarg, &o->via);
	case 'q':
		o->quiet = true;
		return true;
	case 'o':
		return tool_set_output(optarg);
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

/* The first word that is neither a pattern nor the whole name of a span. */
static bool take_file(struct options *o)
{
	size_t i = 0;

	while (i < o->num_words && (patterns_is_one(o->words[i]) ||
				    patterns_has_filter(o->words[i])))
		i++;
	if (i == o->num_words) {
		tool_complain("no FILE given%s; try 'sdtkit top --help'",
			      i > 0 ? ": a word with a colon is a PATTERN" : "");
		return false;
	}
	o->file = o->words[i];
	memmove(o->words + 1, o->words, i * sizeof(o->words[0]));
	o->words++;
	o->num_words--;
	return true;
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
	if (o->pid == 0 && o->name == NULL && !take_file(o))
		return false;
	if (o->file != NULL && o->via == TOOL_VIA_RECORDER) {
		tool_complain("--via=recorder needs -p PID or -n NAME");
		return false;
	}
	if (o->count > 0 && o->interval_ns == 0)
		o->interval_ns = 1000000000;
	return check_pictures(o);
}

int options_read(int argc, char **argv, struct options *options)
{
	int option;

	*options = (struct options){ .pid = 0 };
	while ((option = tool_option(argc, argv, "p:n:i:c:w:F:dqo:jhV",
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
