/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the spans of a manifest:
 *
 *	{"name": "request", "doc": "From arrival to reply.", "properties": [
 *	 {"name": "start", "value": "request_start"},
 *	 {"name": "key", "value": "req"}]}
 *
 * The other members say the same in indexes. They are not read: what a file has
 * for a probe may differ from what its description says.
 */
#include "common/tool.h"
#include "probes/interface.h"
#include "probes/spans.h"

static bool complain(const struct interface *interface,
		     const json_error_t *error)
{
	tool_complain("%s: not a manifest of probegen: in its spans: %s",
		      interface->path, error->text);
	return false;
}

static bool read_properties(struct interface *interface, json_t *list,
			    struct interface_span *span)
{
	struct interface_property *properties;
	const char *name, *value;
	json_error_t error;
	size_t i;

	span->count = json_array_size(list);
	properties = obstack_alloc(&interface->arena, (span->count + 1) *
				   sizeof(properties[0]));
	span->properties = properties;
	for (i = 0; i < span->count; i++) {
		if (json_unpack_ex(json_array_get(list, i), &error, 0,
				   "{s:s, s:s}", "name", &name,
				   "value", &value) != 0)
			return complain(interface, &error);
		properties[i].name = interface_keep(interface, name);
		properties[i].value = interface_keep(interface, value);
	}
	return true;
}

bool spans_read(struct interface *interface, json_t *spans,
		const char *provider)
{
	const char *name, *doc;
	struct interface_span *span;
	json_error_t error;
	json_t *properties;
	size_t i;

	for (i = 0; i < json_array_size(spans); i++) {
		doc = "";
		if (json_unpack_ex(json_array_get(spans, i), &error, 0,
				   "{s:s, s?s, s:o}", "name", &name,
				   "doc", &doc, "properties",
				   &properties) != 0)
			return complain(interface, &error);
		interface->span = tool_grow(interface->span,
					    interface->span_count,
					    &interface->span_capacity,
					    sizeof(*span));
		span = &interface->span[interface->span_count++];
		*span = (struct interface_span) {
			.provider = provider,
			.name = interface_keep(interface, name),
			.doc = interface_keep(interface, doc),
		};
		if (!read_properties(interface, properties, span))
			return false;
	}
	return true;
}
