/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree.c - the tree of --flame as JSON, for the page to draw.
 *
 * Boxes that are too narrow to be seen, even if the page is zoomed to their
 * command, are left out: their samples are still those of their caller.
 */
#include "../flame.h"
#include "../text.h"
#include "data.h"
#include "flamegraph.h"

enum { MAX_DEPTH = 200, LEAST = 4000 };

static const char *const kinds[FLAME_KINDS] = {
	[FLAME_ROOT] = "root", [FLAME_OWN] = "samba",
	[FLAME_LIBRARY] = "library", [FLAME_KERNEL] = "kernel",
	[FLAME_UNKNOWN] = "unknown",
};

static json_t *box(const struct flame *f, unsigned long long least, int depth)
{
	json_t *object = json_pack("{so ss sI}", "name",
				   text_json(depth == 0 ? "all" : f->box.name),
				   "kind", depth == 0 ? "all" :
				   kinds[f->box.kind], "count",
				   (json_int_t)f->count);
	json_t *list = json_array();
	const struct flame *child;

	if (f->box.file != NULL)
		json_object_set_new(object, "file", text_json(f->box.file));
	for (child = f->child; child != NULL; child = child->next) {
		if (child->count >= least && depth < MAX_DEPTH)
			json_array_append_new(list,
					      box(child, least, depth + 1));
	}
	if (json_array_size(list) > 0)
		json_object_set(object, "children", list);
	json_decref(list);
	return object;
}

json_t *page_flame(const struct options *options)
{
	const struct flamegraph *graph = flame_graph();

	if (options->flame == NULL || graph->hertz == 0)
		return json_null();
	return json_pack("{si sI sI sI so}", "hertz", (int)graph->hertz,
			 "samples", (json_int_t)graph->all.count,
			 "tracing", (json_int_t)graph->tracing,
			 "cut", (json_int_t)graph->cut, "tree",
			 box(&graph->all, graph->all.count / LEAST, 0));
}
