/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists the sites of a file, see listing.h. */
#include <stdint.h>
#include <stdlib.h>

#include "common/fold.h"
#include "common/out.h"
#include "common/tool.h"
#include "list/json.h"
#include "list/listing.h"
#include "list/origin.h"
#include "list/table.h"
#include "list/table_long.h"
#include "probes/interface.h"
#include "probes/sites.h"
#include "probes/no_probes.h"

/* Prints the heading of a table: "1234 smbd: /usr/sbin/smbd:" */
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
	if (list->columns.count > 0)
		table_print_columns(&list->columns, sites);
	else if (list->verbose)
		table_print_sites(sites);
	else if (list->longs)
		table_print_long(sites, list->description,
				 list->description_count);
	else
		table_print_probes(sites, list->summaries);
}

/* Remembers which descriptions describe a probe of these sites. */
static void mark_descriptions(struct list *list, const struct sites *sites)
{
	size_t i, j;

	for (i = 0; i < list->description_count; i++) {
		struct interface *description = &list->description[i];

		for (j = 0; j < sites->count && !description->listed; j++) {
			const struct sdtkit_site *note = &sites->site[j].note;

			description->listed = interface_find(description,
					note->provider, note->probe) != NULL;
		}
	}
}

static void complain_of_none(const struct sites *sites)
{
	char *why = no_probes_reason(sites->notes, sites->path, "sdtkit list",
				     false);

	tool_complain("%s: no probes: %s", sites->path, why);
	free(why);
}

size_t list_sites(struct list *list, const struct list_origin *origin,
		  struct sdtkit_notes *notes)
{
	bool by_looks = !list->verbose && !list->json &&
			!table_has_sites(&list->columns);
	bool operands = !list->verbose || list->json || fold_width() > 0;
	struct sites sites;
	size_t total;

	sites_read(&sites, origin->path, notes, origin->process,
		   &list->patterns, operands ? SITES_OPERANDS : SITES_NAMES);
	if (list->traced_only)
		sites_keep_traced(&sites);
	sites_sort(&sites, by_looks);
	sites_complain(&sites);
	mark_descriptions(list, &sites);
	if (sites.errors > 0 || sites.semaphore_error != 0)
		list->trouble = true;
	else if (sites.total == 0 && origin->named && !list->quiet)
		complain_of_none(&sites);
	else if (sites.count == 0 && origin->named && !list->quiet &&
		 list->patterns.used && list->patterns.list[0] != '!')
		no_probes_complain(sites.notes, sites.path, "sdtkit list",
				   list->patterns.list);
	if (list->json && (sites.count > 0 || origin->named))
		list_json_file(origin, &sites);
	else if (sites.count > 0)
		print_table(list, origin, &sites);
	list->listed += sites.count > 0;
	total = sites.total;
	sites_free(&sites);
	return total;
}
