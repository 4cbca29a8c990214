/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: the rule for declared probes that no file has. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/missing.h"
#include "lib/text/similar.h"

/* Finds an undeclared probe that the declared one may have been renamed to. */
static const struct sdtkit_site *guess(const struct check *check,
				       const struct interface_probe *declared)
{
	const struct sdtkit_site *best = NULL;
	unsigned int similar = SIMILAR_ENOUGH - 1;
	size_t i, j;

	for (i = 0; i < check->object_count; i++) {
		const struct sites *sites = &check->object[i].sites;

		for (j = 0; j < sites->count; j++) {
			const struct sdtkit_site *note = &sites->site[j].note;
			unsigned int value;

			if (strcmp(note->provider, declared->provider) != 0 ||
			    check_find_declared(check, note->provider,
						note->probe) != NULL)
				continue;
			value = sdtkit_similar_names(note->probe,
						     declared->probe);
			if (value > similar) {
				similar = value;
				best = note;
			}
		}
	}
	return best;
}

static void add_missing(struct check *check, const struct interface *interface,
			const struct interface_probe *declared)
{
	const struct sdtkit_site *similar = guess(check, declared);
	const struct object *object = &check->object[0];
	struct subject subject = {
		/*
		 * If there are several files, the finding is about the
		 * description.
		 */
		.path = check->object_count == 1 ? object->path :
						   interface->path,
		.provider = declared->provider,
		.probe = declared->probe,
	};
	char *prototype = interface_prototype(declared);

	findings_add(&check->findings, RULE_MISSING_PROBE, &subject,
		     "it has no site%s%s%s; declared as %s",
		     similar != NULL ? " (was it renamed to '" : "",
		     similar != NULL ? similar->probe : "",
		     similar != NULL ? "'?)" : "", prototype);
	free(prototype);
}

static bool is_anywhere(const struct check *check,
			const struct interface_probe *probe)
{
	struct group group;
	size_t i;

	for (i = 0; i < check->object_count; i++) {
		if (check_find_group(&check->object[i], probe->provider,
				     probe->probe, &group))
			return true;
	}
	return false;
}

static void check_declared_probe(struct check *check,
				 const struct interface *interface,
				 const struct interface_probe *probe)
{
	/* An alias is checked with its provider. */
	if (probe->alias_of != NULL ||
	    !patterns_fit(&check->patterns, probe->provider, probe->probe))
		return;
	if (!is_anywhere(check, probe))
		add_missing(check, interface, probe);
}

void check_missing(struct check *check)
{
	size_t sites = 0, i, j;

	for (i = 0; i < check->object_count; i++)
		sites += check->object[i].sites.count;
	/* There is a finding NO_PROBES already. */
	if (sites == 0)
		return;
	for (i = 0; i < check->interface_count; i++) {
		const struct interface *interface = &check->interface[i];

		for (j = 0; j < interface->count; j++)
			check_declared_probe(check, interface,
					     &interface->probe[j]);
	}
}
