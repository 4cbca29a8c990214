/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of records in a listing, by the names that expectations of
 * libsdtkit-tap have for them:
 *
 *	uint64_t req.mid
 *	char req.peer.host[8]
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "declare.h"
#include "out.h"
#include "sites.h"
#include "table.h"
#include "tool.h"

char *table_member_text(const struct sdtkit_argument *argument,
			const struct sdtkit_layout_member *member)
{
	char *name, *text;

	if (asprintf(&name, "%s%s%s", argument->name,
		     argument->name[0] != '\0' ? "." : "", member->name) < 0)
		tool_no_memory();
	text = declare(member->type, name);
	free(name);
	return text;
}

void table_print_members(const struct site *site, size_t indent)
{
	const struct sdtkit_description *description = site->note.description;
	size_t i, j;

	for (i = 0; i < description->argument_count; i++) {
		const struct sdtkit_argument *argument =
			&description->arguments[i];
		const struct sdtkit_layout *record = argument->record;

		for (j = 0; record != NULL && j < record->member_count; j++) {
			char *text = table_member_text(argument,
						       &record->members[j]);

			out_blanks(indent);
			out_escaped(text, true);
			out_char('\n');
			free(text);
		}
	}
}
