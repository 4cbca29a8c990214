/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads an interface, see read.h. The first bytes of a file tell whether it is
 * a binary or a manifest; otherwise it is a description.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "probes/interface.h"
#include "probes/manifest.h"
#include "probes/probegen.h"
#include "probes/read.h"
#include "probes/sites.h"

static const struct sdtkit_argument *
keep_recorded(struct interface *interface, const struct sdtkit_site *site)
{
	struct sdtkit_argument *arguments;
	char wire[SDTKIT_WIRE_TEXT];
	size_t i;

	arguments = obstack_alloc(&interface->arena,
				  (site->operand_count + 1) *
				  sizeof(arguments[0]));
	for (i = 0; i < site->operand_count; i++) {
		sdtkit_wire_write(&site->operands[i], wire);
		arguments[i] = (struct sdtkit_argument) {
			.wire = site->operands[i].size == 0 ? "" :
				interface_keep(interface, wire),
			.name = "",
			.doc = "",
		};
	}
	return arguments;
}

/* In a file that is not linked, the address of a semaphore means nothing. */
static enum interface_semaphore get_semaphore(const struct sites *sites,
					      const struct site *site)
{
	if (sites->info->relocatable || sites->info->debug_only ||
	    site->note.semaphore == 0)
		return INTERFACE_SEMAPHORE_UNKNOWN;
	return site->is_shared ? INTERFACE_SEMAPHORE_SHARED :
				 INTERFACE_SEMAPHORE_OWN;
}

/* Adds a probe: run sites of one name, sorted by looks. */
static void add_sites(struct interface *interface, const struct sites *sites,
		      size_t first, size_t run)
{
	const struct site *site = &sites->site[first];
	const struct sdtkit_description *description = site->note.description;
	struct interface_probe *probe = interface_add(interface);

	probe->provider = site->note.provider;
	probe->probe = site->note.probe;
	probe->semaphore = get_semaphore(sites, site);
	if (description != NULL) {
		probe->described = true;
		probe->count = description->argument_count;
		probe->arguments = description->arguments;
	} else {
		probe->mixed = site_compare_types(site, site + run - 1) != 0;
		probe->count = site->note.operand_count;
		probe->arguments = keep_recorded(interface, &site->note);
	}
}

static bool read_binary(struct interface *interface, const char *path)
{
	struct sdtkit_notes *notes;
	struct sites sites;
	bool complete;
	size_t i, run;

	if (sdtkit_notes_open(path, &notes) < 0) {
		tool_complain("%s: %s", path, sdtkit_notes_error());
		return false;
	}
	sites_read(&sites, path, notes, NULL, NULL, SITES_OPERANDS);
	sites_sort(&sites, true);
	sites_find_shared(&sites);
	sites_complain(&sites);
	complete = sites.errors == 0;
	interface->bits = sites.info->bits;
	for (i = 0; i < sites.count; i += run) {
		run = sites_run(&sites, i, site_compare_names);
		add_sites(interface, &sites, i, run);
		interface->knows_spans |=
			interface->probe[interface->count - 1].described;
	}
	for (i = 0; i < sites.spans.count; i++) {
		if (!sites.spans.kept[i].differs)
			kept_spans_add(&interface->spans,
				       sites.spans.kept[i].span);
	}
	/* The probes and the spans refer to what it has. */
	interface->notes = notes;
	sites.notes = NULL;
	sites_free(&sites);
	return complete;
}

static bool read_description(struct interface *interface, const char *path,
			     const struct probegen_flags *flags)
{
	struct probegen run;
	bool good;

	if (!probegen_start(&run, path, flags))
		return false;
	good = manifest_read(interface, run.output);
	return probegen_finish(&run) && good;
}

enum contents { BINARY, MANIFEST, DESCRIPTION };

/*
 * Guesses by the first character, which is pushed back: a manifest may come
 * from a pipe. A description has no first character of its own.
 */
static enum contents guess_contents(FILE *file)
{
	int c = getc(file);

	while (c == ' ' || c == '\t' || c == '\r' || c == '\n')
		c = getc(file);
	ungetc(c, file);
	if (c == 0x7f || c == '!')
		return BINARY;
	return c == '{' ? MANIFEST : DESCRIPTION;
}

static bool is_named_description(const char *path)
{
	size_t length = strlen(path);

	return length > 2 && strcmp(path + length - 2, ".d") == 0;
}

static bool read_by_contents(struct interface *interface, const char *path,
			     const struct probegen_flags *flags)
{
	FILE *file = fopen(path, "re");
	enum contents contents;
	bool good = false;

	if (file == NULL) {
		tool_complain("%s: %s", path, strerror(errno));
		return false;
	}
	contents = guess_contents(file);
	if (ferror(file))
		tool_complain("%s: %s", path, strerror(errno));
	else if (contents == MANIFEST)
		good = manifest_read(interface, file);
	else if (contents == BINARY)
		good = read_binary(interface, path);
	else
		good = read_description(interface, path, flags);
	fclose(file);
	return good;
}

bool interface_open(struct interface *interface, const char *path,
		    const struct probegen_flags *flags)
{
	bool good;

	interface_begin(interface, path);
	if (is_named_description(path))
		good = read_description(interface, path, flags);
	else
		good = read_by_contents(interface, path, flags);
	if (!good) {
		interface_close(interface);
		return false;
	}
	interface_sort(interface);
	return true;
}

bool interface_open_description(struct interface *interface, const char *path,
				const char *option,
				const struct probegen_flags *flags)
{
	if (!interface_open(interface, path, flags))
		return false;
	if (interface->bits == 0)
		return true;
	tool_complain("%s: --%s takes a description (smb2.d) or a manifest, "
		      "not a binary; 'sdtkit diff' compares two binaries",
		      path, option);
	interface_close(interface);
	return false;
}
