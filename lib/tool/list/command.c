/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list: reads files through libsdtkit-notes, and prints tables.
 *
 *	$ sdtkit list server
 *	SITES  SEMAPHORE  PROBE
 *	    2  yes        smb2:request_end(uint64_t mid, uint32_t status)
 *	    1  yes        smb2:request_start(uint64_t mid, uint16_t opcode)
 *
 * If a file cannot be read to its end, what was read is listed, and so are the
 * other files. The exit status says that there was an error.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"
#include "list/command.h"
#include "list/file.h"
#include "list/json.h"
#include "list/listing.h"
#include "list/process.h"
#include "probes/interface.h"
#include "probes/probegen.h"
#include "probes/read.h"

static const char help_text[] =
	"Usage: sdtkit list [OPTION]... FILE|DIRECTORY|PATTERN...\n"
	"       sdtkit list [OPTION]... -p PID|-n NAME|-a [PATTERN]...\n"
	"List the static probes (USDT) of programs, libraries and object files of any\n"
	"machine, of processes and of core dumps, sorted by name. A PATTERN has a colon\n"
	"and no slash: 'smb2:*' selects probes, '!smb2:*_end' excludes probes.\n"
	"\n"
	"  -l, --long       print a line per argument, and what the probe is about\n"
	"      --description=FILE   -l by smb2.d; -C, -I DIR, -D MACRO preprocess it\n"
	"  -v, --verbose    print a line per site: address, offset, semaphore, operands\n"
	"  -s, --summary    print what each probe is about, if the file says so\n"
	"  -p, --pid=PID    list what a process has mapped, and what is traced now\n"
	"  -n, --name=NAME  list the processes of this name; -a, --all lists all\n"
	"  -t, --traced     with -p, -n, -a and core dumps: list only what is traced\n"
	"  -q, --quiet      do not say what has no probes; -o, --output=FILE: write there\n"
	"  -j, --json       write JSON for programs: docs/list.schema.json\n"
	"      --columns=NAME,...   print these: sites, semaphore, probe, arguments,\n"
	"                   address, offset, operands\n"
	"      --color=WHEN, --width=N   auto, always or never; fold lines at N\n"
	"  -h, --help       print this text; -V, --version prints the version\n"
	"\n"
	"SEMAPHORE: yes if the program can tell that it is traced; in a process, the\n"
	"number of attachments. Types that are not described: u unsigned, s signed.\n"
	"Exit status: 0 probes were found, 1 none were found, 2 trouble.\n"
	"\n"
	"Examples:\n"
	"  sdtkit list /usr/sbin/smbd 'smb2:*'     the probes of one provider\n"
	"  sdtkit list /usr/bin /usr/lib           which programs have probes\n"
	"  sdtkit list -at                         what is traced right now\n";

/*
 * Names descriptions that describe nothing of what was listed. Pass the only
 * file, or NULL if there were several.
 */
static void complain_of_descriptions(const struct list *list, const char *file)
{
	size_t i;

	if (list->json || list->listed == 0)
		return;
	for (i = 0; i < list->description_count; i++) {
		const struct interface *description = &list->description[i];

		if (!description->listed)
			tool_complain("%s describes none of the probes %s%s",
				      description->path,
				      file != NULL ? "of " : "listed",
				      file != NULL ? file : "");
	}
}

enum { DESCRIPTION = 0x200, COLUMNS };

static const struct option options[] = {
	{ "long", no_argument, NULL, 'l' },
	{ "description", required_argument, NULL, DESCRIPTION },
	{ "columns", required_argument, NULL, COLUMNS },
	{ "verbose", no_argument, NULL, 'v' },
	{ "summary", no_argument, NULL, 's' },
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "all", no_argument, NULL, 'a' },
	{ "traced", no_argument, NULL, 't' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	TOOL_OPTIONS_OF_ALL
};

struct request {
	struct list list;
	/* The paths of descriptions, and how they are preprocessed. */
	char **descriptions;
	size_t description_count;
	size_t description_capacity;
	struct probegen_flags flags;
	pid_t *pids;
	size_t pid_count;
	size_t pid_capacity;
	bool all;
	/* The files of the command line; patterns are not among them. */
	char **files;
	size_t file_count;
};

static void add_description(struct request *request, char *path)
{
	TOOL_GROW(request->descriptions, request->description_count,
		  request->description_capacity);
	request->descriptions[request->description_count++] = path;
}

static void add_process(struct request *request, pid_t pid)
{
	TOOL_GROW(request->pids, request->pid_count, request->pid_capacity);
	request->pids[request->pid_count++] = pid;
}

static bool add_named(struct request *request, const char *name)
{
	pid_t *pids;
	size_t count = tool_read_name(name, &pids), i;

	for (i = 0; i < count; i++)
		add_process(request, pids[i]);
	free(pids);
	return count > 0;
}

/* Returns false after a complaint. */
static bool open_descriptions(struct request *request)
{
	struct list *list = &request->list;
	size_t i;

	for (i = 0; i < request->description_count; i++) {
		TOOL_GROW(list->description, i, list->description_capacity);
		if (!interface_open_description(&list->description[i],
						request->descriptions[i],
						"description",
						&request->flags))
			return false;
		list->description_count++;
	}
	return true;
}

/* Returns what tool_option() returned last: -1, TOOL_HELPED or TOOL_MISUSED. */
static int parse_options(int argc, char **argv, struct request *request)
{
	struct list *list = &request->list;
	int option;
	pid_t pid;

	while ((option = tool_option(argc, argv,
				     PROBEGEN_LETTERS "lvsp:n:atqo:jhV", options,
				     help_text)) != -1) {
		switch (option) {
		case 'l':
			list->longs = true;
			break;
		case DESCRIPTION:
			list->longs = true;
			add_description(request, optarg);
			break;
		case COLUMNS:
			if (!table_choose(&list->columns, optarg))
				return TOOL_MISUSED;
			break;
		case 'C':
		case 'I':
		case 'D':
		case 'U':
			probegen_add_flag(&request->flags, option, optarg);
			break;
		case 'v':
			list->verbose = true;
			break;
		case 's':
			list->summaries = true;
			break;
		case 'p':
			if (!tool_read_pid(optarg, &pid))
				return TOOL_MISUSED;
			add_process(request, pid);
			break;
		case 'n':
			if (!add_named(request, optarg))
				return TOOL_MISUSED;
			break;
		case 'a':
			request->all = true;
			break;
		case 't':
			list->traced_only = true;
			break;
		case 'q':
			list->quiet = true;
			break;
		case 'o':
			if (!tool_set_output(optarg))
				return TOOL_MISUSED;
			break;
		case 'j':
			list->json = true;
			break;
		default:
			return option;
		}
	}
	request->files = argv + optind;
	request->file_count = (size_t)(argc - optind);
	if (!patterns_take(&list->patterns, request->files,
			   &request->file_count))
		return TOOL_MISUSED;
	return -1;
}

/*
 * Returns what is wrong with the request, or NULL; the buffer holds 256 bytes.
 */
static const char *misuse(const struct request *request, char *buffer)
{
	bool processes = request->all || request->pid_count > 0;

	if (request->file_count == 0 && !processes)
		return request->list.patterns.count > 0 ?
		       "no FILE given: a word with a colon is a PATTERN;" :
		       "no FILE given;";
	if (request->file_count > 0 && processes &&
	    list_may_be_probe(request->files[0])) {
		snprintf(buffer, 256, "'%.64s' is a FILE, and -p, -n and -a "
			 "take only PATTERNs: for a probe, write '*:%.64s';",
			 request->files[0], request->files[0]);
		return buffer;
	}
	if (request->file_count > 0 && processes)
		return "use either a FILE, or -p, -n and -a;";
	if (request->list.longs && request->list.verbose)
		return "use either -l and --description, or -v;";
	if (request->list.columns.count > 0 &&
	    (request->list.longs || request->list.verbose ||
	     request->list.summaries || request->list.json))
		return "use either --columns, or -l, --description, -v, -s "
		       "and -j;";
	return NULL;
}

static void list_all(struct request *request)
{
	struct list *list = &request->list;
	size_t i;

	list->headings = request->file_count != 1;
	for (i = 0; i < request->file_count && !out_failed(); i++)
		list_file(list, request->files[i]);
	for (i = 0; i < request->pid_count && !out_failed(); i++)
		list_process(list, request->pids[i]);
	if (request->all)
		list_all_processes(list);
}

/* Returns the exit status. */
static int run(struct request *request)
{
	struct list *list = &request->list;
	char buffer[256];
	const char *wrong = misuse(request, buffer);

	if (wrong != NULL) {
		tool_complain("%s try 'sdtkit list --help'", wrong);
		return TOOL_TROUBLE;
	}
	if (!open_descriptions(request))
		return TOOL_TROUBLE;
	if (list->json)
		list_json_begin();
	list_all(request);
	if (list->json)
		list_json_end();
	patterns_complain(&list->patterns);
	complain_of_descriptions(list, list->patterns.count == 0 &&
				 request->file_count == 1 ?
				 request->files[0] : NULL);
	if (list->trouble)
		return TOOL_TROUBLE;
	return list->listed > 0 ? TOOL_FOUND : TOOL_NONE;
}

int tool_list(int argc, char **argv)
{
	struct request request = { .pids = NULL };
	int option = parse_options(argc, argv, &request);
	int status = option == -1 ? run(&request) : tool_option_status(option);

	while (request.list.description_count > 0)
		interface_close(&request.list.description[
				--request.list.description_count]);
	free(request.list.description);
	free(request.descriptions);
	probegen_free_flags(&request.flags);
	patterns_free(&request.list.patterns);
	free(request.pids);
	return status;
}
