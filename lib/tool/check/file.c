/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: rules for a file as a whole. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/tracers.h"
#include "check/file.h"
#include "common/tool.h"
#include "probes/no_probes.h"

enum {
	/* perf does not cache probes of files with a shorter build ID. */
	PERF_BUILD_ID_MIN = 16,
};

static bool wants(const struct check *check, enum tracer tracer)
{
	return (check->tracers & 1U << tracer) != 0;
}

static void check_readable(struct check *check, const struct object *object)
{
	struct subject subject = { .path = object->path };
	size_t errors = object->sites.errors;
	char *why;

	if (errors > 0)
		findings_add(&check->findings, RULE_DAMAGED, &subject,
			     "%zu note%s cannot be read: %s", errors,
			     tool_plural(errors),
			     object->sites.error != NULL ?
			     object->sites.error : "out of memory");
	if (errors > 0 || object->sites.total > 0)
		return;
	why = no_probes_reason(object->sites.notes, object->path,
			       "sdtkit check", check->interface_count > 0);
	findings_add(&check->findings, RULE_NO_PROBES, &subject,
		     "no probes: %s", why);
	free(why);
}

/* Checks what a linker may spoil for some tracers. */
static void check_linked(struct check *check, const struct object *object)
{
	struct subject subject = { .path = object->path };
	const unsigned char *id;
	size_t size = sdtkit_notes_build_id(object->sites.notes, &id);

	if (wants(check, GDB) && !object->sites.info->has_base)
		findings_add(&check->findings, RULE_BASE_MISSING, &subject,
			     "it has no section .stapsdt.base, so gdb finds "
			     "no probe in it");
	if (wants(check, PERF) && size == 0)
		findings_add(&check->findings, RULE_NO_BUILD_ID, &subject,
			     "it has no build ID, so perf cannot cache its "
			     "probes");
	else if (wants(check, PERF) && size < PERF_BUILD_ID_MIN)
		findings_add(&check->findings, RULE_SHORT_BUILD_ID, &subject,
			     "its build ID has %zu bytes, but perf needs %d "
			     "to cache its probes", size, PERF_BUILD_ID_MIN);
}

static void check_machine(struct check *check, const struct object *object)
{
	unsigned int machine = object->sites.info->machine;
	unsigned int unread = tracers_without_machine(machine) &
			      check->tracers;
	struct subject subject = { .path = object->path };
	char names[TRACERS_TEXT];

	if (unread != 0)
		findings_add(&check->findings, RULE_UNREAD_MACHINE, &subject,
			     "arguments on this machine are not read by %s",
			     tracers_text(unread, names));
}

/* Finds descriptions of probes that have no site. */
static void check_orphans(struct check *check, const struct object *object)
{
	const struct sdtkit_description *description;

	while (sdtkit_notes_next_description(object->sites.notes,
					     &description) > 0) {
		struct subject subject = {
			.path = object->path,
			.provider = description->provider,
			.probe = description->probe,
		};

		/*
		 * Not every description needs a note of its own: there may be
		 * as many as sites.
		 */
		if (check_wants(check, subject.provider, subject.probe) &&
		    check_find_site(object, description->provider,
				    description->probe) == NULL)
			findings_add(&check->findings, RULE_DESCRIPTION_ORPHAN,
				     &subject,
				     "it is described, but has no site");
	}
}

/* Checks that all declared probes are described. */
static void check_described(struct check *check, const struct object *object)
{
	const struct sites *sites = &object->sites;
	size_t i, run, declared = 0;
	bool any = false;

	for (i = 0; i < sites->count; i++) {
		const struct sdtkit_site *note = &sites->site[i].note;

		any |= note->description != NULL;
		declared += check_wants(check, note->provider, note->probe) &&
			    check_find_declared(check, note->provider,
						note->probe) != NULL;
	}
	if (!any && declared > 0)
		findings_add(&check->findings, RULE_DESCRIPTION_MISSING,
			     &(struct subject) { .path = object->path },
			     "it describes none of its probes (.note.sdtkit), "
			     "so sdtkit top and bt know no names, no types and "
			     "no spans");
	for (i = 0; i < sites->count && any; i += run) {
		const struct sdtkit_site *note = &sites->site[i].note;
		struct subject subject = {
			.path = object->path,
			.provider = note->provider,
			.probe = note->probe,
		};

		run = sites_run(sites, i, site_compare_names);
		/*
		 * Probes of other projects may be linked in, so only declared
		 * ones count.
		 */
		if (note->description == NULL &&
		    check_wants(check, note->provider, note->probe) &&
		    check_find_declared(check, note->provider, note->probe))
			findings_add(&check->findings,
				     RULE_DESCRIPTION_MISSING, &subject,
				     "the file describes other probes, but "
				     "not this one");
	}
}

void check_file(struct check *check, const struct object *object)
{
	const struct sdtkit_notes_info *info = object->sites.info;

	check_readable(check, object);
	if (object->sites.count == 0)
		return;
	check_machine(check, object);
	if (!info->relocatable && !info->debug_only)
		check_linked(check, object);
	if (!info->archive)
		check_orphans(check, object);
	check_described(check, object);
}
