/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The inside of "sdtkit check": what the rules look at, and the functions that
 * hold it against them.
 *
 *	smb2.d     -> struct interface \
 *	                                > check_*() -> findings
 *	the binary -> struct object    /
 */
#ifndef SDTKIT_TOOL_CHECK_H
#define SDTKIT_TOOL_CHECK_H

#include "check/findings.h"
#include "check/layout.h"
#include "probes/interface.h"
#include "probes/sites.h"

/* A binary; its sites are sorted by name. */
struct object {
	const char *path;
	struct sites sites;
	struct layout layout;
};

struct check {
	/* All descriptions that were given. */
	struct interface *interface;
	size_t interface_count;
	struct object *object;
	size_t object_count;
	/* Tracers that matter, see consumers.h. */
	unsigned int consumers;
	struct findings findings;
};

/* Sites of one name in an object. */
struct group {
	const struct object *object;
	const struct site *site;
	size_t count;
	/* How the probe is declared, or NULL. */
	const struct interface_probe *declared;
};

/* The declaration of a probe, of any of the descriptions, or NULL. */
const struct interface_probe *check_find_declared(const struct check *check,
						  const char *provider,
						  const char *probe);

/* Any site of the probe, or NULL. */
const struct site *check_find_site(const struct object *object,
				   const char *provider, const char *probe);

/* The first group of sites of a name in an object; false for none. */
bool check_find_group(const struct object *object, const char *provider,
		      const char *probe, struct group *group);

/* The place of a site; its argument is still to be set. */
struct place check_place(const struct group *group, const struct site *site);

/* object.c: all rules for a file and its probes. */
void check_object(struct check *check, const struct object *object);

/* file.c: rules for a file as a whole. */
void check_file(struct check *check, const struct object *object);

/* site.c: for a probe of a file, and its sites. */
void check_names(struct check *check, const struct group *group);
void check_semaphores(struct check *check, const struct group *group);
void check_sites(struct check *check, const struct group *group);
void check_operands(struct check *check, const struct group *group);

/* declared.c: for a probe of a file and its declaration. */
void check_declaration(struct check *check, const struct group *group);
void check_alias(struct check *check, const struct group *group);
void check_description(struct check *check, const struct group *group);
/* members.c: for an argument that is declared as a record's address. */
void check_members(struct check *check, const struct place *place,
		   const struct interface_argument *declared,
		   const struct sdtkit_argument *argument);
/* declared.c: for all declared probes and all files. */
void check_missing(struct check *check);

#endif /* SDTKIT_TOOL_CHECK_H */
