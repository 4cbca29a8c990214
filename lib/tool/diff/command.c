/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit diff: which changes from the old build of a program to the new one
 * break scripts.
 *
 *	$ sdtkit diff smbd-4.19 smbd-4.20
 *	breaking RENAMED: smb2:request_end(uint64_t mid): it is gone; was it
 *	    renamed to smb2:request_done?
 *	harmless ADDED: smb2:oplock_break(uint64_t fid)
 *	1 change that breaks scripts, 1 that does not
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fold.h"
#include "common/json.h"
#include "common/options.h"
#include "common/out.h"
#include "common/patterns.h"
#include "common/tool.h"
#include "diff/changes.h"
#include "diff/command.h"
#include "diff/compare.h"
#include "probes/interface.h"
#include "probes/probegen.h"
#include "probes/read.h"

static const char help_text[] =
	"Usage: sdtkit diff [OPTION]... OLD NEW [PATTERN]...\n"
	"Report changes from OLD to NEW that break scripts for the probes of OLD:\n"
	"probes that are gone or renamed; arguments that are gone, moved, renamed or\n"
	"of another type; the same changes of members of records; and changed spans.\n"
	"More probes, spans, arguments after the old ones and members break nothing.\n"
	"OLD and NEW are binaries, descriptions (smb2.d) or manifests of probegen.\n"
	"A PATTERN, as 'smb2:*' or '!smb2:debug_*', has a colon and no slash: only\n"
	"changes of probes and spans that match are reported.\n"
	"\n"
	"  -C, -I DIR, -D MACRO  preprocess descriptions first, as probegen does\n"
	"  -q, --quiet        print only what breaks scripts\n"
	"  -o, --output=FILE  write to FILE, not to standard output\n"
	"  -j, --json         write JSON for programs: docs/diff.schema.json\n"
	"      --color=WHEN   use colours: auto, always or never\n"
	"      --width=N      fold lines at N characters\n"
	"  -h, --help         print this text; -V, --version prints the version\n"
	"\n"
	"Exit status: 0 nothing breaks, 1 something does, 2 trouble.\n"
	"\n"
	"Examples:\n"
	"  sdtkit diff /usr/sbin/smbd build/smbd\n"
	"  sdtkit diff released/smb2.d smb2.d\n";

static const struct option options[] = {
	{ "quiet", no_argument, NULL, 'q' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	TOOL_OPTIONS_OF_ALL
};

struct request {
	bool quiet;
	bool json;
	struct probegen_flags flags;
	struct patterns patterns;
	/* The words that are not patterns. */
	char **paths;
	size_t path_count;
};

/* "smb2:request_end(uint64_t mid)", "smb2:request_end, argument 0" */
static char *subject_of(const struct change *change)
{
	const struct interface_probe *probe = change->probe;
	if (change->span != NULL)
		return tool_format("span %s:%s", change->span->provider,
				   change->span->name);
	if (change->argument == 0)
		return interface_prototype(probe);
	return tool_format("%s:%s, argument %zu", probe->provider,
			   probe->probe, change->argument - 1);
}

static bool is_breaking(const struct change *change)
{
	return changes[change->kind].effect == EFFECT_BREAKING;
}

/* The words REMOVED and ADDED say it already. */
static bool is_said(enum change_kind kind)
{
	return kind == CHANGE_REMOVED || kind == CHANGE_ADDED ||
	       kind == CHANGE_SPAN_REMOVED || kind == CHANGE_SPAN_ADDED;
}

static const struct {
	const char *word;
	enum out_style style;
} effects[] = {
	[EFFECT_HARMLESS] = { "harmless", OUT_GOOD },
	[EFFECT_BREAKING] = { "breaking", OUT_ERROR },
	[EFFECT_UNKNOWN] = { "unknown", OUT_WARNING },
};

static void print_change(const struct change *change)
{
	enum change_effect effect = changes[change->kind].effect;
	const char *severity = effects[effect].word;
	const char *code = changes[change->kind].code;
	struct fold fold = fold_from(strlen(severity) + strlen(code) + 2, 4);
	char *subject = subject_of(change);

	out_style(effects[effect].style);
	out_format("%s %s", severity, code);
	out_style(OUT_PLAIN);
	out_char(':');
	fold.blanks = 1;
	fold_list(&fold, subject);
	if (!is_said(change->kind)) {
		out_char(':');
		fold.column++;
		fold_words(&fold, change->text);
	}
	out_char('\n');
	free(subject);
}

static void print_counts(const struct change_list *list)
{
	size_t breaking = changes_count(list, EFFECT_BREAKING);
	size_t harmless = changes_count(list, EFFECT_HARMLESS);
	size_t unknown = changes_count(list, EFFECT_UNKNOWN);

	out_format("%zu change%s scripts, %zu %s not", breaking,
		   breaking == 1 ? " that breaks" : "s that break",
		   harmless, harmless == 1 ? "that does" : "that do");
	if (unknown > 0)
		out_format(", %zu not compared", unknown);
	out_char('\n');
}

static void print(const struct change_list *list, size_t probes, bool quiet)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (!quiet || is_breaking(&list->change[i]))
			print_change(&list->change[i]);
	}
	if (quiet)
		return;
	if (list->count == 0)
		out_format("no difference in %zu probe%s\n", probes,
			   probes == 1 ? "" : "s");
	else
		print_counts(list);
}

static json_t *make_change(const struct change *change)
{
	const struct interface_probe *renamed = change->renamed;
	const struct interface_probe *probe = change->probe;
	const struct sdtkit_span *span = change->span;

	return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "code", changes[change->kind].code,
			 "breaking", (int)is_breaking(change),
			 "provider", json_out_text(span != NULL ?
						   span->provider :
						   probe->provider),
			 "probe", json_out_text(probe != NULL ? probe->probe :
								NULL),
			 "span", json_out_text(span != NULL ? span->name :
							      NULL),
			 "argument", change->argument > 0 ?
			 json_integer((json_int_t)change->argument - 1) :
			 json_null(),
			 "member", json_out_text(change->member),
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
		if (quiet && !is_breaking(&list->change[i]))
			continue;
		out_text(first ? "\n" : ",\n");
		first = false;
		json_out_print(make_change(&list->change[i]));
	}
	out_text("\n]}\n");
}

/* Returns what tool_option() returned last: -1, TOOL_HELPED or TOOL_MISUSED. */
static int parse_options(int argc, char **argv, struct request *request)
{
	int option;

	while ((option = tool_option(argc, argv, PROBEGEN_LETTERS "qo:jhV",
				     options, help_text)) != -1) {
		switch (option) {
		case 'C':
		case 'I':
		case 'D':
		case 'U':
			probegen_add_flag(&request->flags, option, optarg);
			break;
		case 'q':
			request->quiet = true;
			break;
		case 'o':
			if (!tool_set_output(optarg))
				return TOOL_MISUSED;
			break;
		case 'j':
			request->json = true;
			break;
		default:
			return option;
		}
	}
	request->paths = argv + optind;
	request->path_count = (size_t)(argc - optind);
	return patterns_take(&request->patterns, request->paths,
			     &request->path_count) ? -1 : TOOL_MISUSED;
}

/*
 * Asks the patterns about all probes and spans, since what matches nothing is
 * misspelt. Returns the number of probes that match.
 */
static size_t use_patterns(struct patterns *patterns,
			   const struct interface *of)
{
	size_t wanted = 0, i;

	for (i = 0; i < of->count; i++)
		wanted += patterns_fit(patterns, of->probe[i].provider,
				       of->probe[i].probe);
	for (i = 0; i < of->spans.count; i++)
		patterns_fit(patterns, of->spans.kept[i].span->provider,
			     of->spans.kept[i].span->name);
	return wanted;
}

static void keep_wanted(struct patterns *patterns, struct change_list *list)
{
	size_t kept = 0, i;

	for (i = 0; i < list->count; i++) {
		const struct change *change = &list->change[i];
		const struct interface_probe *probe = change->probe;
		const struct sdtkit_span *span = change->span;

		if (patterns_fit(patterns, span != NULL ? span->provider :
							  probe->provider,
				 span != NULL ? span->name : probe->probe))
			list->change[kept++] = *change;
		else
			free(change->text);
	}
	list->count = kept;
}

static int compare(struct request *request, const struct interface *old,
		   const struct interface *new)
{
	struct change_list list = { .count = 0 };
	size_t probes;
	int status;

	use_patterns(&request->patterns, old);
	probes = use_patterns(&request->patterns, new);
	if (!patterns_complain(&request->patterns))
		return TOOL_TROUBLE;
	changes_find(&list, old, new);
	keep_wanted(&request->patterns, &list);
	if (request->json)
		print_json(&list, request->quiet);
	else
		print(&list, probes, request->quiet);
	status = changes_count(&list, EFFECT_BREAKING) > 0 ? TOOL_DIFFERENT :
							     TOOL_SAME;
	changes_free(&list);
	return status;
}

static int open_and_compare(struct request *request)
{
	struct interface old, new;
	char **paths = request->paths;
	int status = TOOL_TROUBLE;

	if (!interface_open(&old, paths[0], &request->flags))
		return TOOL_TROUBLE;
	if (interface_open(&new, paths[1], &request->flags)) {
		if (old.count + new.count > 0)
			status = compare(request, &old, &new);
		else
			tool_complain("neither %s nor %s has probes: there is "
				      "nothing to compare", paths[0],
				      paths[1]);
		interface_close(&new);
	}
	interface_close(&old);
	return status;
}

int tool_diff(int argc, char **argv)
{
	struct request request = { .quiet = false };
	int option = parse_options(argc, argv, &request);
	int status = TOOL_TROUBLE;

	if (option != -1)
		status = tool_option_status(option);
	else if (request.path_count != 2)
		tool_complain("give two files, OLD and NEW; try 'sdtkit diff "
			      "--help'");
	else
		status = open_and_compare(&request);
	probegen_free_flags(&request.flags);
	patterns_free(&request.patterns);
	return status;
}
