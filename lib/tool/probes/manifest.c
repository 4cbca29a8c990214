/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a manifest, which probegen --emit json makes of a description.
 * docs/manifest.md describes all of it; this is what is needed here:
 *
 *	{"manifest": 1, "providers": [
 *	 {"name": "smb2", "alias": null, "probes": [
 *	  {"name": "request_end", "doc": "A request ends.", "group": null,
 *	   "args": [
 *	   {"name": "mid", "type": "uint64_t", "kind": "unsigned",
 *	    "wire": "u8", "record": null, "enum": null,
 *	    "doc": "MessageId of the header"}
 *	   ]}]}], "enums": [], "records": []}
 *
 * The probes of a provider with an alias are added twice, since tracers see two
 * providers.
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <string.h>

#include "common/tool.h"
#include "probes/interface.h"
#include "probes/manifest.h"
#include "probes/members.h"
#include "probes/names.h"
#include "probes/spans.h"

enum {
	MANIFEST_VERSION = 1,
};

/*
 * The positions in errors of json_unpack() are those in its format, so only the
 * text is printed.
 */
static bool complain(const struct interface *interface,
		     const json_error_t *error)
{
	tool_complain("%s: not a manifest of probegen: %s",
		      interface->path, error->text);
	return false;
}

static bool is_list(const struct interface *interface, const json_t *value,
		    const char *name)
{
	if (json_is_array(value))
		return true;
	tool_complain("%s: not a manifest of probegen: '%s' is not a list",
		      interface->path, name);
	return false;
}

static bool read_argument(struct interface *interface, json_t *value,
			  json_t *manifest, struct sdtkit_argument *argument)
{
	json_error_t error;
	const char *record;

	*argument = (struct sdtkit_argument) { .doc = "" };
	if (json_unpack_ex(value, &error, 0, "{s:s, s:s, s:s, s?s}",
			   "name", &argument->name, "type", &argument->type,
			   "wire", &argument->wire, "doc", &argument->doc) != 0)
		return complain(interface, &error);
	if (!names_read(interface, json_object_get(manifest, "enums"),
			json_object_get(value, "enum"), &argument->names))
		return false;
	record = json_string_value(json_object_get(value, "record"));
	return record == NULL ||
	       members_read(interface, manifest, record, &argument->record);
}

static bool read_probe(struct interface *interface, json_t *value,
		       json_t *manifest, struct interface_probe *probe)
{
	struct sdtkit_argument *arguments;
	const char *name, *doc = "", *group;
	json_error_t error;
	json_t *args;
	size_t i;

	if (json_unpack_ex(value, &error, 0, "{s:s, s:o, s?s}", "name", &name,
			   "args", &args, "doc", &doc) != 0)
		return complain(interface, &error);
	if (!is_list(interface, args, "args"))
		return false;
	*probe = (struct interface_probe) {
		.probe = name,
		.doc = doc,
		.described = true,
		.count = json_array_size(args),
	};
	/* Manifests of older versions have no groups. */
	group = json_string_value(json_object_get(value, "group"));
	probe->group = group;
	probe->semaphore = group != NULL ? INTERFACE_SEMAPHORE_SHARED :
					   INTERFACE_SEMAPHORE_OWN;
	arguments = obstack_alloc(&interface->arena, (probe->count + 1) *
				  sizeof(arguments[0]));
	probe->arguments = arguments;
	for (i = 0; i < probe->count; i++) {
		if (!read_argument(interface, json_array_get(args, i), manifest,
				   &arguments[i]))
			return false;
	}
	return true;
}

static void add_probe(struct interface *interface,
		      const struct interface_probe *probe,
		      const char *provider, const char *alias_of)
{
	struct interface_probe *added = interface_add(interface);

	*added = *probe;
	added->provider = provider;
	added->alias_of = alias_of;
}

/* The note of a span has its first sentence, the manifest has all. */
static bool read_span(struct interface *interface, json_t *value,
		      const char *provider)
{
	struct sdtkit_span_property *properties;
	struct sdtkit_span span = { .provider = provider, .summary = "" };
	json_t *list, *property;
	json_error_t error;
	size_t i;

	if (json_unpack_ex(value, &error, 0, "{s:s, s:o}", "name", &span.name,
			   "properties", &list) != 0)
		return complain(interface, &error);
	properties = obstack_alloc(&interface->arena,
				   (json_array_size(list) + 1) *
				   sizeof(properties[0]));
	json_array_foreach(list, i, property) {
		if (json_unpack_ex(property, &error, 0, "{s:s, s:s}",
				   "name", &properties[i].name,
				   "value", &properties[i].value) != 0)
			return complain(interface, &error);
	}
	span.property_count = json_array_size(list);
	span.properties = properties;
	kept_spans_add(&interface->spans, obstack_copy(&interface->arena, &span,
						       sizeof(span)));
	return true;
}

/* Manifests of older versions have no spans. */
static bool read_spans(struct interface *interface, const json_t *provider,
		       const char *name, const char *alias)
{
	json_t *list = json_object_get(provider, "spans"), *span;
	size_t i;

	interface->knows_spans |= list != NULL;
	json_array_foreach(list, i, span) {
		if (!read_span(interface, span, name) ||
		    (alias != NULL && !read_span(interface, span, alias)))
			return false;
	}
	return true;
}

static bool read_provider(struct interface *interface, json_t *value,
			  json_t *manifest)
{
	const char *name, *alias;
	json_t *probes, *second;
	json_error_t error;
	size_t i;

	if (json_unpack_ex(value, &error, 0, "{s:s, s:o, s:o}", "name", &name,
			   "alias", &second, "probes", &probes) != 0)
		return complain(interface, &error);
	if (!is_list(interface, probes, "probes"))
		return false;
	alias = json_string_value(second);
	for (i = 0; i < json_array_size(probes); i++) {
		struct interface_probe probe;

		if (!read_probe(interface, json_array_get(probes, i), manifest,
				&probe))
			return false;
		add_probe(interface, &probe, name, NULL);
		if (alias != NULL)
			add_probe(interface, &probe, alias, name);
	}
	return read_spans(interface, value, name, alias);
}

static bool read_manifest(struct interface *interface, json_t *root)
{
	json_error_t error;
	json_t *providers;
	int version;
	size_t i;

	if (json_unpack_ex(root, &error, 0, "{s:i, s:o}", "manifest", &version,
			   "providers", &providers) != 0)
		return complain(interface, &error);
	if (!is_list(interface, providers, "providers"))
		return false;
	if (version != MANIFEST_VERSION) {
		tool_complain("%s: the manifest has version %d, but this "
			      "sdtkit reads version %d", interface->path,
			      version, MANIFEST_VERSION);
		return false;
	}
	for (i = 0; i < json_array_size(providers); i++) {
		if (!read_provider(interface, json_array_get(providers, i),
				   root))
			return false;
	}
	return true;
}

bool manifest_read(struct interface *interface, FILE *file)
{
	json_error_t error;
	json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);

	if (root == NULL) {
		/* Without any text, probegen has said why. */
		if (error.position > 0)
			tool_complain("%s:%d:%d: not a manifest: %s",
				      interface->path, error.line,
				      error.column, error.text);
		return false;
	}
	interface->manifest = root;
	return read_manifest(interface, root);
}
