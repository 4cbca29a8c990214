/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list: from files, by way of libsdtkit-notes, to a table.
 *
 *	$ sdtkit list server
 *	SITES  SEMAPHORE  PROBE
 *	    2  yes        smb2:request_end(uint64_t mid, uint32_t status)
 *	    1  yes        smb2:request_start(uint64_t mid, uint16_t opcode)
 *
 * A file that cannot be read to its end still has listed what was read, and
 * the other files are listed all the same; the exit status remembers.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "list.h"
#include "out.h"
#include "sdtkit/notes.h"
#include "sites.h"
#include "table.h"
#include "tool.h"

static const char help_text[] =
	"Usage: sdtkit list [OPTION]... FILE|DIRECTORY|PATTERN...\n"
	"       sdtkit list [OPTION]... -p PID|-a [PATTERN]...\n"
	"List the static probes (USDT) of programs, libraries and object files\n"
	"of any machine, of processes and of core dumps, sorted by name.\n"
	"A PATTERN has a colon and no slash: 'smb2:request_*'.\n"
	"\n"
	"  -v, --verbose    a line per site: address, offset in the file,\n"
	"                   address of the semaphore, operands as recorded\n"
	"  -s, --summary    what each probe is about, where the file says so\n"
	"  -p, --pid=PID    what a process has mapped, and who is traced now\n"
	"  -a, --all        all processes\n"
	"  -t, --traced     with -p, -a and core dumps: only what is traced\n"
	"  -j, --json       for programs: docs/list.schema.json\n"
	"      --color=WHEN auto, always or never\n"
	"  -h, --help       this text; -V, --version\n"
	"\n"
	"SEMAPHORE: whether the program can tell that somebody traces; in a\n"
	"process, how many do. Arguments that the file does not describe are as\n"
	"recorded: u unsigned, s signed, f floating point, bits; ? not known.\n"
	"Exit status: 0 probes were found, 1 none were found, 2 trouble.\n"
	"\n"
	"Examples:\n"
	"  sdtkit list /usr/sbin/smbd 'smb2:*'     the probes of one provider\n"
	"  sdtkit list /usr/bin /usr/lib           which programs have probes\n"
	"  sdtkit list -at                         who is traced right now\n";

/* Above a table: "1234 smbd: /usr/sbin/smbd:" */
static void print_heading(const struct list *list,
			  const struct list_origin *origin)
{
	if (!list->headings)
		return;
	if (list->listed > 0)
		out_char('\n');
	out_style(OUT_HEADING);
	if (origin->pid != 0) {
		out_number((uint64_t)origin->pid, 0);
		out_char(' ');
	}
	if (origin->command != NULL) {
		out_path(origin->command);
		out_text(": ");
	}
	out_path(origin->path);
	out_char(':');
	out_style(OUT_PLAIN);
	out_char('\n');
}

static void print_table(const struct list *list,
			const struct list_origin *origin,
			const struct sites *sites)
{
	print_heading(list, origin);
	if (list->verbose)
		table_print_sites(sites);
	else
		table_print_probes(sites, list->summaries);
}

static void complain_none(const struct list *list, const struct sites *sites)
{
	if (sites->total > 0)
		tool_complain("%s: no probes that were asked for, of %zu sites",
			      sites->path, sites->total);
	else if (list->patterns.count == 0)
		tool_complain("%s: no probes: %s", sites->path,
			      sites_why_none(sites->info));
	else
		tool_complain("%s: no probes at all: %s", sites->path,
			      sites_why_none(sites->info));
}

size_t list_sites(struct list *list, const struct list_origin *origin,
		  struct sdtkit_notes *notes)
{
	bool by_looks = !list->verbose && !list->json;
	bool operands = !list->verbose || list->json;
	struct sites sites;
	size_t total;

	sites_read(&sites, origin->path, notes, origin->process,
		   &list->patterns, operands ? SITES_OPERANDS : SITES_NAMES);
	if (list->traced_only)
		sites_keep_traced(&sites);
	sites_sort(&sites, by_looks);
	sites_complain(&sites);
	if (sites.errors > 0 || sites.semaphore_error != 0)
		list->trouble = true;
	else if (sites.count == 0 && origin->named)
		complain_none(list, &sites);
	if (list->json && (sites.count > 0 || origin->named))
		list_json_file(origin, &sites);
	else if (sites.count > 0)
		print_table(list, origin, &sites);
	list->listed += sites.count > 0;
	total = sites.total;
	sites_free(&sites);
	return total;
}

void list_file(struct list *list, const char *path)
{
	struct list_origin origin = { .path = path, .named = true };
	struct sdtkit_notes *notes;
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		list_directory(list, path);
		return;
	}
	if (sdtkit_notes_open(path, &notes) < 0) {
		tool_complain("%s: %s", path, sdtkit_notes_error());
		list->trouble = true;
		return;
	}
	if (sdtkit_notes_info(notes)->core) {
		sdtkit_notes_close(notes);
		list_core(list, path);
		return;
	}
	list_sites(list, &origin, notes);
}

/* Options that have no letter. */
enum { OPTION_COLOR = 0x200 };

static const struct option options[] = {
	{ "verbose", no_argument, NULL, 'v' },
	{ "summary", no_argument, NULL, 's' },
	{ "pid", required_argument, NULL, 'p' },
	{ "all", no_argument, NULL, 'a' },
	{ "traced", no_argument, NULL, 't' },
	{ "json", no_argument, NULL, 'j' },
	{ "color", required_argument, NULL, OPTION_COLOR },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	struct list list;
	char **pids;
	size_t pid_count;
	size_t pid_room;
	bool all;
	/* Of the command line, the patterns not among them. */
	char **files;
	size_t file_count;
};

/* Returns as tool_option(). */
static int parse_options(int argc, char **argv, struct request *request)
{
	struct list *list = &request->list;
	int option;

	while ((option = tool_option(argc, argv, "vsp:atjhV", options,
				     help_text)) != -1) {
		switch (option) {
		case 'v':
			list->verbose = true;
			break;
		case 's':
			list->summaries = true;
			break;
		case 'p':
			request->pids = tool_grow(request->pids,
						  request->pid_count,
						  &request->pid_room,
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
		case OPTION_COLOR:
			if (out_set_colour(optarg))
				break;
			tool_complain("list: --color=%s? auto, always or never",
				      optarg);
			return TOOL_MISUSED;
		default:
			return option;
		}
	}
	request->files = argv + optind;
	request->file_count = patterns_take(&list->patterns, request->files,
					    (size_t)(argc - optind));
	return -1;
}

/* What is wrong with it, or NULL. */
static const char *misuse(const struct request *request)
{
	bool processes = request->all || request->pid_count > 0;

	if (request->file_count == 0 && !processes)
		return request->list.patterns.count > 0 ?
		       "which FILE? (a word with a colon is a PATTERN)" :
		       "which FILE?";
	if (request->file_count > 0 && processes)
		return "files, or processes?";
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

/* The exit status. */
static int run(struct request *request)
{
	struct list *list = &request->list;
	const char *wrong = misuse(request);

	if (wrong != NULL) {
		tool_complain("list: %s try 'sdtkit list --help'", wrong);
		return TOOL_TROUBLE;
	}
	if (list->json)
		list_json_begin();
	list_all(request);
	if (list->json)
		list_json_end();
	if (list->trouble)
		return TOOL_TROUBLE;
	return list->listed > 0 ? TOOL_FOUND : TOOL_NONE;
}

int tool_list(int argc, char **argv)
{
	struct request request = { .pids = NULL };
	int option = parse_options(argc, argv, &request);
	int status = option == -1 ? run(&request) : tool_option_status(option);

	free(request.pids);
	return status;
}
