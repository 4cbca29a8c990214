/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: all rules for a file and its probes. */
#include <string.h>

#include "check/check.h"
#include "check/declared.h"
#include "check/file.h"
#include "check/folded.h"
#include "check/object.h"
#include "check/shared.h"
#include "check/site.h"
#include "check/spans.h"

/* Whether any probe of its provider is declared. */
static bool is_of_declared_provider(const struct check *check,
				    const struct group *group)
{
	size_t i, j;

	for (i = 0; i < check->interface_count; i++) {
		const struct interface *interface = &check->interface[i];

		for (j = 0; j < interface->count; j++) {
			if (strcmp(interface->probe[j].provider,
				   group->site->note.provider) == 0)
				return true;
		}
	}
	return false;
}

static void check_group(struct check *check, const struct group *group)
{
	struct subject subject = {
		.path = group->object->path,
		.provider = group->site->note.provider,
		.probe = group->site->note.probe,
	};

	if (group->declared != NULL) {
		check_declaration(check, group);
		check_alias(check, group);
	} else if (is_of_declared_provider(check, group)) {
		findings_add(&check->findings, RULE_UNDECLARED_PROBE, &subject,
			     "its provider is declared, but this probe is not");
	}
	check_description(check, group);
	check_names(check, group);
	check_semaphores(check, group);
	check_sites(check, group);
	check_operands(check, group);
}

void check_object(struct check *check, const struct object *object)
{
	const struct sites *sites = &object->sites;
	size_t i, run;

	check_file(check, object);
	check_shared(check, object);
	check_folded(check, object);
	check_spans(check, object);
	for (i = 0; i < sites->count; i += run) {
		const struct sdtkit_site *note = &sites->site[i].note;
		struct group group;

		run = sites_run(sites, i, site_compare_names);
		if (!patterns_fit(&check->patterns, note->provider,
				  note->probe))
			continue;
		group = (struct group) {
			.object = object,
			.site = &sites->site[i],
			.count = run,
			.declared = check_find_declared(check, note->provider,
							note->probe),
		};
		check_group(check, &group);
	}
}
