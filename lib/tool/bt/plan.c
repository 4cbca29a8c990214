/* SPDX-License-Identifier: BSD-2-Clause */
/* What all clauses are for, see plan.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "bt/plan.h"
#include "common/tool.h"

static bool match_all(struct plan *plan, struct source *source,
		      const struct clauses *clauses, struct objects *objects)
{
	bool good = true;
	size_t i;

	plan->match = tool_zeros(clauses->count + 1, sizeof(plan->match[0]));
	plan->count = clauses->count;
	for (i = 0; i < clauses->count; i++) {
		if (clause_is_ours(&clauses->clause[i]) &&
		    !match_probes(&plan->match[i], source,
				  &clauses->clause[i], objects))
			good = false;
	}
	return good;
}

static int compare_pointers(const void *first, const void *second)
{
	const char *a = *(const char *const *)first;
	const char *b = *(const char *const *)second;

	return (a > b) - (a < b);
}

static void collect_sites(struct plan *plan)
{
	size_t capacity = 0, i, j;

	for (i = 0; i < plan->count; i++) {
		for (j = 0; j < plan->match[i].count; j++) {
			TOOL_GROW(plan->site, plan->site_count, capacity);
			plan->site[plan->site_count++] =
				plan->match[i].probe[j].site;
		}
	}
	if (plan->site_count > 1)
		qsort(plan->site, plan->site_count, sizeof(plan->site[0]),
		      compare_pointers);
}

static bool has_probe(const struct object *object, const struct probe *probe)
{
	size_t low = 0, high = object->sites.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = site_compare_names(&object->sites.site[middle],
					       probe->site);

		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Whether several files of the process have a probe that is meant. */
static const struct probe *find_confused(const struct plan *plan,
					 const struct objects *objects)
{
	size_t i, j, k;

	for (i = 0; i < plan->count; i++) {
		for (j = 0; j < plan->match[i].count; j++) {
			const struct probe *probe = &plan->match[i].probe[j];
			size_t files = 0;

			for (k = 0; k < objects->count; k++)
				files += objects->object[k]->is_mapped &&
					 has_probe(objects->object[k], probe);
			if (files > 1)
				return probe;
		}
	}
	return NULL;
}

/* A probe that is meant, of a file that the process does not have by name. */
static const struct probe *find_elsewhere(const struct plan *plan)
{
	size_t i, j;

	for (i = 0; i < plan->count; i++) {
		for (j = 0; j < plan->match[i].count; j++) {
			if (plan->match[i].probe[j].object->is_elsewhere)
				return &plan->match[i].probe[j];
		}
	}
	return NULL;
}

bool plan_script(struct plan *plan, struct source *source,
		 const struct clauses *clauses, struct objects *objects,
		 const struct dialect *dialect)
{
	const struct probe *probe;

	*plan = (struct plan) { .pid = 0 };
	if (!match_all(plan, source, clauses, objects))
		return false;
	collect_sites(plan);
	if (objects->pid == 0)
		return true;
	probe = find_elsewhere(plan);
	if (probe != NULL) {
		plan->pid = objects->pid;
		tool_complain("%s: process %d does not have the file by name: "
			      "it was removed or replaced, or the process has "
			      "another root directory; so bpftrace runs "
			      "without -p, the script looks at pid, and ^C "
			      "ends it", probe->object->path,
			      (int)objects->pid);
		return true;
	}
	if (dialect->has_libbpf)
		return true;
	probe = find_confused(plan, objects);
	if (probe == NULL)
		return true;
	plan->pid = objects->pid;
	tool_complain("several files of process %d have the probe %s:%s, which "
		      "bpftrace before 0.24 takes for one with -p: so it runs "
		      "without -p, the script looks at pid, and ^C ends it",
		      (int)objects->pid, probe_provider(probe),
		      probe_name(probe));
	return true;
}

void plan_free(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++)
		free(plan->match[i].probe);
	free(plan->match);
	free(plan->site);
}

bool plan_is_shared(const struct plan *plan, const struct matches *matches)
{
	size_t i;

	for (i = 0; i < matches->count && plan->site != NULL; i++) {
		const struct site *site = matches->probe[i].site;
		const struct site **found =
			bsearch(&site, plan->site, plan->site_count,
				sizeof(plan->site[0]), compare_pointers);
		const struct site **end = plan->site + plan->site_count;

		if (found == NULL)
			continue;
		if ((found > plan->site && found[-1] == site) ||
		    (found + 1 < end && found[1] == site))
			return true;
	}
	return false;
}
