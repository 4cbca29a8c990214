/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree.c - the tree of --flame as JSON, for the page to draw.
 *
 * Boxes that are too narrow to be seen, even if the page is zoomed to their
 * command, are left out: their samples are still those of their caller.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/when.h"
#include "tree.h"
#include "write.h"

enum { MAX_DEPTH = 200, LEAST = 4000 };

static const char *const kinds[FLAME_KINDS] = {
	[FLAME_ROOT] = "root", [FLAME_OWN] = "own",
	[FLAME_LIBRARY] = "library", [FLAME_KERNEL] = "kernel",
	[FLAME_UNKNOWN] = "unknown",
};

static void put_box(FILE *file, const struct flame *f,
		    unsigned long long least, int depth)
{
	const char *separator = ",\"children\":[";
	const struct flame *child;

	fputs("{\"name\":", file);
	write_string(file, depth == 0 ? "all" : f->box.name);
	fprintf(file, ",\"kind\":\"%s\",\"count\":%llu",
		depth == 0 ? "all" : kinds[f->box.kind], f->count);
	if (f->box.file != NULL) {
		fputs(",\"file\":", file);
		write_string(file, f->box.file);
	}
	for (child = f->child; child != NULL; child = child->next) {
		if (child->count < least || depth >= MAX_DEPTH)
			continue;
		fputs(separator, file);
		put_box(file, child, least, depth + 1);
		separator = ",";
	}
	fputs(*separator == ',' && separator[1] == '\0' ? "]}" : "}", file);
}

static char *make(const struct flamegraph *graph, unsigned long long began,
		  unsigned long long least, size_t *size)
{
	char *text;
	FILE *file = memory_of(open_memstream(&text, size));

	fprintf(file, "{\"begin_ms\":%lld,\"hertz\":%u,\"samples\":%llu,"
		"\"tracing\":%llu,\"cut\":%llu,\"tree\":",
		when_epoch_ms(began), graph->hertz, graph->all.count,
		graph->tracing, graph->cut);
	put_box(file, &graph->all, least, 0);
	putc('}', file);
	if (fclose(file) != 0)
		err(1, NULL);
	return text;
}

static void list_roots(struct page_flame *to, const struct flamegraph *graph)
{
	const struct flame *root;

	for (root = graph->all.child; root != NULL &&
	     to->num_roots < PAGE_ROOTS; root = root->next) {
		snprintf(to->roots[to->num_roots].name, PAGE_ROOT_NAME, "%s",
			 root->box.name);
		to->roots[to->num_roots++].count = root->count;
	}
}

struct page_flame *page_flame(const struct flamegraph *graph,
			      unsigned long long began)
{
	unsigned long long least = graph->all.count / LEAST;
	struct page_flame *made;
	size_t size;
	char *text;

	while (text = make(graph, began, least, &size), size >= PAGE_FLAME_LIMIT) {
		free(text);
		least = least * 2 + 1;
	}
	made = memory_zeros(1, sizeof(*made) + size + 1);
	memcpy(made->json, text, size + 1);
	made->size = size + 1;
	free(text);
	list_roots(made, graph);
	return made;
}

static enum flame_kind kind_of(const char *name)
{
	int kind;

	for (kind = 0; kind < FLAME_KINDS; kind++) {
		if (name != NULL && strcmp(kinds[kind], name) == 0)
			return kind;
	}
	return FLAME_UNKNOWN;
}

static const char *kept(const json_t *node, const char *member,
			const char *(*keep)(const char *text))
{
	const char *text = json_string_value(json_object_get(node, member));

	return text != NULL ? keep(text) : NULL;
}

static unsigned long long number_of(const json_t *node, const char *member)
{
	return (unsigned long long)json_integer_value(
		json_object_get(node, member));
}

/* What has no room is left to its caller, as flamegraph_child() does. */
static void add_box(struct flamegraph *to, struct flame *above,
		    const struct flame_box *box, const json_t *node,
		    const char *(*keep)(const char *text))
{
	struct flame *f = flamegraph_child(to, above, box);
	struct flame_box next;
	const json_t *child;
	size_t i;

	if (f == above)
		return;
	f->count += number_of(node, "count") - 1;
	json_array_foreach(json_object_get(node, "children"), i, child) {
		next = (struct flame_box){
			.name = kept(child, "name", keep),
			.file = kept(child, "file", keep),
			.kind = kind_of(json_string_value(
				json_object_get(child, "kind"))),
		};
		add_box(to, f, &next, child, keep);
	}
}

bool page_flame_add(const struct page_flame *from, size_t size,
		    struct flamegraph *to, const char *root,
		    const char *(*keep)(const char *text))
{
	const struct flame_box box = { .name = keep(root), .kind = FLAME_ROOT };
	json_t *all;

	if (size < sizeof(*from) || size - sizeof(*from) != from->size ||
	    from->size == 0)
		return false;
	all = json_loadb(from->json, from->size - 1, 0, NULL);
	if (all == NULL)
		return false;
	to->all.count += number_of(all, "samples");
	to->tracing += number_of(all, "tracing");
	to->cut += number_of(all, "cut");
	add_box(to, &to->all, &box, json_object_get(all, "tree"), keep);
	json_decref(all);
	return true;
}
