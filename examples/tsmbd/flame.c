/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.c - builds a tree of functions from samples of stacks.
 *
 *	a timer of each CPU -> sample.bpf.h -> ring buffer -> flame_sample()
 *		-> symbols -> tree, a root for each command -> flame_draw.c
 *
 * The timer counts time and not cycles, as not every virtual machine can count
 * cycles. The tree is by names, so its size depends on the number of different
 * call chains, not on that of processes and samples.
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "flame.h"
#include "tsmbd.skel.h"

enum { MAX_NODES = 1 << 18 };

static struct flames flames;
static int num_nodes;

static int open_timer(int cpu, unsigned int hertz)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = hertz,
	};

	return (int)syscall(__NR_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

void flame_attach(struct tsmbd *skel, unsigned int hertz)
{
	int num_cpus = libbpf_num_possible_cpus();
	struct frame frame;
	int cpu;
	int fd;

	symbols_find_kernel(0, &frame);	/* reads them: that takes a while */
	flames.hertz = hertz;
	for (cpu = 0; cpu < num_cpus; cpu++) {
		fd = open_timer(cpu, hertz);
		if (fd < 0 && errno == ENODEV)	/* it is switched off */
			continue;
		if (fd < 0 && errno == EINVAL)
			errx(1, "invalid value %u for -F: the limit is in "
			     "/proc/sys/kernel/perf_event_max_sample_rate",
			     hertz);
		if (fd < 0)
			err(1, "cannot sample CPU %d", cpu);
		if (bpf_program__attach_perf_event(skel->progs.sample,
						   fd) == NULL)
			err(1, "cannot sample CPU %d", cpu);
	}
}

static const char *name_of(const struct frame *frame)
{
	if (frame->function != NULL)
		return frame->function;
	if (frame->object != NULL)
		return frame->object->label;
	return frame->kind == FRAME_KERNEL ? "[kernel]" : "[no file]";
}

/* Returns the child for the frame, or the parent if there is no more memory. */
static struct flame *descend(struct flame *parent, const struct frame *frame)
{
	const char *name = name_of(frame);
	struct flame *f;

	for (f = parent->child; f != NULL; f = f->next) {
		if (f->object == frame->object && f->kind == frame->kind &&
		    strcmp(f->name, name) == 0)
			break;
	}
	if (f == NULL) {
		if (num_nodes == MAX_NODES)
			return parent;
		f = calloc(1, sizeof(*f));
		if (f == NULL)
			err(1, NULL);
		num_nodes++;
		f->name = name;
		f->object = frame->object;
		f->kind = frame->kind;
		f->next = parent->child;
		parent->child = f;
	}
	f->count++;
	return f;
}

/* Counts a stack that ends early; returns the node for its frames. */
static struct flame *count_cut(struct flame *f, const struct object *object)
{
	static struct object unknown = { .label = (char *)"[callers unknown]" };
	struct frame frame = { .object = &unknown };
	int i;

	flames.cut++;
	for (i = 0; i < FLAME_CUTS - 1; i++) {
		if (flames.cuts[i].count == 0)
			flames.cuts[i].object = object;
		if (flames.cuts[i].object == object)
			break;
	}
	flames.cuts[i].count++;
	return descend(f, &frame);
}

static bool is_libc(const struct frame *frame)
{
	return frame->object != NULL &&
	       strncmp(frame->object->name, "libc.", 5) == 0;
}

/*
 * Frames are found through frame pointers. The outermost one should be main,
 * its caller in libc, or the function that starts a thread. If it is none of
 * these, a function in between has no frame pointer.
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

/* Adds the frames of user space, the outermost one first. */
static struct flame *add_user(struct flame *f, const struct tsmbd_sample *s)
{
	int count = s->user / (int)sizeof(s->user_stack[0]);
	struct frame frames[TSMBD_USER_STACK];
	int i;

	if (count <= 0)
		return count_cut(f, NULL);
	/* the register held something else than a frame pointer */
	for (i = 1; i < count; i++) {
		if (space_find(s->pid, s->parent, s->user_stack[i]) == NULL)
			count = i;
	}
	/* a return address follows the call, so may lie behind the function */
	for (i = 0; i < count; i++)
		symbols_find(s->pid, s->parent, s->user_stack[i] - (i > 0),
			     &frames[i]);
	if (!is_whole(frames, count, s->root == TSMBD_ROOT_THREAD))
		f = count_cut(f, frames[count - 1].object);
	for (i = count - 1; i >= 0; i--)
		f = descend(f, &frames[i]);
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

static void add_kernel(struct flame *f, const struct tsmbd_sample *s)
{
	int count = s->kernel / (int)sizeof(s->kernel_stack[0]);
	bool tracing = false;
	struct frame frame;
	int i;

	for (i = count - 1; i >= 0; i--) {
		symbols_find_kernel(s->kernel_stack[i] - (i > 0), &frame);
		if (frame.function != NULL && is_tracing(frame.function))
			tracing = true;
		f = descend(f, &frame);
	}
	flames.tracing += tracing;
}

int flame_sample(void *context, void *data, size_t size)
{
	const struct tsmbd_sample *s = data;
	struct flame *root;

	(void)context;
	if (size < sizeof(*s) || s->root >= TSMBD_ROOTS)
		return 0;
	root = &flames.roots[s->root];
	root->count++;
	flames.samples++;
	add_kernel(add_user(root, s), s);
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct flame_cut *x = a;
	const struct flame_cut *y = b;

	return x->count < y->count ? 1 : -(x->count > y->count);
}

bool flame_write(const char *path, unsigned long long lost)
{
	qsort(flames.cuts, FLAME_CUTS, sizeof(flames.cuts[0]), by_count);
	return flame_draw(&flames, path, lost);
}
