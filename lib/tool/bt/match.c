/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which probes a clause is for, see match.h. The probes that a clause names are
 * one list in the grammar of lib/text/pattern.h: the last one that matches
 * decides.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "bt/match.h"
#include "bt/source.h"
#include "common/tool.h"
#include "lib/text/similar.h"
#include "probes/no_probes.h"

/* What has come of each point of the clause. */
struct result {
	bool matched;
	struct sdtkit_similar similar;
};

static bool is_about(const struct point *point, const struct object *object)
{
	if (point->is_own)
		return false;
	if (point->path == NULL)
		return object->is_candidate;
	return object->named != NULL &&
	       strcmp(point->path, object->named) == 0;
}

/* Points that only exclude select all other probes. */
static bool is_wanted_first(const struct clause *clause,
			    const struct object *object)
{
	bool any = false;
	size_t i;

	for (i = 0; i < clause->point_count; i++) {
		if (!is_about(&clause->point[i], object))
			continue;
		if (!clause->point[i].pattern.excludes)
			return false;
		any = true;
	}
	return any;
}

static bool is_wanted(const struct clause *clause, struct result *result,
		      const struct probe *probe)
{
	bool wanted = is_wanted_first(clause, probe->object);
	size_t i;

	for (i = 0; i < clause->point_count; i++) {
		const struct point *point = &clause->point[i];

		if (!is_about(point, probe->object))
			continue;
		if (sdtkit_pattern_fits(&point->pattern,
					probe_provider(probe),
					probe_name(probe))) {
			result[i].matched = true;
			wanted = !point->pattern.excludes;
		} else if (!result[i].matched) {
			sdtkit_similar_saw(&result[i].similar,
					   point->pattern.glob,
					   probe_provider(probe),
					   probe_name(probe));
		}
	}
	return wanted;
}

static void match_object(struct matches *matches, const struct clause *clause,
			 struct result *result, const struct object *object)
{
	size_t i = 0;

	while (i < object->sites.count) {
		struct probe probe = {
			.object = object,
			.site = &object->sites.site[i],
			.count = sites_run(&object->sites, i,
					   site_compare_names),
		};

		i += probe.count;
		if (!is_wanted(clause, result, &probe))
			continue;
		TOOL_GROW(matches->probe, matches->count, matches->capacity);
		matches->probe[matches->count++] = probe;
	}
}

static void complain(struct source *source, const struct point *point,
		     const struct result *result)
{
	const char *sign = point->pattern.excludes ? "!" : "";
	char names[SIMILAR_TEXT];

	if (sdtkit_similar_text(&result->similar, names)[0] != '\0')
		source_complain(source, point->start, point->length,
				"no probe matches '%s%s'; similar ones: %s",
				sign, point->pattern.glob, names);
	else
		source_complain(source, point->start, point->length,
				"no probe matches '%s%s', and none has a "
				"similar name; 'sdtkit list' shows all", sign,
				point->pattern.glob);
}

/* Says which libraries of the named files have what a point means. */
static void look_further(const struct objects *objects,
			 const struct point *point)
{
	size_t i;

	for (i = 0; i < objects->count && !point->pattern.excludes; i++) {
		const struct object *object = objects->object[i];

		if (is_about(point, object) && !object->is_mapped)
			no_probes_complain(object->sites.notes, object->path,
					   "sdtkit bt -e SCRIPT",
					   point->pattern.glob);
	}
}

/* Opens the files that the clause names, and checks that there is any file. */
static bool open_files(struct source *source, const struct clause *clause,
		       struct objects *objects)
{
	size_t i;

	for (i = 0; i < clause->point_count; i++) {
		const struct point *point = &clause->point[i];

		if (point->is_own)
			continue;
		if (point->path != NULL) {
			if (!objects_add_named(objects, point->path))
				return false;
		} else if (!objects->any_given) {
			source_complain(source, point->start, point->length,
					"which program has this probe? Name "
					"its file behind the script, or a "
					"process with -p");
			return false;
		}
	}
	return true;
}

bool match_probes(struct matches *matches, struct source *source,
		  const struct clause *clause, struct objects *objects)
{
	struct result *result = tool_zeros(clause->point_count + 1,
					   sizeof(*result));
	bool good = true;
	size_t i;

	*matches = (struct matches) { .probe = NULL };
	good = open_files(source, clause, objects);
	for (i = 0; good && i < objects->count; i++)
		match_object(matches, clause, result, objects->object[i]);
	for (i = 0; good && i < clause->point_count; i++) {
		if (clause->point[i].is_own || result[i].matched)
			continue;
		complain(source, &clause->point[i], &result[i]);
		look_further(objects, &clause->point[i]);
		good = false;
	}
	if (good && matches->count == 0) {
		source_complain(source, clause->start, 1,
				"the patterns exclude all probes");
		good = false;
	}
	free(result);
	return good;
}
