/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules for the probes of a file that share a semaphore. Sorted
 * by semaphore, the sites of probes that share one stand beside each other;
 * sorted by group, those of probes that should share one do.
 */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/shared.h"
#include "common/tool.h"

/* A site that has a semaphore, of a declared probe. */
struct holder {
	const struct site *site;
	const struct interface_probe *declared;
};

/* What is wrong with an alias is wrong with its owner, too. */
static size_t find_holders(const struct check *check,
			   const struct object *object, struct holder *holders)
{
	size_t count = 0, i;

	for (i = 0; i < object->sites.count; i++) {
		const struct site *site = &object->sites.site[i];
		const struct interface_probe *declared;

		if (site->note.semaphore == 0)
			continue;
		declared = check_find_declared(check, site->note.provider,
					       site->note.probe);
		if (declared != NULL && declared->alias_of == NULL)
			holders[count++] = (struct holder) {
				.site = site,
				.declared = declared,
			};
	}
	return count;
}

/* Sites of a file are sorted by name, and stand in one array. */
static int compare_sites(const struct holder *a, const struct holder *b)
{
	return (a->site > b->site) - (a->site < b->site);
}

static int compare_semaphores(const struct holder *a, const struct holder *b)
{
	uint64_t x = a->site->note.semaphore, y = b->site->note.semaphore;

	return (x > y) - (x < y);
}

static int by_semaphore(const void *first, const void *second)
{
	int ret = compare_semaphores(first, second);

	return ret != 0 ? ret : compare_sites(first, second);
}

/* Probes of no group are in one that has no name. */
static const char *group_of(const struct holder *holder)
{
	return holder->declared->group != NULL ? holder->declared->group : "";
}

static int compare_groups(const struct holder *a, const struct holder *b)
{
	int ret = strcmp(group_of(a), group_of(b));

	return ret != 0 ? ret : strcmp(a->site->note.provider,
				       b->site->note.provider);
}

static int by_group(const void *first, const void *second)
{
	int ret = compare_groups(first, second);

	return ret != 0 ? ret : compare_sites(first, second);
}

/* Whether both are sites of one probe. */
static bool is_same_probe(const struct holder *a, const struct holder *b)
{
	return site_compare_names(a->site, b->site) == 0;
}

/* Whether the description lets them have one semaphore. */
static bool may_share(const struct holder *a, const struct holder *b)
{
	return is_same_probe(a, b) ||
	       (group_of(a)[0] != '\0' && compare_groups(a, b) == 0);
}

static void add(struct check *check, const struct object *object,
		enum rule rule, const struct holder *holder,
		const struct holder *first)
{
	const struct sdtkit_site *other = &first->site->note;
	struct group group = { .object = object };
	struct subject subject = check_subject(&group, holder->site);

	if (!check_wants(check, subject.provider, subject.probe))
		return;
	if (rule == RULE_SEMAPHORE_SHARED)
		findings_add(&check->findings, rule, &subject,
			     "it has the semaphore of %s:%s, but no group is "
			     "declared that has both", other->provider,
			     other->probe);
	else
		findings_add(&check->findings, rule, &subject,
			     "its semaphore is not that of %s:%s, although "
			     "both are in group '%s'", other->provider,
			     other->probe, group_of(holder));
}

static void find_shared(struct check *check, const struct object *object,
			struct holder *holders, size_t count)
{
	const struct holder *first = holders;
	size_t i;

	qsort(holders, count, sizeof(holders[0]), by_semaphore);
	for (i = 0; i < count; i++) {
		if (compare_semaphores(first, &holders[i]) != 0)
			first = &holders[i];
		if (!may_share(first, &holders[i]))
			add(check, object, RULE_SEMAPHORE_SHARED, &holders[i],
			    first);
	}
}

/* SEMAPHORE_SPLIT is about sites of one probe. */
static void find_apart(struct check *check, const struct object *object,
		       struct holder *holders, size_t count)
{
	const struct holder *first = holders;
	size_t i;

	qsort(holders, count, sizeof(holders[0]), by_group);
	for (i = 0; i < count; i++) {
		if (compare_groups(first, &holders[i]) != 0)
			first = &holders[i];
		if (group_of(first)[0] != '\0' &&
		    compare_semaphores(first, &holders[i]) != 0 &&
		    !is_same_probe(first, &holders[i]))
			add(check, object, RULE_SEMAPHORE_APART, &holders[i],
			    first);
	}
}

void check_shared(struct check *check, const struct object *object)
{
	struct holder *holders;
	size_t count;

	if (object->sites.info->relocatable || object->sites.info->debug_only ||
	    check->interface_count == 0)
		return;
	holders = tool_zeros(object->sites.count + 1, sizeof(holders[0]));
	count = find_holders(check, object, holders);
	find_shared(check, object, holders, count);
	find_apart(check, object, holders, count);
	free(holders);
}
