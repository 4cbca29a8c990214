/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A flame graph: what CPUs executed, by what had called it.
 *
 *	struct flamegraph graph = { .title = "What smbd executes", ... };
 *
 *	for each sample of a stack:
 *		at = flamegraph_begin(&graph);
 *		at = flamegraph_child(&graph, at, &(struct flame_box){ "READ" });
 *		at = flamegraph_child(...)	for each function, main() first
 *	flamegraph_draw(&graph, "flame.svg");
 *
 * The tree is by names, so its size depends on the number of different call
 * chains, not on that of processes and samples.
 */
#ifndef PICTURE_FLAMEGRAPH_H
#define PICTURE_FLAMEGRAPH_H

#include <stdbool.h>

enum flame_kind {
	FLAME_ROOT,		/* what the functions below it are run for */
	FLAME_OWN,		/* a function of what is examined */
	FLAME_LIBRARY,
	FLAME_KERNEL,
	FLAME_UNKNOWN,
	FLAME_KINDS,
};

/* A box of the picture. Its strings have to remain. */
struct flame_box {
	const char *name;
	const char *file;	/* which has the function, or NULL */
	enum flame_kind kind;
};

/* A box, and what is above it: for a function what it had called. */
struct flame {
	struct flame_box box;
	unsigned long long count;	/* samples, with those of children */
	struct flame *child;
	struct flame *next;		/* beside it */
};

/* Stacks that end before they reach the start of the program. */
struct flame_cut {
	const char *file;		/* where they end, or NULL */
	unsigned long long count;
};

enum { FLAME_CUTS = 64 };

struct flamegraph {
	/* To be set at first. */
	const char *title;
	const char *root;		/* what FLAME_ROOT is, for the legend */
	const char *own;		/* likewise FLAME_OWN */
	unsigned int hertz;		/* samples per second */

	struct flame all;		/* its children are the roots */
	int num_nodes;
	unsigned long long tracing;	/* samples in a tracer's programs */
	unsigned long long cut;
	struct flame_cut cuts[FLAME_CUTS];
	unsigned long long lost;	/* samples that are not in the tree */
};

/* Counts a sample; returns the node for its root. */
struct flame *flamegraph_begin(struct flamegraph *graph);

/*
 * Returns the child of a node for a box, and counts the sample there. If the
 * tree has no room for another node, it returns the parent.
 */
struct flame *flamegraph_child(struct flamegraph *graph, struct flame *parent,
			  const struct flame_box *box);

/* Counts a sample whose stack ends early, in a function of a file. */
void flamegraph_count_cut(struct flamegraph *graph, const char *file);

/* Releases the boxes; the graph has no sample then. */
void flamegraph_free(struct flamegraph *graph);

/*
 * Writes the picture to a file, which stays as it is if that fails: then it
 * prints a message and returns false.
 */
bool flamegraph_draw(struct flamegraph *graph, const char *path);

#endif /* PICTURE_FLAMEGRAPH_H */
