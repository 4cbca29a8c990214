/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: sites of different probes at one address. Sorted by address,
 * they stand beside each other. A note under another provider's name is an
 * alias, if its probe has the same name.
 */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/folded.h"
#include "common/tool.h"

static int by_address(const void *first, const void *second)
{
	const struct site *a = *(const struct site *const *)first;
	const struct site *b = *(const struct site *const *)second;

	if (a->note.address != b->note.address)
		return a->note.address > b->note.address ? 1 : -1;
	return a->order > b->order ? 1 : -1;
}

static size_t find_placed(const struct object *object,
			  const struct site **placed)
{
	size_t count = 0, i;

	for (i = 0; i < object->sites.count; i++) {
		if (object->sites.site[i].note.offset != SDTKIT_NO_OFFSET)
			placed[count++] = &object->sites.site[i];
	}
	qsort(placed, count, sizeof(placed[0]), by_address);
	return count;
}

static void add(struct check *check, const struct object *object,
		const struct site *site, const struct site *first)
{
	struct group group = { .object = object };
	struct subject subject = check_subject(&group, site);

	if (check_wants(check, subject.provider, subject.probe))
		findings_add(&check->findings, RULE_SITE_SHARED, &subject,
			     "its site is that of %s:%s, too",
			     first->note.provider, first->note.probe);
}

void check_folded(struct check *check, const struct object *object)
{
	const struct site **placed, *first;
	size_t count, i;

	placed = tool_zeros(object->sites.count + 1, sizeof(placed[0]));
	count = find_placed(object, placed);
	for (i = 0, first = placed[0]; i < count; i++) {
		if (placed[i]->note.address != first->note.address)
			first = placed[i];
		if (strcmp(placed[i]->note.probe, first->note.probe) != 0)
			add(check, object, placed[i], first);
	}
	free(placed);
}
