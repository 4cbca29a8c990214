/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the rules of "sdtkit check" look at.
 *
 *	smb2.d     -> struct interface \
 *	                                > check_*() -> findings
 *	the binary -> struct object    /
 *
 *	object.h	all rules for a file and its probes
 *	file.h		rules for a file as a whole
 *	site.h		rules for a probe of a file, and its sites
 *	declared.h	rules for a probe and its declaration or description
 *	shared.h	rules for probes that share a semaphore
 *	folded.h	the rule for probes that share a site
 *	members.h	rules for the members of a record
 *	values.h	rules for the names of values
 *	spans.h		rules for spans
 *	missing.h	rules for declared probes that no file has
 */
#ifndef SDTKIT_TOOL_CHECK_H
#define SDTKIT_TOOL_CHECK_H

#include "check/findings.h"
#include "common/patterns.h"
#include "probes/interface.h"
#include "probes/sites.h"

/* A binary; its sites are sorted by name. */
struct object {
	const char *path;
	struct sites sites;
};

struct check {
	/* All descriptions that were given with --description. */
	struct interface *interface;
	size_t interface_count;
	struct object *object;
	size_t object_count;
	/* The probes that are checked. */
	struct patterns patterns;
	/* The tracers that matter, as a set of tracers.h: --for. */
	unsigned int tracers;
	struct findings findings;
};

/* The sites of one name in an object. */
struct group {
	const struct object *object;
	const struct site *site;
	size_t count;
	/* How the probe is declared, or NULL. */
	const struct interface_probe *declared;
};

/* Whether the probe is to be checked. */
bool check_wants(const struct check *check, const char *provider,
		 const char *probe);

/* Finds the declaration of a probe in any of the descriptions, or NULL. */
const struct interface_probe *check_find_declared(const struct check *check,
						  const char *provider,
						  const char *probe);

/* Finds any site of the probe, or NULL. */
const struct site *check_find_site(const struct object *object,
				   const char *provider, const char *probe);

/* Finds the sites of a name in an object; returns false if there are none. */
bool check_find_group(const struct object *object, const char *provider,
		      const char *probe, struct group *group);

/* Returns a finding's subject for a site, still without an argument. */
struct subject check_subject(const struct group *group,
			     const struct site *site);

#endif /* SDTKIT_TOOL_CHECK_H */
