/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules for a probe of a file and its sites, whether or not the
 * probe is declared anywhere.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/tracers.h"
#include "check/layout.h"
#include "check/site.h"

enum {
	NAME_LENGTH_MAX = 63,
};

/*
 * perf takes a name that consists of these letters for the modifiers of an
 * event.
 */
#define PERF_MODIFIERS "ukhGHpPIeDWSb"

static bool wants(const struct check *check, enum tracer tracer)
{
	return (check->tracers & 1U << tracer) != 0;
}

static bool is_word(const char *name)
{
	const char *at;

	if (!isalpha((unsigned char)name[0]) && name[0] != '_')
		return false;
	for (at = name; *at != '\0'; at++) {
		if (!isalnum((unsigned char)*at) && *at != '_')
			return false;
	}
	return true;
}

static void check_name(struct check *check, const struct subject *subject,
		       const char *what, const char *name)
{
	if (!is_word(name))
		findings_add(&check->findings, RULE_BAD_NAME, subject,
			     "the %s's name is not an identifier", what);
	if (wants(check, PERF) && strlen(name) > NAME_LENGTH_MAX)
		findings_add(&check->findings, RULE_LONG_NAME, subject,
			     "the %s's name has %zu characters", what,
			     strlen(name));
}

/* Whether the file has a note of another provider for this site. */
static bool has_alias(const struct group *group)
{
	const struct sites *sites = &group->object->sites;
	const struct sdtkit_site *note = &group->site->note;
	size_t i;

	for (i = 0; i < sites->count; i++) {
		const struct sdtkit_site *other = &sites->site[i].note;

		if (other->address == note->address &&
		    strcmp(other->provider, note->provider) != 0 &&
		    strcmp(other->probe, note->probe) == 0)
			return true;
	}
	return false;
}

static bool is_first_of_provider(const struct group *group)
{
	const struct site *site = group->site;

	return site == group->object->sites.site ||
	       strcmp(site[-1].note.provider, site->note.provider) != 0;
}

/* Finds this once per provider. */
static void check_digit(struct check *check, const struct group *group)
{
	const char *provider = group->site->note.provider;
	size_t length = strlen(provider);
	struct subject subject = {
		.path = group->object->path,
		.provider = provider,
	};

	if (!wants(check, DTRACE) || length == 0 ||
	    !isdigit((unsigned char)provider[length - 1]) ||
	    !is_first_of_provider(group) || has_alias(group))
		return;
	findings_add(&check->findings, RULE_PROVIDER_DIGIT, &subject,
		     "DTrace takes the digits at the end of the name for a "
		     "process ID");
}

void check_names(struct check *check, const struct group *group)
{
	const char *probe = group->site->note.probe;
	struct subject subject = {
		.path = group->object->path,
		.provider = group->site->note.provider,
		.probe = probe,
	};

	check_name(check, &subject, "provider", subject.provider);
	check_name(check, &subject, "probe", probe);
	if (wants(check, PERF) && probe[0] != '\0' &&
	    probe[strspn(probe, PERF_MODIFIERS)] == '\0')
		findings_add(&check->findings, RULE_PERF_NAME, &subject,
			     "perf can add a probe of this name, but cannot "
			     "record it");
	check_digit(check, group);
}

/*
 * Only some tracers have the kernel raise the semaphore; others do it
 * themselves.
 */
static void check_semaphore_page(struct check *check,
				 const struct group *group,
				 const struct site *site)
{
	const struct sdtkit_site *note = &site->note;
	struct subject subject = check_subject(group, site);
	uint64_t address;

	if (!wants(check, BPFTRACE) && !wants(check, PERF))
		return;
	address = layout_writable_address(group->object->sites.notes,
					  note->semaphore_offset);
	if (address != note->semaphore)
		findings_add(&check->findings, RULE_SEMAPHORE_PAGE, &subject,
			     "the semaphore is at 0x%" PRIx64 ", but the "
			     "kernel raises 0x%" PRIx64 " if a tracer attaches "
			     "before the program starts", note->semaphore,
			     address);
}

/* bpftrace before 0.24 and bcc look for the section by its name. */
static void check_semaphore_section(struct check *check,
				    const struct group *group,
				    const struct site *site)
{
	const struct sdtkit_notes_info *info = group->object->sites.info;
	struct subject subject = check_subject(group, site);

	if (!wants(check, BPFTRACE) && !wants(check, BCC))
		return;
	if (info->has_sections &&
	    site->note.semaphore - info->semaphores_address >=
	    info->semaphores_size)
		findings_add(&check->findings, RULE_SEMAPHORE_SECTION,
			     &subject, "the semaphore is not in a section "
			     "called .probes, so bpftrace before 0.24 and bcc "
			     "do not raise it");
}

/* Checks where the semaphore of the first site that has one lies. */
static void check_semaphore(struct check *check, const struct group *group,
			    const struct site *site)
{
	const struct sdtkit_notes_info *info = group->object->sites.info;
	struct subject subject = check_subject(group, site);

	if (site->note.semaphore - info->relro_address < info->relro_size) {
		findings_add(&check->findings, RULE_SEMAPHORE_PLACE, &subject,
			     "the semaphore is in memory that the loader makes "
			     "read-only (RELRO) before the program begins");
		return;
	}
	check_semaphore_page(check, group, site);
	check_semaphore_section(check, group, site);
}

void check_semaphores(struct check *check, const struct group *group)
{
	uint64_t semaphore = 0;
	bool first;
	size_t i;

	if (group->object->sites.info->relocatable ||
	    group->object->sites.info->debug_only)
		return;
	for (i = 0; i < group->count; i++) {
		const struct site *site = &group->site[i];
		const struct sdtkit_site *note = &site->note;
		struct subject subject = check_subject(group, site);

		if (note->semaphore == 0)
			continue;
		first = semaphore == 0;
		if (first)
			semaphore = note->semaphore;
		if (note->semaphore != semaphore)
			findings_add(&check->findings, RULE_SEMAPHORE_SPLIT,
				     &subject, "its semaphore is not that of "
				     "the first site");
		if (note->semaphore_offset == SDTKIT_NO_OFFSET)
			findings_add(&check->findings, RULE_SEMAPHORE_PLACE,
				     &subject, "the semaphore is not in "
				     "writable memory that comes from the "
				     "file");
		else if (first)
			check_semaphore(check, group, site);
	}
}

static bool have_same_types(const struct sdtkit_site *a,
			    const struct sdtkit_site *b)
{
	size_t i;

	if (a->operand_count != b->operand_count)
		return false;
	for (i = 0; i < a->operand_count; i++) {
		const struct sdtkit_operand *first = &a->operands[i];
		const struct sdtkit_operand *second = &b->operands[i];

		/* perf cannot read constants, so it sees one type less. */
		if (first->size != second->size ||
		    first->is_signed != second->is_signed ||
		    (first->kind == SDTKIT_OPERAND_CONSTANT) !=
		    (second->kind == SDTKIT_OPERAND_CONSTANT))
			return false;
	}
	return true;
}

static void check_offset(struct check *check, const struct group *group,
			 const struct site *site)
{
	const struct sdtkit_site *note = &site->note;
	struct subject subject = check_subject(group, site);
	uint64_t offset;

	if (note->offset == SDTKIT_NO_OFFSET) {
		findings_add(&check->findings, RULE_SITE_PLACE, &subject,
			     "the site is not in code that comes from the "
			     "file");
		return;
	}
	offset = layout_perf_offset(group->object->sites.notes,
				    note->address);
	if (wants(check, PERF) && offset != note->offset)
		findings_add(&check->findings, RULE_SITE_OFFSET, &subject,
			     "perf would set its breakpoint at another "
			     "offset of the file");
}

static void check_number(struct check *check, const struct group *group,
			 const struct site *site)
{
	unsigned int machine = group->object->sites.info->machine;
	struct subject subject = check_subject(group, site);
	size_t count = site->note.operand_count;
	char names[TRACERS_TEXT];
	unsigned int missing;

	missing = tracers_that_miss(count, machine, true) & check->tracers;
	if (missing != 0)
		findings_add(&check->findings, RULE_TOO_MANY_ARGUMENTS,
			     &subject,
			     "not all of its %zu arguments are read by %s",
			     count, tracers_text(missing, names));
	missing = tracers_that_miss(count, machine, false) &
		  check->tracers;
	if (missing != 0)
		findings_add(&check->findings, RULE_ARGUMENT_LIMIT, &subject,
			     "%zu arguments are more than %s can attach to",
			     count, tracers_text(missing, names));
}

void check_sites(struct check *check, const struct group *group)
{
	const struct sdtkit_notes_info *info = group->object->sites.info;
	size_t i;

	for (i = 0; i < group->count; i++) {
		const struct site *site = &group->site[i];
		struct subject subject = check_subject(group, site);

		if (!info->relocatable && !info->debug_only)
			check_offset(check, group, site);
		if (wants(check, PERF) &&
		    !have_same_types(&group->site[0].note, &site->note))
			findings_add(&check->findings, RULE_MIXED_SITES,
				     &subject, "its arguments have other types "
				     "than at the first site");
		check_number(check, group, site);
	}
}

static void add_trait(struct check *check, const struct subject *subject,
		      const struct trait *trait)
{
	const struct {
		enum rule rule;
		unsigned int tracers;
		const char *what;
	} verdicts[] = {
		{ RULE_OPERAND_UNREADABLE, trait->unreadable, "is not read" },
		{ RULE_OPERAND_MISREAD, trait->misread, "is read wrongly" },
		{ RULE_OPERAND_UNTRIED, trait->untried, "may not be read" },
	};
	char names[TRACERS_TEXT];
	size_t i;

	for (i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		unsigned int tracers = verdicts[i].tracers &
					 check->tracers;

		if (tracers != 0)
			findings_add(&check->findings, verdicts[i].rule,
				     subject,
				     "%s %s by %s", trait->text,
				     verdicts[i].what,
				     tracers_text(tracers, names));
	}
}

void check_operands(struct check *check, const struct group *group)
{
	unsigned int machine = group->object->sites.info->machine;
	size_t i, j, row;

	for (i = 0; i < group->count; i++) {
		const struct site *site = &group->site[i];
		struct subject subject = check_subject(group, site);
		char text[128];

		subject.operand = text;
		for (j = 0; j < site->note.operand_count; j++) {
			const struct sdtkit_operand *operand;
			const struct trait *trait;

			operand = &site->note.operands[j];
			subject.argument = j + 1;
			snprintf(text, sizeof(text), "%.*s",
				 (int)operand->length, operand->text);
			row = 0;
			while ((trait = tracers_next_trait(operand, machine,
							   &row)) != NULL)
				add_trait(check, &subject, trait);
		}
	}
}
