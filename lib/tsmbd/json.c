/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - the report as one JSON object on one line: lib/report writes the
 * tables, and what is only here are the time, the host and the filters.
 */
#include <stdio.h>
#include <unistd.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/when.h"
#include "report/json.h"
#include "options.h"
#include "names.h"
#include "report.h"
#include "rows.h"

static json_t *names(const struct texts *filter)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < filter->count; i++)
		json_array_append_new(list, text_json(filter->items[i]));
	return list;
}

static json_t *filters(const struct options *o)
{
	json_t *commands = json_array();
	unsigned int op;

	for (op = 0; op < TSMBD_OPS && o->commands != ~0U; op++) {
		if (o->commands & 1U << op)
			json_array_append_new(commands,
					      json_string(name_of_op(op)));
	}
	return json_pack("{so so so so}",
			 "shares", names(&o->filters[TSMBD_SHARES]),
			 "clients", names(&o->filters[TSMBD_CLIENTS]),
			 "users", names(&o->filters[TSMBD_USERS]),
			 "commands", commands);
}

json_t *smbd_json(const void *context, const struct report *r)
{
	const struct options *options = context;
	const struct report_view view = {
		.tables = options_tables(options), .lines = options->top_lines,
	};
	char when[WHEN_SIZE];
	char host[REPORT_HOSTS] = "";
	json_t *object;

	if (r->hosts[0] == '\0')
		gethostname(host, sizeof(host) - 1);
	object = json_pack("{ss so}", "time", when_json(r->end_ns, when),
			   "host", text_json(r->hosts[0] != '\0' ? r->hosts :
					     host));
	report_to_json(r, &view, memory_of(object));
	if (options->tops != 0 && json_object_get(object, "top") == NULL)
		json_object_set_new(object, "top", json_object());
	if (options_filter(options))
		json_object_set_new(object, "filters", filters(options));
	return object;
}
