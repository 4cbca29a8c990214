/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flamegraph_draw.c - draws the tree of functions as a flame graph.
 *
 *	             tcp_sendmsg
 *	pwrite64     sendmsg                     called by what is below it
 *	vfs_pwrite   smbd_smb2_flush_send_queue
 *	SMB2_OP_WRITE    sending                 a root for each command
 *	all
 *
 * The width is the number of samples. The order is not that of time: what
 * has the same callers is drawn once, in order of the alphabet, and roots
 * with most samples first. Roots may have roots above them, which come first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flamegraph.h"
#include "picture.h"

enum {
	WIDTH = 1200, MARGIN = 10, TOP = 84, ROW = 17, NOTE = 16,
	MAX_DEPTH = 256,
};

/* Boxes narrower than this, in pixels, are not drawn. */
static const double LEAST = 1.5;
/* The approximate width of a letter. */
static const double LETTER = 6.4;

static const char style[] =
".all{fill:#b8b8b8}.root{fill:#93c47d}.own{fill:#ffd966}"
".lib{fill:#9fc5e8}.kernel{fill:#f4a460}.none{fill:#d5d0c8}\n"
"path{stroke:#fff;stroke-width:.5}path:hover{stroke:#000;stroke-width:1}"
".name{fill:#111;pointer-events:none}\n"
"@media (prefers-color-scheme:dark){path{stroke:#16181c}"
"path:hover{stroke:#fff}.name{fill:#111}}\n";

static const struct {
	const char *style;
	const char *title;		/* NULL: the caller's */
} kinds[FLAME_KINDS] = {
	[FLAME_ROOT] = { "root", NULL },
	[FLAME_OWN] = { "own", NULL },
	[FLAME_LIBRARY] = { "lib", "other libraries" },
	[FLAME_KERNEL] = { "kernel", "kernel" },
	[FLAME_UNKNOWN] = { "none", "unknown" },
};

struct drawing {
	struct picture picture;
	const struct flamegraph *graph;
	const struct flame *root;	/* that it is at */
	double scale;			/* pixels for a sample */
	int bottom;			/* y of the row of depth 0 */
};

static double percent(unsigned long long part, unsigned long long of)
{
	return of == 0 ? 0 : 100.0 * (double)part / (double)of;
}

/* Writes as much of a name as fits into its box. */
static void draw_name(struct drawing *d, double x, int y, double width,
		      const char *name)
{
	size_t letters = (size_t)((width - 6) / LETTER);
	char text[256];

	if (width < 6 + 5 * LETTER)
		return;
	if (letters > sizeof(text) - 1)
		letters = sizeof(text) - 1;
	if (strlen(name) > letters)
		snprintf(text, letters + 1, "%.*s..", (int)letters - 2, name);
	else
		snprintf(text, sizeof(text), "%s", name);
	fprintf(d->picture.file, "<text class=\"name\" x=\"%.1f\" y=\"%d\">",
		x + 3, y + 12);
	picture_text(&d->picture, text);
	fputs("</text>", d->picture.file);
}

static void draw_box(struct drawing *d, const struct flame *f, double x,
		     int depth, const char *box)
{
	double width = (double)f->count * d->scale;
	int y = d->bottom - depth * ROW;
	FILE *file = d->picture.file;

	fprintf(file, "<path class=\"%s\" d=\"M%.1f %dh%.1fv%dh-%.1fz\">"
		"<title>", box, x, y, width, ROW - 1, width);
	picture_text(&d->picture, f->box.name);
	if (f->box.file != NULL) {
		fputs(" (", file);
		picture_text(&d->picture, f->box.file);
		putc(')', file);
	}
	fprintf(file, ": %llu, %.2f %%", f->count,
		percent(f->count, d->graph->all.count));
	if (d->root != NULL && d->root != f) {
		fprintf(file, ", %.1f %% of ",
			percent(f->count, d->root->count));
		picture_text(&d->picture, d->root->box.name);
	}
	fputs("</title></path>", file);
	draw_name(d, x, y, width, f->box.name);
	putc('\n', file);
}

static int by_name(const void *a, const void *b)
{
	const struct flame *x = *(const struct flame *const *)a;
	const struct flame *y = *(const struct flame *const *)b;
	int order = strcmp(x->box.name, y->box.name);

	if ((x->box.kind == FLAME_ROOT) != (y->box.kind == FLAME_ROOT))
		return x->box.kind == FLAME_ROOT ? -1 : 1;
	if (order != 0)
		return order;
	if (x->box.kind != y->box.kind)
		return x->box.kind < y->box.kind ? -1 : 1;
	return x->count < y->count ? 1 : -(x->count > y->count);
}

static int by_count(const void *a, const void *b)
{
	const struct flame *x = *(const struct flame *const *)a;
	const struct flame *y = *(const struct flame *const *)b;

	return x->count < y->count ? 1 : -(x->count > y->count);
}

/*
 * Returns the number of children, and a sorted list of them. Without memory for
 * it the picture fails.
 */
static size_t sort_children(struct drawing *d, const struct flame *f,
			    const struct flame ***list,
			    int (*order)(const void *, const void *))
{
	const struct flame *child;
	size_t count = 0;

	for (child = f->child; child != NULL; child = child->next)
		count++;
	*list = calloc(count + 1, sizeof(struct flame *));
	if (*list == NULL) {
		d->picture.error = ENOMEM;
		return 0;
	}
	count = 0;
	for (child = f->child; child != NULL; child = child->next)
		(*list)[count++] = child;
	qsort(*list, count, sizeof(struct flame *), order);
	return count;
}

static void draw_children(struct drawing *d, const struct flame *f, double x,
			  int depth)
{
	const struct flame **list;
	size_t count, i;

	count = sort_children(d, f, &list, by_name);
	for (i = 0; i < count; i++) {
		double width = (double)list[i]->count * d->scale;

		if (width >= LEAST && depth < MAX_DEPTH) {
			draw_box(d, list[i], x, depth,
				 kinds[list[i]->box.kind].style);
			draw_children(d, list[i], x, depth + 1);
		}
		x += width;
	}
	free(list);
}

/* The depth of those boxes that are wide enough to be drawn. */
static int height_of(const struct flame *f, double scale, int depth)
{
	const struct flame *child;
	int most = depth;
	int height;

	for (child = f->child; child != NULL; child = child->next) {
		if ((double)child->count * scale < LEAST ||
		    depth >= MAX_DEPTH)
			continue;
		height = height_of(child, scale, depth + 1);
		most = height > most ? height : most;
	}
	return most;
}

static const char *title_of(const struct flamegraph *f, int kind)
{
	if (kinds[kind].title != NULL)
		return kinds[kind].title;
	return kind == FLAME_ROOT ? f->root : f->own;
}

static void draw_legend(struct drawing *d)
{
	FILE *file = d->picture.file;
	int x = MARGIN;
	int i;

	for (i = 0; i < FLAME_KINDS; i++) {
		const char *title = title_of(d->graph, i);

		fprintf(file, "<rect class=\"%s\" x=\"%d\" y=\"52\" "
			"width=\"14\" height=\"14\"/><text x=\"%d\" y=\"63\">",
			kinds[i].style, x, x + 20);
		picture_text(&d->picture, title);
		fputs("</text>\n", file);
		x += 48 + (int)(LETTER * (double)strlen(title));
	}
}

static void draw_head(struct drawing *d)
{
	const struct flamegraph *f = d->graph;

	fprintf(d->picture.file, "<text class=\"faint\" x=\"%d\" y=\"42\">"
		"%llu samples, %u a second on each CPU: %.1f s of CPU time. "
		"The width of a box is its share of that",
		MARGIN, f->all.count, f->hertz,
		(double)f->all.count / (f->hertz ? f->hertz : 1));
	if (f->tracing > 0)
		fprintf(d->picture.file, "; %.1f %% of all are the probes of "
			"this tracer", percent(f->tracing, f->all.count));
	fputs(".</text>\n", d->picture.file);
	draw_legend(d);
}

/* Writes the line that tells what the picture does not show. */
static void draw_notes(struct drawing *d)
{
	const struct flamegraph *f = d->graph;
	FILE *file = d->picture.file;
	int y = d->bottom + ROW + NOTE;
	int i;

	if (f->cut > 0) {
		fprintf(file, "<text class=\"faint\" x=\"%d\" y=\"%d\">"
			"%.1f %% of the stacks end early (callers unknown): "
			"too deep, or built without .eh_frame?", MARGIN, y,
			percent(f->cut, f->all.count));
		for (i = 0; i < FLAME_CUTS && i < 5 && f->cuts[i].count; i++) {
			fprintf(file, "%s ", i == 0 ? "" : ",");
			picture_text(&d->picture, f->cuts[i].file != NULL ?
				     f->cuts[i].file : "no file");
			fprintf(file, " %llu", f->cuts[i].count);
		}
		fputs("</text>\n", file);
		y += NOTE;
	}
	if (f->lost > 0)
		fprintf(file, "<text class=\"faint\" x=\"%d\" y=\"%d\">Lost: "
			"%llu samples</text>\n", MARGIN, y, f->lost);
}

static void draw_roots(struct drawing *d)
{
	const struct flame *all = &d->graph->all;
	const struct flame **roots;
	double x = MARGIN;
	size_t count, i;

	if (all->count > 0)
		draw_box(d, all, x, 0, "all");
	count = sort_children(d, all, &roots, by_count);
	for (i = 0; i < count; i++) {
		double width = (double)roots[i]->count * d->scale;

		d->root = roots[i];
		if (width >= LEAST) {
			draw_box(d, d->root, x, 1, "root");
			draw_children(d, d->root, x, 2);
		}
		x += width;
	}
	free(roots);
}

static int by_cut(const void *a, const void *b)
{
	const struct flame_cut *x = a;
	const struct flame_cut *y = b;

	return x->count < y->count ? 1 : -(x->count > y->count);
}

bool flamegraph_draw(struct flamegraph *f, const char *path)
{
	struct drawing d = { .graph = f };
	int height;

	f->all.box = (struct flame_box){ .name = "all" };
	qsort(f->cuts, FLAME_CUTS, sizeof(f->cuts[0]), by_cut);
	d.scale = (double)(WIDTH - 2 * MARGIN) /
		(double)(f->all.count > 0 ? f->all.count : 1);
	d.bottom = TOP + height_of(&f->all, d.scale, 0) * ROW;
	height = d.bottom + ROW + NOTE * ((f->cut > 0) + (f->lost > 0)) + 12;
	if (!picture_begin(&d.picture, path, WIDTH, height, style, f->title,
			   "A box is a function, its width the CPU time of it "
			   "and of what it calls, which is above it."))
		return false;
	draw_head(&d);
	draw_roots(&d);
	draw_notes(&d);
	return picture_end(&d.picture);
}
