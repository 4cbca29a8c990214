/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a probe in what is checked, see check.h. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "lib/text/pattern.h"

bool check_wants(const struct check *check, const char *provider,
		 const char *probe)
{
	return sdtkit_pattern_matches(check->patterns.list, provider, probe);
}

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

struct subject check_subject(const struct group *group, const struct site *site)
{
	return (struct subject) {
		.path = group->object->path,
		.provider = site->note.provider,
		.probe = site->note.probe,
		.has_address = true,
		.address = site->note.address,
	};
}
