/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: finds out whether programs have the probes that they should
 * have, and whether tracers can read them. For the build of a package, and for
 * meson test.
 *
 *	$ sdtkit check build/smbd --description smb2.d
 *	build/smbd:
 *	  smb2:request_end
 *	    error MISSING_PROBE: it has no site; declared as ...
 *
 *	What to do:
 *	  MISSING_PROBE (1): is the code that fires it compiled, linked ...
 *
 *	build/smbd: 23 probes, 57 sites: 1 error, 0 warnings
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/command.h"
#include "check/tracers.h"
#include "check/missing.h"
#include "check/object.h"
#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"
#include "probes/probegen.h"
#include "probes/read.h"

static const char help_text[] =
	"Usage: sdtkit check [OPTION]... [--description=FILE] BINARY... [PATTERN]...\n"
	"Compare probes with what was declared, and with what tracers can read.\n"
	"If there are several binaries, a declared probe has to be in one of them.\n"
	"A PATTERN, as 'smb2:*' or '!smb2:debug_*', has a colon and no slash: only\n"
	"probes that match are checked.\n"
	"\n"
	"      --description=FILE    what was declared: smb2.d, or the manifest that\n"
	"                        probegen makes of it; may be repeated\n"
	"  -C, -I DIR, -D MACRO  preprocess descriptions first, as probegen does\n"
	"      --for=TRACER,..   bpftrace, perf, gdb, stap, dtrace or bcc; default: all\n"
	"      --ignore=CODE,..  do not report these findings\n"
	"      --werror          treat warnings as errors\n"
	"  -q, --quiet           print nothing if nothing is wrong\n"
	"  -o, --output=FILE     write to FILE, not to standard output\n"
	"  -j, --json            write JSON for programs: docs/check.schema.json\n"
	"      --rules           list the codes of findings and exit\n"
	"      --color=WHEN, --width=N   auto, always or never; fold lines at N\n"
	"  -h, --help            print this text; -V, --version prints the version\n"
	"\n"
	"Exit status: 0 no error, 1 errors, 2 trouble.\n"
	"\n"
	"Examples:\n"
	"  sdtkit check build/smbd --description smb2.d --werror\n"
	"  sdtkit check /usr/bin/postgres --for=bpftrace,perf\n"
	"In meson.build:\n"
	"  test('probes', find_program('sdtkit'),\n"
	"       args: ['check', smbd, '--description', files('smb2.d')])\n";

static bool open_object(struct object *object, const char *path)
{
	struct sdtkit_notes *notes;

	if (sdtkit_notes_open(path, &notes) < 0) {
		tool_complain("%s: %s", path, sdtkit_notes_error());
		return false;
	}
	object->path = path;
	sites_read(&object->sites, path, notes, NULL, NULL, SITES_OPERANDS);
	sites_sort(&object->sites, false);
	return true;
}

static void close_all(struct check *check)
{
	size_t i;

	for (i = 0; i < check->object_count; i++)
		sites_free(&check->object[i].sites);
	for (i = 0; i < check->interface_count; i++)
		interface_close(&check->interface[i]);
	findings_free(&check->findings);
	patterns_free(&check->patterns);
	free(check->object);
	free(check->interface);
}

static void print_count(size_t count, const char *what)
{
	out_number(count, 0);
	out_char(' ');
	out_text(what);
	if (count != 1)
		out_char('s');
}

/* Whether one of the files before this one has the probe. */
static bool is_counted(const struct check *check, size_t before,
		       const struct site *site)
{
	struct group group;
	size_t i;

	for (i = 0; i < before; i++) {
		if (check_find_group(&check->object[i], site->note.provider,
				     site->note.probe, &group))
			return true;
	}
	return false;
}

/* "server: 23 probes, 57 sites: 1 error, 2 warnings" */
static void print_summary(const struct check *check)
{
	size_t errors = findings_count(&check->findings, SEVERITY_ERROR);
	size_t warnings = findings_count(&check->findings, SEVERITY_WARNING);
	size_t probes = 0, all = 0, i, j, run;

	for (i = 0; i < check->object_count; i++) {
		const struct sites *sites = &check->object[i].sites;

		if (i > 0)
			out_text(", ");
		out_path(check->object[i].path);
		for (j = 0; j < sites->count; j += run) {
			const struct sdtkit_site *note = &sites->site[j].note;

			run = sites_run(sites, j, site_compare_names);
			if (!check_wants(check, note->provider, note->probe))
				continue;
			probes += !is_counted(check, i, &sites->site[j]);
			all += run;
		}
	}
	out_text(": ");
	print_count(probes, "probe");
	out_text(", ");
	print_count(all, "site");
	out_text(": ");
	if (errors + warnings == 0) {
		out_style(OUT_GOOD);
		out_text("good");
		out_style(OUT_PLAIN);
	} else {
		print_count(errors, "error");
		out_text(", ");
		print_count(warnings, "warning");
	}
	out_char('\n');
}

enum { DESCRIPTION = 0x200, FOR, IGNORE, WERROR, LIST_RULES };

static const struct option options[] = {
	{ "description", required_argument, NULL, DESCRIPTION },
	{ "for", required_argument, NULL, FOR },
	{ "ignore", required_argument, NULL, IGNORE },
	{ "werror", no_argument, NULL, WERROR },
	{ "quiet", no_argument, NULL, 'q' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "rules", no_argument, NULL, LIST_RULES },
	TOOL_OPTIONS_OF_ALL
};

struct request {
	char **descriptions;
	size_t description_count;
	size_t description_capacity;
	struct probegen_flags flags;
	bool quiet;
	bool json;
};

static void list_rules(void)
{
	int i;

	for (i = 0; i < RULE_COUNT; i++)
		out_format("%-20s  %-7s  %s\n", rules[i].code,
			   rules[i].severity == SEVERITY_ERROR ? "error" :
			   "warning", rules[i].meaning);
}

/* Reads "CODE,CODE". Returns the word that is not a code, or NULL. */
static const char *ignore_rules(struct findings *findings, char *text)
{
	char *word;
	int rule;

	while ((word = strsep(&text, ",")) != NULL) {
		rule = rule_find(word);
		if (rule < 0)
			return word;
		findings->ignored[rule] = true;
	}
	return NULL;
}

static bool parse_words(struct check *check, int option, char *text)
{
	const char *wrong;

	if (option == FOR)
		wrong = tracers_parse(text, &check->tracers);
	else
		wrong = ignore_rules(&check->findings, text);
	if (wrong == NULL)
		return true;
	if (option == FOR)
		tool_complain("invalid value '%s' for --for: 'sdtkit check "
			      "--help' lists the tracers", wrong);
	else
		tool_complain("invalid value '%s' for --ignore: 'sdtkit check "
			      "--rules' lists the codes", wrong);
	return false;
}

static void add_description(struct request *request, char *path)
{
	TOOL_GROW(request->descriptions, request->description_count,
		  request->description_capacity);
	request->descriptions[request->description_count++] = path;
}

/*
 * Returns what tool_option() returned last: -1, with the paths of the binaries,
 * TOOL_HELPED or TOOL_MISUSED.
 */
static int parse_options(int argc, char **argv, struct request *request,
			 struct check *check, char ***paths, size_t *count)
{
	int option;

	while ((option = tool_option(argc, argv, PROBEGEN_LETTERS "qo:jhV",
				     options, help_text)) != -1) {
		switch (option) {
		case DESCRIPTION:
			add_description(request, optarg);
			break;
		case 'C':
		case 'I':
		case 'D':
		case 'U':
			probegen_add_flag(&request->flags, option, optarg);
			break;
		case FOR:
		case IGNORE:
			if (!parse_words(check, option, optarg))
				return TOOL_MISUSED;
			break;
		case WERROR:
			check->findings.warnings_are_errors = true;
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
		case LIST_RULES:
			list_rules();
			return TOOL_HELPED;
		default:
			return option;
		}
	}
	if (check->tracers == 0)
		check->tracers = TRACERS_ALL;
	*paths = argv + optind;
	*count = (size_t)(argc - optind);
	return patterns_take(&check->patterns, *paths, count) ? -1 :
								TOOL_MISUSED;
}

/* Returns false after a complaint: files that were not read are not checked. */
static bool open_all(struct check *check, const struct request *request,
		     char **paths, size_t count)
{
	size_t i;

	check->object = tool_zeros(count, sizeof(check->object[0]));
	check->interface = tool_zeros(request->description_count + 1,
				      sizeof(check->interface[0]));
	for (i = 0; i < request->description_count; i++) {
		if (!interface_open_description(&check->interface[i],
						request->descriptions[i],
						"description",
						&request->flags))
			return false;
		check->interface_count++;
	}
	for (i = 0; i < count; i++) {
		if (!open_object(&check->object[i], paths[i]))
			return false;
		check->object_count++;
	}
	return true;
}

static int run(struct check *check, const struct request *request)
{
	size_t i;

	for (i = 0; i < check->object_count; i++)
		check_object(check, &check->object[i]);
	check_missing(check);
	if (request->json)
		findings_print_json(&check->findings);
	else
		findings_print(&check->findings);
	/* A misspelt pattern must not make a test pass. */
	if (!patterns_complain(&check->patterns))
		return TOOL_TROUBLE;
	if (!request->json && (!request->quiet || check->findings.count > 0))
		print_summary(check);
	return findings_count(&check->findings, SEVERITY_ERROR) > 0 ?
	       TOOL_DIFFERENT : TOOL_SAME;
}

int tool_check(int argc, char **argv)
{
	struct request request = { .quiet = false };
	struct check check = { .tracers = 0 };
	char **paths;
	size_t count;
	int option = parse_options(argc, argv, &request, &check, &paths,
				   &count);
	int status = TOOL_TROUBLE;

	if (option != -1)
		status = tool_option_status(option);
	else if (count == 0)
		tool_complain("no BINARY given; try 'sdtkit check --help'");
	else if (open_all(&check, &request, paths, count))
		status = run(&check, &request);
	close_all(&check);
	free(request.descriptions);
	probegen_free_flags(&request.flags);
	return status;
}
