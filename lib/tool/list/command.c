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
	"       sdtkit list [OPTION]... -p PID|-a [PATTERN]...\n"
	"List the static probes (USDT) of programs, libraries and object files of any\n"
	"machine, of processes and of core dumps, sorted by name. A PATTERN has a colon\n"
	"and no slash: 'smb2:*' selects probes, '!smb2:*_end' excludes probes.\n"
	"\n"
	"  -l, --long       print a line per argument, and what the probe is about\n"
	"  -d, --description=FILE   like -l, with the comments of FILE (smb2.d);\n"
	"                   -C, -I DIR and -D MACRO preprocess it as probegen does\n"
	"  -v, --verbose    print a line per site: address, offset in the file,\n"
	"                   address of the semaphore, operands as recorded\n"
	"  -s, --summary    print what each probe is about, if the file says so\n"
	"  -p, --pid=PID    list what a process has mapped, and what is traced now\n"
	"  -a, --all        list all processes\n"
	"  -t, --traced     with -p, -a and core dumps: list only what is traced\n"
	"  -j, --json       write JSON for programs: docs/list.schema.json\n"
	"      --color=WHEN, --width=N   auto, always or never; fold lines at N\n"
	"  -h, --help       print this text; -V, --version prints the version\n"
	"\n"
	"SEMAPHORE: yes if the program can tell that it is traced; in a process, the\n"
	"number of attachments. Arguments that the file does not describe are shown as\n"
	"recorded: u unsigned, s signed, f floating point, and bits; ? if not known.\n"
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

static const struct option options[] = {
	{ "long", no_argument, NULL, 'l' },
	{ "description", required_argument, NULL, 'd' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "summary", no_argument, NULL, 's' },
	{ "pid", required_argument, NULL, 'p' },
	{ "all", no_argument, NULL, 'a' },
	{ "traced", no_argument, NULL, 't' },
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
	char **pids;
	size_t pid_count;
	size_t pid_capacity;
	bool all;
	/* The files of the command line; patterns are not among them. */
	char **files;
	size_t file_count;
};

static void add_description(struct request *request, char *path)
{
	request->descriptions = tool_grow(request->descriptions,
					  request->description_count,
					  &request->description_capacity,
					  sizeof(char *));
	request->descriptions[request->description_count++] = path;
}

/* Returns false after a complaint. */
static bool open_descriptions(struct request *request)
{
	struct list *list = &request->list;
	size_t i;

	for (i = 0; i < request->description_count; i++) {
		list->description = tool_grow(list->description, i,
					      &list->description_capacity,
					      sizeof(list->description[0]));
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

	while ((option = tool_option(argc, argv,
				     PROBEGEN_LETTERS "ld:vsp:atjhV", options,
				     help_text)) != -1) {
		switch (option) {
		case 'l':
			list->longs = true;
			break;
		case 'd':
			list->longs = true;
			add_description(request, optarg);
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
			request->pids = tool_grow(request->pids,
						  request->pid_count,
						  &request->pid_capacity,
						  sizeof(char *));
			request->pids[request->pid_count++] = optarg;
			break;
		case 'a':
			request->all = true;
			break;
		case 't':
			list->traced_only = true;
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
		snprintf(buffer, 256, "'%.64s' is a FILE, and -p and -a take "
			 "only PATTERNs: for a probe, write '*:%.64s';",
			 request->files[0], request->files[0]);
		return buffer;
	}
	if (request->file_count > 0 && processes)
		return "use either a FILE, or -p and -a;";
	if (request->list.longs && request->list.verbose)
		return "use either -l and -d, or -v;";
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
