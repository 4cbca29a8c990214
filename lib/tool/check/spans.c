/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: compares spans, as the file describes them, with their
 * declaration.
 *
 * A file describes a span if it has a site of one of its probes, so a library
 * describes only some of those that a description declares.
 */
#include <string.h>

#include "check/check.h"
#include "check/spans.h"

static void add(struct check *check, const struct object *object,
		const struct sdtkit_span *span, const char *property,
		const char *described, const char *declared)
{
	struct subject subject = {
		.path = object->path,
		.provider = span->provider,
	};

	if (described == NULL)
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     &subject, "'%s' of span '%s' is declared as '%s', "
			     "but not described", property, span->name,
			     declared);
	else if (declared == NULL)
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     &subject, "'%s' of span '%s' is described as "
			     "'%s', but not declared", property, span->name,
			     described);
	else
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     &subject, "'%s' of span '%s' is described as "
			     "'%s', declared as '%s'", property, span->name,
			     described, declared);
}

static void compare(struct check *check, const struct object *object,
		    const struct sdtkit_span *declared,
		    const struct sdtkit_span *described)
{
	size_t i;

	for (i = 0; i < declared->property_count; i++) {
		const char *name = declared->properties[i].name;
		const char *is = span_value(described, name);
		const char *was = declared->properties[i].value;

		if (is == NULL || strcmp(is, was) != 0)
			add(check, object, declared, name, is, was);
	}
	for (i = 0; i < described->property_count; i++) {
		const char *name = described->properties[i].name;

		if (span_value(declared, name) == NULL)
			add(check, object, declared, name,
			    described->properties[i].value, NULL);
	}
}

/* A site of the span that is to be checked and is described; else NULL. */
static const struct sdtkit_site *find_site(const struct check *check,
					   const struct object *object,
					   const struct sdtkit_span *span)
{
	size_t i;

	for (i = 0; i < object->sites.count; i++) {
		const struct sdtkit_site *note = &object->sites.site[i].note;

		if (note->description != NULL &&
		    span_has_probe(span, note->provider, note->probe) &&
		    check_wants(check, note->provider, note->probe))
			return note;
	}
	return NULL;
}

static void check_declared(struct check *check, const struct object *object,
			   const struct sdtkit_span *declared)
{
	const struct sdtkit_span *described;
	struct subject subject = {
		.path = object->path,
		.provider = declared->provider,
	};

	if (find_site(check, object, declared) == NULL)
		return;
	described = kept_spans_find(&object->sites.spans, declared->provider,
			       declared->name);
	if (described != NULL)
		compare(check, object, declared, described);
	else
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     &subject, "span '%s' is declared, but described in "
			     "several ways or not at all", declared->name);
}

static bool declares_spans_of(const struct interface *interface,
			      const char *provider)
{
	size_t i;

	for (i = 0; i < interface->count && interface->knows_spans; i++) {
		if (strcmp(interface->probe[i].provider, provider) == 0)
			return true;
	}
	return false;
}

/* Reports a described span that no declaration of its provider has. */
static void check_described(struct check *check, const struct object *object,
			    const struct sdtkit_span *described)
{
	bool is_of_declared_provider = false;
	struct subject subject = {
		.path = object->path,
		.provider = described->provider,
	};
	size_t i;

	for (i = 0; i < check->interface_count; i++) {
		const struct interface *interface = &check->interface[i];

		if (kept_spans_find(&interface->spans, described->provider,
			       described->name) != NULL)
			return;
		is_of_declared_provider |=
			declares_spans_of(interface, described->provider);
	}
	if (is_of_declared_provider &&
	    find_site(check, object, described) != NULL)
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     &subject, "span '%s' is described, but not "
			     "declared", described->name);
}

void check_spans(struct check *check, const struct object *object)
{
	const struct kept_spans *spans;
	size_t i, j;

	for (i = 0; i < check->interface_count; i++) {
		spans = &check->interface[i].spans;
		for (j = 0; j < spans->count; j++)
			check_declared(check, object, spans->kept[j].span);
	}
	spans = &object->sites.spans;
	for (i = 0; i < spans->count; i++)
		check_described(check, object, spans->kept[i].span);
}
