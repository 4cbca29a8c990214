/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.c - adds samples of stacks to a flame graph, with a root for each
 * command.
 *
 *	sample.bpf.h -> ring buffer -> flame_sample() -> lib/symbols
 *		-> lib/picture
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "flamegraph.h"
#include "names.h"
#include "space.h"
#include "stacks.h"
#include "timer.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

static const char *const phases[TSMBD_PHASES] = {
	[TSMBD_WAIT] = "waiting for events",
	[TSMBD_RECEIVE] = "receiving", [TSMBD_PARSE] = "parsing",
	[TSMBD_RUN] = "running", [TSMBD_SEND] = "sending",
	[TSMBD_CTDB] = "waiting for ctdb",
	[TSMBD_OTHER] = "other event handlers",
};

static const struct flamegraph empty = {
	.title = "What smbd executes, by SMB2 command",
	.root = "SMB2 command, or phase",
	.own = "Samba",
};

static struct flamegraph graph;
static struct flamegraph *others[FLAME_GRAPHS];
static bool always;			/* samples are taken for graph */
static unsigned int frequency;

/* Samba's files: libsmbd-base-samba4.so.0, libsmbconf.so.0, samba/vfs/x.so. */
static bool is_samba(const struct object *object)
{
	return strstr(object->name, "samba") != NULL ||
	       strstr(object->name, "smb") != NULL ||
	       strstr(object->path, "/samba/") != NULL;
}

void flame_attach(struct tsmbd *skel, unsigned int hertz, bool now)
{
	int ret;

	space_is_own = is_samba;
	stacks_begin();
	graph = empty;
	graph.hertz = frequency = hertz;
	always = now;
	ret = (now ? timer_attach : timer_prepare)(skel->progs.sample, hertz);
	if (ret == -EINVAL)
		errx(1, "invalid value %u for -F: the limit is in "
		     "/proc/sys/kernel/perf_event_max_sample_rate", hertz);
	if (ret < 0)
		errx(1, "cannot take samples of the CPUs: %s", strerror(-ret));
}

/* Returns where a pointer to a graph is, or NULL. */
static struct flamegraph **find(const struct flamegraph *other)
{
	int i;

	for (i = 0; i < FLAME_GRAPHS; i++) {
		if (others[i] == other)
			return &others[i];
	}
	return NULL;
}

struct flamegraph *flame_begin(void)
{
	struct flamegraph **at = find(NULL);

	if (at == NULL)
		return NULL;
	*at = malloc(sizeof(**at));
	if (*at == NULL)
		return NULL;
	**at = empty;
	(*at)->hertz = frequency;
	timer_run(true);
	return *at;
}

void flame_end(struct flamegraph *other)
{
	bool last = true;
	int i;

	*find(other) = NULL;
	flamegraph_free(other);
	free(other);
	for (i = 0; i < FLAME_GRAPHS; i++)
		last &= others[i] == NULL;
	if (last)
		timer_run(false);
}

static const char *name_of_root(unsigned int root)
{
	if (root < TSMBD_ROOT_PHASE)
		return name_of_op(root);
	if (root < TSMBD_ROOT_THREAD)
		return phases[root - TSMBD_ROOT_PHASE];
	return "other threads";
}

static void add(struct flamegraph *to, const struct tsmbd_sample *s)
{
	struct flame_box root = { .kind = FLAME_ROOT };
	struct flame *f;

	root.name = name_of_root(s->root);
	f = flamegraph_child(to, flamegraph_begin(to), &root);
	stacks_add(to, f, &s->stacks, s->root == TSMBD_ROOT_THREAD);
}

int flame_sample(void *context, void *data, size_t size)
{
	const struct tsmbd_sample *s = data;
	int i;

	if (size < sizeof(*s) - STACKS_COPY || s->root >= TSMBD_ROOTS)
		return 0;
	if (always)
		add(&graph, s);
	for (i = 0; i < FLAME_GRAPHS; i++) {
		if (others[i] != NULL)
			add(others[i], s);
	}
	return 0;
}

const struct flamegraph *flame_graph(void)
{
	return &graph;
}

bool flame_write(const char *path, unsigned long long lost)
{
	graph.lost = lost;
	return flamegraph_draw(&graph, path);
}
