/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules for a probe of a file and what is said of it elsewhere:
 * in the declaration, and in the description that the file itself carries.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/declared.h"
#include "check/members.h"
#include "check/values.h"
#include "probes/declare.h"

/* "argument 1: recorded as ..., declared as ..." */
static void add_fault(struct check *check, enum rule rule,
		      struct subject *subject, const char *said,
		      const struct sdtkit_argument *argument,
		      const struct sdtkit_operand *operand)
{
	char recorded[SDTKIT_WIRE_TEXT];
	char *spelled = interface_argument_text(argument);
	char type[WIRE_TEXT], text[128];

	sdtkit_wire_write(operand, recorded);
	snprintf(text, sizeof(text), "%.*s", (int)operand->length,
		 operand->text);
	subject->operand = text;
	findings_add(&check->findings, rule, subject,
		     "recorded as %s, %s as '%s'",
		     wire_text(recorded, type), said, spelled);
	subject->operand = NULL;
	free(spelled);
}

static void check_site(struct check *check, const struct group *group,
		       const struct site *site)
{
	static const enum rule rule_of[] = {
		[OPERAND_SIZE] = RULE_ARGUMENT_SIZE,
		[OPERAND_SIGN] = RULE_ARGUMENT_SIGN,
		[OPERAND_KIND] = RULE_ARGUMENT_KIND,
	};
	const struct interface_probe *declared = group->declared;
	unsigned int bits = group->object->sites.info->bits;
	struct subject subject = check_subject(group, site);
	size_t i;

	if (site->note.operand_count != declared->count) {
		findings_add(&check->findings, RULE_ARGUMENT_COUNT, &subject,
			     "the number of arguments is %zu, but %zu %s "
			     "declared",
			     site->note.operand_count, declared->count,
			     declared->count == 1 ? "is" : "are");
		return;
	}
	for (i = 0; i < declared->count; i++) {
		const struct sdtkit_argument *argument;
		enum operand_fault fault;

		argument = &declared->arguments[i];
		subject.argument = i + 1;
		fault = interface_compare(argument->wire,
					  &site->note.operands[i], bits);
		if (fault != OPERAND_FITS)
			add_fault(check, rule_of[fault], &subject, "declared",
				  argument, &site->note.operands[i]);
	}
}

void check_declaration(struct check *check, const struct group *group)
{
	bool linked = !group->object->sites.info->relocatable;
	size_t i;

	for (i = 0; i < group->count; i++) {
		const struct site *site = &group->site[i];
		struct subject subject = check_subject(group, site);

		check_site(check, group, site);
		if (linked && site->note.semaphore == 0)
			findings_add(&check->findings, RULE_SEMAPHORE_MISSING,
				     &subject, "it has no semaphore, so a "
				     "guarded site never fires");
	}
}

static const struct interface_probe *find_alias(const struct check *check,
						const struct group *group)
{
	size_t i, j;

	for (i = 0; i < check->interface_count; i++) {
		const struct interface *interface = &check->interface[i];

		for (j = 0; j < interface->count; j++) {
			const struct interface_probe *probe;

			probe = &interface->probe[j];
			if (probe->alias_of != NULL &&
			    strcmp(probe->alias_of,
				   group->site->note.provider) == 0 &&
			    strcmp(probe->probe, group->site->note.probe) == 0)
				return probe;
		}
	}
	return NULL;
}

static bool has_site_at(const struct group *group, uint64_t address)
{
	size_t i;

	for (i = 0; i < group->count; i++) {
		if (group->site[i].note.address == address)
			return true;
	}
	return false;
}

void check_alias(struct check *check, const struct group *group)
{
	const struct interface_probe *alias = find_alias(check, group);
	struct group aliases = { .count = 0 };
	size_t i;

	if (alias == NULL)
		return;
	check_find_group(group->object, alias->provider, alias->probe,
			 &aliases);
	for (i = 0; i < group->count; i++) {
		const struct site *site = &group->site[i];
		struct subject subject = check_subject(group, site);

		/* In an object file all addresses are 0, so this passes. */
		if (!has_site_at(&aliases, site->note.address))
			findings_add(&check->findings, RULE_MISSING_ALIAS,
				     &subject, "it has no note for the alias "
				     "'%s'",
				     alias->provider);
	}
}

/* Compares the description with the operands of a site. */
static void check_described_site(struct check *check,
				 const struct group *group,
				 const struct site *site)
{
	const struct sdtkit_description *description = site->note.description;
	struct subject subject = check_subject(group, site);
	unsigned int bits = group->object->sites.info->bits;
	size_t i;

	if (description->argument_count != site->note.operand_count) {
		findings_add(&check->findings, RULE_DESCRIPTION_COUNT, &subject,
			     "the number of arguments is %zu, but %zu %s "
			     "described", site->note.operand_count,
			     description->argument_count,
			     description->argument_count == 1 ? "is" : "are");
		return;
	}
	for (i = 0; i < description->argument_count; i++) {
		const struct sdtkit_argument *argument;

		argument = &description->arguments[i];
		subject.argument = i + 1;
		if (interface_compare(argument->wire, &site->note.operands[i],
				      bits) != OPERAND_FITS)
			add_fault(check, RULE_DESCRIPTION_TYPE, &subject,
				  "described", argument,
				  &site->note.operands[i]);
	}
}

static void add_difference(struct check *check, const struct subject *subject,
			   const struct sdtkit_argument *argument,
			   const struct sdtkit_argument *declared)
{
	char *was = declare(argument->type, argument->name);
	char *now = declare(declared->type, declared->name);

	findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS, subject,
		     "described as '%s', declared as '%s'", was, now);
	free(was);
	free(now);
}

/* Compares the description with the declaration. */
static void check_described_as(struct check *check, const struct group *group)
{
	const struct sdtkit_description *description;
	struct subject subject = {
		.path = group->object->path,
		.provider = group->site->note.provider,
		.probe = group->site->note.probe,
	};
	size_t i;

	description = group->site->note.description;
	/*
	 * There is a finding for this already: ARGUMENT_COUNT or
	 * DESCRIPTION_COUNT.
	 */
	if (description->argument_count != group->declared->count)
		return;
	for (i = 0; i < description->argument_count; i++) {
		const struct sdtkit_argument *declared;
		const struct sdtkit_argument *argument;

		declared = &group->declared->arguments[i];
		argument = &description->arguments[i];
		subject.argument = i + 1;
		if (strcmp(declared->type, argument->type) != 0 ||
		    strcmp(declared->name, argument->name) != 0)
			add_difference(check, &subject, argument, declared);
		if (strcmp(declared->type, argument->type) != 0)
			continue;
		check_members(check, &subject, declared, argument);
		check_values(check, &subject, declared->name, declared->names,
			     argument->names);
	}
}

void check_description(struct check *check, const struct group *group)
{
	size_t i;

	for (i = 0; i < group->count; i++) {
		if (group->site[i].note.description != NULL)
			check_described_site(check, group, &group->site[i]);
	}
	if (group->declared != NULL && group->site->note.description != NULL)
		check_described_as(check, group);
}
