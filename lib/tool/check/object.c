/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: going over the probes of a file, finding one by its name. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

const struct interface_probe *check_find_declared(const struct check *check,
						  const char *provider,
						  const char *probe)
{
	return interface_find_any(check->interface, check->interface_count,
				  provider, probe);
}

static int compare_name(const void *key, const void *member)
{
	return site_compare_names(key, member);
}

const struct site *check_find_site(const struct object *object,
				   const char *provider, const char *probe)
{
	const struct sites *sites = &object->sites;
	struct site key = { .note = { .provider = provider, .probe = probe } };

	if (sites->count == 0)
		return NULL;
	return bsearch(&key, sites->site, sites->count, sizeof(key),
		       compare_name);
}

bool check_find_group(const struct object *object, const char *provider,
		      const char *probe, struct group *group)
{
	const struct sites *sites = &object->sites;
	const struct site *site = check_find_site(object, provider, probe);

	if (site == NULL)
		return false;
	while (site > sites->site && site_compare_names(site - 1, site) == 0)
		site--;
	*group = (struct group) {
		.object = object,
		.site = site,
		.count = sites_run(sites, (size_t)(site - sites->site),
				   site_compare_names),
	};
	return true;
}

struct place check_place(const struct group *group, const struct site *site)
{
	return (struct place) {
		.path = group->object->path,
		.provider = site->note.provider,
		.probe = site->note.probe,
		.has_address = true,
		.address = site->note.address,
	};
}

/* Of its provider, something is declared. */
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
	struct place place = {
		.path = group->object->path,
		.provider = group->site->note.provider,
		.probe = group->site->note.probe,
	};

	if (group->declared != NULL) {
		check_declaration(check, group);
		check_alias(check, group);
	} else if (is_of_declared_provider(check, group)) {
		findings_add(&check->findings, RULE_UNDECLARED_PROBE, &place,
			     "its provider is declared, but not this probe");
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
	for (i = 0; i < sites->count; i += run) {
		const struct sdtkit_site *note = &sites->site[i].note;
		struct group group;

		run = sites_run(sites, i, site_compare_names);
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
