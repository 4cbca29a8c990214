/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.c - addresses of a stack -> functions -> the tree of a flame graph. */
#include <string.h>

#include "flamegraph.h"
#include "stacks.h"
#include "unwind.h"

void stacks_begin(void)
{
	struct frame frame;

	symbols_find_kernel(0, &frame);		/* reads them */
}

static enum flame_kind kind_of(const struct frame *frame)
{
	if (frame->object == NULL)
		return frame->kernel ? FLAME_KERNEL : FLAME_UNKNOWN;
	return frame->object->own || frame->object->program ? FLAME_OWN :
		FLAME_LIBRARY;
}

static struct flame *add(struct flamegraph *graph, struct flame *f,
			 const struct frame *frame)
{
	struct flame_box box = {
		.name = frame->function,
		.kind = kind_of(frame),
	};

	if (box.name == NULL && frame->object != NULL)
		box.name = frame->object->label;
	else if (box.name == NULL)
		box.name = frame->kernel ? "[kernel]" : "[no file]";
	else if (frame->object != NULL)
		box.file = frame->object->name;
	return flamegraph_child(graph, f, &box);
}

/* Counts a stack that ends early; returns the node for its frames. */
static struct flame *count_cut(struct flamegraph *graph, struct flame *f,
			       const struct object *object)
{
	static const struct flame_box unknown = {
		.name = "[callers unknown]", .kind = FLAME_UNKNOWN,
	};

	flamegraph_count_cut(graph, object != NULL ? object->name : NULL);
	return flamegraph_child(graph, f, &unknown);
}

static bool is_libc(const struct frame *frame)
{
	return frame->object != NULL &&
	       strncmp(frame->object->name, "libc.", 5) == 0;
}

/*
 * Of frames that were found through frame pointers, the outermost one should be
 * main, its caller in libc, or the function that starts a thread. If it is none
 * of these, a function in between has no frame pointer.
 */
static bool is_whole(const struct frame *frames, int count, bool thread)
{
	const struct frame *last = &frames[count - 1];

	if (last->object == NULL)
		return false;
	if (last->object->program)
		return last->function == NULL ||
		       strcmp(last->function, "main") == 0 ||
		       strcmp(last->function, "_start") == 0;
	if (!is_libc(last) || count < 2 || last[-1].object == NULL)
		return false;
	return thread ? !is_libc(&last[-1]) : last[-1].object->program;
}

/* Returns how many frames the frame pointers tell of. */
static int follow_pointers(const struct stacks *s, struct frame *frames)
{
	int count = s->user / (int)sizeof(s->user_stack[0]);
	int i;

	/* the register held something else than a frame pointer */
	for (i = 1; i < count; i++) {
		if (space_find(s->pid, s->parent, s->user_stack[i]) == NULL)
			count = i;
	}
	/* a return address follows the call, so may lie behind the function */
	for (i = 0; i < count; i++)
		symbols_find(s->pid, s->parent, s->user_stack[i] - (i > 0),
			     &frames[i]);
	return count > 0 ? count : 0;
}

/*
 * Frame pointers pass over callers that have none. So .eh_frame comes first;
 * they are for a stack that is larger than the copy.
 */
static int find_frames(const struct stacks *s, bool thread,
		       struct frame frames[STACKS_USER], bool *whole)
{
	struct frame other[STACKS_USER];
	int count = unwind(s, frames, whole);
	int others;

	if (*whole || (count > 0 && is_whole(frames, count, thread))) {
		*whole = true;
		return count;
	}
	others = follow_pointers(s, other);
	*whole = others > 0 && is_whole(other, others, thread);
	if (!*whole && others <= count)
		return count;
	memcpy(frames, other, (size_t)others * sizeof(*frames));
	return others;
}

/* What libc does before main() or a thread begins is in every stack. */
static int leave_out_start(const struct frame *frames, int count)
{
	if (count > 2 && !is_libc(&frames[count - 1]) &&
	    is_libc(&frames[count - 2]))
		count--;
	while (count > 1 && is_libc(&frames[count - 1]))
		count--;
	return count;
}

/* Adds the frames of user space, the outermost one first. */
static struct flame *add_user(struct flamegraph *graph, struct flame *f,
			      const struct stacks *s, bool thread)
{
	struct frame frames[STACKS_USER];
	bool whole;
	int count = find_frames(s, thread, frames, &whole);
	int i;

	if (count == 0)
		return count_cut(graph, f, NULL);
	if (whole)
		count = leave_out_start(frames, count);
	else
		f = count_cut(graph, f, frames[count - 1].object);
	for (i = count - 1; i >= 0; i--)
		f = add(graph, f, &frames[i]);
	return f;
}

/* A probe is a breakpoint, whose handler calls a program for BPF. */
static bool is_tracing(const char *function)
{
	return strncmp(function, "uprobe_", 7) == 0 ||
	       strncmp(function, "bpf_prog_", 9) == 0 ||
	       strncmp(function, "bpf_trace_run", 13) == 0 ||
	       strcmp(function, "exc_int3") == 0;
}

static void add_kernel(struct flamegraph *graph, struct flame *f,
		       const struct stacks *s)
{
	int count = s->kernel / (int)sizeof(s->kernel_stack[0]);
	bool tracing = false;
	struct frame frame;
	int i;

	for (i = count - 1; i >= 0; i--) {
		symbols_find_kernel(s->kernel_stack[i] - (i > 0), &frame);
		if (frame.function != NULL && is_tracing(frame.function))
			tracing = true;
		f = add(graph, f, &frame);
	}
	graph->tracing += tracing;
}

void stacks_add(struct flamegraph *graph, struct flame *above,
		const struct stacks *stacks, bool thread)
{
	add_kernel(graph, add_user(graph, above, stacks, thread), stacks);
}
