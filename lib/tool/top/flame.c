/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.c - samples of the kernel -> a flame graph, with a root for each span
 * and its name.
 *
 *	do_write
 *	main		serve
 *	part		main
 *	request WRITE	demo-server 4711	the innermost span, or the
 *	...		outside spans		process, below its functions
 *
 * Names may be as many as clients like: the first few thousand have a box.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/picture/flamegraph.h"
#include "lib/symbols/space.h"
#include "lib/symbols/stacks.h"
#include "top/flame.h"
#include "top/sample.h"

enum {
	MAX_LABELS = 4096,
	/* of a text that was cut: what numbers of any length leave of it */
	CUT = 40,
};

static const struct engine *the_engine;
static const struct plan *the_plan;
static const struct found *the_found;
static void *labels;			/* strings that the graph has, sorted */
static unsigned int num_labels;
static bool has_names;

static struct flamegraph graph = {
	.title = "What the CPUs execute, by span",
	.root = "span and its name",
	.own = "the program and its files with probes",
};

/* The name of a file, from the last slash on. */
static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool has_probes(const struct object *object)
{
	int i;

	for (i = 0; i < the_found->num_files; i++) {
		if (strcmp(base(the_found->files[i].name), object->name) == 0)
			return true;
	}
	return false;
}

void flame_begin(const struct engine *engine, const struct plan *plan,
		 const struct found *found, unsigned int hertz, bool names)
{
	the_engine = engine;
	the_plan = plan;
	the_found = found;
	has_names = names;
	space_is_own = has_probes;
	graph.hertz = hertz;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Returns a string that remains; NULL if there are too many of them. */
static const char *keep(const char *text)
{
	void *found = tfind(text, &labels, compare);
	char *copy;

	if (found != NULL)
		return *(char *const *)found;
	if (num_labels == MAX_LABELS)
		return NULL;
	copy = strdup(text);
	if (copy == NULL || tsearch(copy, &labels, compare) == NULL)
		tool_no_memory();
	num_labels++;
	return copy;
}

static struct flame *add_root(struct flame *f, const char *label,
			      const char *otherwise)
{
	struct flame_box box = { .name = keep(label), .kind = FLAME_ROOT };

	if (box.name == NULL)
		box.name = otherwise;
	return flamegraph_child(&graph, f, &box);
}

/* Whether other providers have a span of this name. */
static bool is_ambiguous(const struct span *span)
{
	const struct spans *all = &the_plan->spans;
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (strcmp(all->span[i].text->name, span->text->name) == 0 &&
		    strcmp(all->span[i].provider, span->provider) != 0)
			return true;
	}
	return false;
}

static bool is_text(const struct span *span)
{
	int i;

	for (i = 0; i < span->num_names; i++) {
		if (span->name[i].is_text)
			return true;
	}
	return false;
}

/* A number, but not the end of a word as in "int4". */
static bool is_number(const char *text, const char *at)
{
	return isdigit((unsigned char)*at) &&
	       (at == text || (!isalnum((unsigned char)at[-1]) &&
			       at[-1] != '_'));
}

/* Returns where a literal ends; it may have been cut. */
static const char *skip_literal(const char *at)
{
	if (*at != '\'')
		return at + strspn(at, "0123456789.");
	at += 1 + strcspn(at + 1, "'");
	return *at == '\'' ? at + 1 : at;
}

/*
 * Makes one name of those that differ in numbers and strings only: most clients
 * write them into their queries. "WHERE id = -5" becomes "WHERE id = ?".
 */
static void generalize(char *text)
{
	const char *from = text;
	char *to = text;

	while (*from != '\0') {
		if (*from == '-' && is_number(from + 1, from + 1) &&
		    from > text && strchr(" (=,", from[-1]) != NULL)
			from++;
		if (*from != '\'' && !is_number(text, from)) {
			*to++ = isspace((unsigned char)*from) ? ' ' : *from;
			from++;
			continue;
		}
		from = skip_literal(from);
		*to++ = '?';
	}
	*to = '\0';
}

static void simplify(char *text)
{
	bool is_cut = strlen(text) >= TOP_TEXT - 1;

	generalize(text);
	if (is_cut && strlen(text) > CUT)
		strcpy(text + CUT, "...");
}

/* "request CREATE", "query: SELECT ..." */
static void label_of(const struct top_step *step, char *text, size_t size)
{
	const struct span *span = &the_plan->spans.span[step->span];
	char name[ROW_NAME] = "";

	if (has_names && plan_named_at_start(span))
		sample_name(the_engine, span, step->name, name, sizeof(name));
	if (is_text(span))
		simplify(name);
	snprintf(text, size, "%s%s%.200s%s%s",
		 is_ambiguous(span) ? span->provider : "",
		 is_ambiguous(span) ? ":" : "", span->text->name,
		 name[0] == '\0' ? "" : is_text(span) ? ": " : " ", name);
}

/* Adds the steps from first up to end: the last one is the outermost. */
static struct flame *add_steps(struct flame *f, const struct top_step *step,
			       unsigned int first, unsigned int end)
{
	char text[ROW_NAME + 512];

	while (end-- > first) {
		if (step[end].span >= the_plan->spans.count)
			continue;
		label_of(&step[end], text, sizeof(text));
		f = add_root(f, text, "(other names)");
	}
	return f;
}

static struct flame *add_spans(struct flame *f, const struct top_sample *s)
{
	f = add_steps(f, s->step, s->inside, s->num_steps);
	f = add_steps(f, s->work, 0, s->num_work);
	return add_steps(f, s->step, 0, s->inside);
}

static struct flame *add_outside(struct flame *f, const struct top_sample *s)
{
	char text[64];

	f = add_root(f, "outside spans", "outside spans");
	snprintf(text, sizeof(text), "%.*s %u", TOP_COMMAND, s->command,
		 s->stacks.pid);
	return add_root(f, text, "(other processes)");
}

int flame_add(void *context, void *data, size_t size)
{
	const struct top_sample *s = data;
	struct flame *f;

	if (size < sizeof(*s) - STACKS_COPY)
		return 0;
	f = flamegraph_begin(&graph);
	f = s->num_steps + s->num_work > 0 ? add_spans(f, s) :
		add_outside(f, s);
	stacks_add(&graph, f, &s->stacks, s->tid != s->stacks.pid);
	return 0;
}

void flame_refresh(void)
{
	space_expire();
}

const struct flamegraph *flame_since(void)
{
	return &graph;
}

void flame_forget(void)
{
	flamegraph_free(&graph);
	tdestroy(labels, free);
	labels = NULL;
	num_labels = 0;
}

bool flame_write(const char *path, unsigned long long lost)
{
	graph.lost = lost;
	return flamegraph_draw(&graph, path);
}
