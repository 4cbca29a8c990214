/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of records in a listing, under the names that expectations of
 * libsdtkit-tap use:
 *
 *	uint64_t req.mid
 *	char req.peer.host[8]
 */
#include <stdlib.h>

#include "common/out.h"
#include "list/table_members.h"
#include "probes/members.h"
#include "probes/sites.h"

void table_print_members(const struct site *site, size_t indent)
{
	const struct sdtkit_description *description = site->note.description;
	size_t i, j;

	for (i = 0; i < description->argument_count; i++) {
		const struct sdtkit_argument *argument =
			&description->arguments[i];
		const struct sdtkit_layout *record = argument->record;

		for (j = 0; record != NULL && j < record->member_count; j++) {
			char *text = members_text(argument->name,
						  &record->members[j]);

			out_blanks(indent);
			out_escaped(text, true);
			out_char('\n');
			free(text);
		}
	}
}
