/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit diff: what scripts for the old build of a program would break on in
 * the new one.
 *
 *	$ sdtkit diff smbd-4.19 smbd-4.20
 *	breaking RENAMED: smb2:request_end(uint64_t mid): it is gone; is it
 *	smb2:request_done now?
 *	harmless ADDED: smb2:oplock_break(uint64_t fid): it is new
 *	1 change that breaks scripts, 1 that does not
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>

#include "changes.h"
#include "json_out.h"
#include "out.h"
#include "tool.h"

static const char help_text[] =
	"Usage: sdtkit diff [OPTION]... OLD NEW\n"
	"Tell what scripts for the probes of OLD would break on in NEW:\n"
	"probes that are gone or renamed, arguments that are gone, moved,\n"
	"renamed or of another type. More probes, and more arguments behind the\n"
	"old ones, break nothing. Both are binaries, descriptions (smb2.d) or\n"
	"manifests of probegen.\n"
	"\n"
	"  -q, --quiet        only what breaks scripts\n"
	"  -j, --json         for programs: docs/diff.schema.json\n"
	"      --color=WHEN   auto, always or never\n"
	"  -h, --help         this text; -V, --version\n"
	"\n"
	"Exit status: 0 nothing breaks, 1 something does, 2 trouble.\n"
	"\n"
	"Examples:\n"
	"  sdtkit diff /usr/sbin/smbd build/smbd\n"
	"  sdtkit diff released/smb2.d smb2.d\n";

enum { COLOR = 0x200 };

static const struct option options[] = {
	{ "quiet", no_argument, NULL, 'q' },
	{ "json", no_argument, NULL, 'j' },
	{ "color", required_argument, NULL, COLOR },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	bool quiet;
	bool json;
};

static void print_change(const struct change *change)
{
	bool breaking = changes[change->kind].breaking;
	char *prototype = interface_prototype(change->probe);

	out_style(breaking ? OUT_ERROR : OUT_GOOD);
	out_format("%s %s", breaking ? "breaking" : "harmless",
		   changes[change->kind].code);
	out_style(OUT_PLAIN);
	out_text(": ");
	out_escaped(prototype, true);
	if (change->argument > 0)
		out_format(", argument %zu", change->argument);
	out_text(": ");
	out_escaped(change->text, true);
	out_char('\n');
	free(prototype);
}

static void print(const struct change_list *list, const struct interface *new,
		  bool quiet)
{
	size_t breaking = changes_count(list, true);
	size_t harmless = changes_count(list, false), i;

	for (i = 0; i < list->count; i++) {
		if (!quiet || changes[list->change[i].kind].breaking)
			print_change(&list->change[i]);
	}
	if (quiet)
		return;
	if (breaking + harmless == 0)
		out_format("no difference in %zu probe%s\n", new->count,
			   new->count == 1 ? "" : "s");
	else
		out_format("%zu change%s scripts, %zu %s not\n", breaking,
			   breaking == 1 ? " that breaks" : "s that break",
			   harmless, harmless == 1 ? "that does" : "that do");
}

static json_t *make_change(const struct change *change)
{
	const struct interface_probe *renamed = change->renamed;

	return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "code", changes[change->kind].code,
			 "breaking", (int)changes[change->kind].breaking,
			 "provider", json_out_text(change->probe->provider),
			 "probe", json_out_text(change->probe->probe),
			 "argument", change->argument > 0 ?
			 json_integer((json_int_t)change->argument) :
			 json_null(),
			 "text", json_out_text(change->text),
			 "new_provider", json_out_text(renamed != NULL ?
						       renamed->provider :
						       NULL),
			 "new_probe", json_out_text(renamed != NULL ?
						    renamed->probe : NULL));
}

static void print_json(const struct change_list *list, bool quiet)
{
	bool first = true;
	size_t i;

	out_text("{\"sdtkit_diff\": 1, \"changes\": [");
	for (i = 0; i < list->count; i++) {
		if (quiet && !changes[list->change[i].kind].breaking)
			continue;
		out_text(first ? "\n" : ",\n");
		first = false;
		json_out_print(make_change(&list->change[i]));
	}
	out_text("\n]}\n");
}

/* Returns as tool_option(). */
static int parse_options(int argc, char **argv, struct request *request)
{
	int option;

	while ((option = tool_option(argc, argv, "qjhV", options,
				     help_text)) != -1) {
		switch (option) {
		case 'q':
			request->quiet = true;
			break;
		case 'j':
			request->json = true;
			break;
		case COLOR:
			if (out_set_colour(optarg))
				break;
			tool_complain("diff: --color=%s? auto, always or never",
				      optarg);
			return TOOL_MISUSED;
		default:
			return option;
		}
	}
	return -1;
}

static int compare(const struct request *request, const struct interface *old,
		   const struct interface *new)
{
	struct change_list list = { .count = 0 };
	int status;

	changes_find(&list, old, new);
	if (request->json)
		print_json(&list, request->quiet);
	else
		print(&list, new, request->quiet);
	status = changes_count(&list, true) > 0 ? TOOL_DIFFERENT : TOOL_SAME;
	changes_free(&list);
	return status;
}

int tool_diff(int argc, char **argv)
{
	struct request request = { .quiet = false };
	struct interface old, new;
	int option = parse_options(argc, argv, &request);
	int status = TOOL_TROUBLE;

	if (option != -1)
		return tool_option_status(option);
	if (argc - optind != 2) {
		tool_complain("diff: OLD and NEW are wanted; try 'sdtkit diff "
			      "--help'");
		return TOOL_TROUBLE;
	}
	if (!interface_open(&old, argv[optind]))
		return TOOL_TROUBLE;
	if (interface_open(&new, argv[optind + 1])) {
		status = compare(&request, &old, &new);
		interface_close(&new);
	}
	interface_close(&old);
	return status;
}
