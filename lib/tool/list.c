/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list: from files, by way of libsdtkit-notes, to a table.
 *
 *	$ sdtkit list server
 *	PROBE               SITES  SEMAPHORE  ARGUMENTS
 *	smb2:request_end        2  yes        u64 u64 u64
 *	smb2:request_start      1  yes        u64 u64
 *
 * A file that cannot be read to its end still has listed what was read, and
 * the other files are listed all the same; the exit status remembers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "tool.h"

static const char help_text[] =
	"Usage: sdtkit list [-v] FILE...\n"
	"List the static probes (USDT) of programs, shared libraries and\n"
	"object files, of any machine, sorted by name.\n"
	"\n"
	"  -v, --verbose  a line per site: address, offset in the file,\n"
	"                 address of the semaphore, operands as written\n"
	"      --help     this text\n"
	"      --version  the version\n"
	"\n"
	"SITES      places in the code where the probe fires\n"
	"SEMAPHORE  yes: the program can tell whether anybody traces\n"
	"ARGUMENTS  u unsigned, s signed, f floating point, and the bits as\n"
	"           recorded: sdtkit's probes widen all to a full register\n"
	"?          not known (object files, until they are linked)\n"
	"\n"
	"Exit status: 0 probes were found, 1 none were found, 2 trouble.\n"
	"\n"
	"Example:\n"
	"  $ sdtkit list /usr/sbin/smbd\n"
	"  PROBE               SITES  SEMAPHORE  ARGUMENTS\n"
	"  smb2:request_end        2  yes        u64 u64 u64\n"
	"  smb2:request_start      1  yes        u64 u64\n";

/* Why a file may have no probes, as far as it can be told from the file. */
static const char *why_none(const struct sdtkit_notes_info *info)
{
	if (!info->has_sections)
		return "it has no section headers, so its notes cannot be "
		       "found, if there are any";
	if (info->has_base)
		return "they were compiled in, but their notes are gone: "
		       "stripped by 'llvm-strip --strip-all'? "
		       "(--strip-all-gnu keeps them)";
	if (info->dynamic)
		return "built without them (SDTKIT_DISABLE?), or they are in "
		       "a shared library that it loads (see ldd)";
	return "built without them (SDTKIT_DISABLE?), or the objects with the "
	       "probes were not linked";
}

/*
 * All sites that can be read; returns the number of those that cannot.  Only
 * the first is complained of at length: a hostile file has as many as it likes.
 */
static size_t read_sites(struct sdtkit_notes *notes, const char *path,
			 struct rows *rows)
{
	const struct sdtkit_site *site;
	size_t errors = 0;
	int ret;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret > 0 && rows_add(rows, site) == 0)
			continue;
		if (errors++ == 0)
			tool_complain("%s: %s", path, ret > 0 ?
				      strerror(ENOMEM) : sdtkit_notes_error());
	}
	if (errors > 1)
		tool_complain("%s: %zu more of such errors", path,
			      errors - 1);
	return errors;
}

/* heading: 0 none is wanted, 1 for the first table, 2 for those that follow */
static void print_file(const char *path, struct rows *rows, int *heading)
{
	rows_finish(rows);
	if (*heading > 0)
		printf("%s%s:\n", *heading > 1 ? "\n" : "", path);
	if (*heading == 1)
		*heading = 2;
	rows_print(rows);
}

static int list_file(const char *path, bool verbose, int *heading)
{
	struct rows rows = { .verbose = verbose };
	struct sdtkit_notes *notes;
	int status = TOOL_FOUND;

	if (sdtkit_notes_open(path, &notes) < 0) {
		tool_complain("%s: %s", path, sdtkit_notes_error());
		return TOOL_TROUBLE;
	}
	rows.relocatable = sdtkit_notes_info(notes)->relocatable;
	if (read_sites(notes, path, &rows) > 0) {
		status = TOOL_TROUBLE;
	} else if (rows.count == 0) {
		tool_complain("%s: no probes: %s", path,
			      why_none(sdtkit_notes_info(notes)));
		status = TOOL_NONE;
	}
	if (rows.count > 0)
		print_file(path, &rows, heading);
	rows_free(&rows);
	sdtkit_notes_close(notes);
	return status;
}

/* Trouble with one file is trouble; else one file with probes is enough. */
static int list_files(char **paths, int count, bool verbose)
{
	int heading = count > 1 ? 1 : 0;
	bool found = false, trouble = false;
	int i;

	for (i = 0; i < count && !ferror(stdout); i++) {
		int status = list_file(paths[i], verbose, &heading);

		found |= status == TOOL_FOUND;
		trouble |= status == TOOL_TROUBLE;
	}
	if (trouble)
		return TOOL_TROUBLE;
	return found ? TOOL_FOUND : TOOL_NONE;
}

int tool_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	bool verbose = false;
	int option;

	/* getopt begins its messages with this. */
	argv[0] = "sdtkit list";
	while ((option = getopt_long(argc, argv, "vhV", options, NULL)) != -1) {
		switch (option) {
		case 'v':
			verbose = true;
			break;
		case 'h':
			fputs(help_text, stdout);
			return TOOL_FOUND;
		case 'V':
			printf("sdtkit %s\n", TOOL_VERSION);
			return TOOL_FOUND;
		default:
			tool_complain("try 'sdtkit list --help'");
			return TOOL_TROUBLE;
		}
	}
	if (optind == argc) {
		tool_complain("list: which FILE? try 'sdtkit list --help'");
		return TOOL_TROUBLE;
	}
	return list_files(argv + optind, argc - optind, verbose);
}
