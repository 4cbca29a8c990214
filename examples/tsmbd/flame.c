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

static struct flamegraph graph = {
	.title = "What smbd executes, by SMB2 command",
	.root = "SMB2 command, or phase",
	.own = "Samba",
};

/* Samba's files: libsmbd-base-samba4.so.0, libsmbconf.so.0, samba/vfs/x.so. */
static bool is_samba(const struct object *object)
{
	return strstr(object->name, "samba") != NULL ||
	       strstr(object->name, "smb") != NULL ||
	       strstr(object->path, "/samba/") != NULL;
}

void flame_attach(struct tsmbd *skel, unsigned int hertz)
{
	int ret;

	space_is_own = is_samba;
	stacks_begin();
	graph.hertz = hertz;
	ret = timer_attach(skel->progs.sample, hertz);
	if (ret == -EINVAL)
		errx(1, "invalid value %u for -F: the limit is in "
		     "/proc/sys/kernel/perf_event_max_sample_rate", hertz);
	if (ret < 0)
		errx(1, "cannot take samples of the CPUs: %s", strerror(-ret));
}

static const char *name_of_root(unsigned int root)
{
	if (root < TSMBD_ROOT_PHASE)
		return name_of_op(root);
	if (root < TSMBD_ROOT_THREAD)
		return phases[root - TSMBD_ROOT_PHASE];
	return "other threads";
}

int flame_sample(void *context, void *data, size_t size)
{
	const struct tsmbd_sample *s = data;
	struct flame_box root = { .kind = FLAME_ROOT };
	struct flame *f;

	(void)context;
	if (size < sizeof(*s) || s->root >= TSMBD_ROOTS)
		return 0;
	root.name = name_of_root(s->root);
	f = flamegraph_child(&graph, flamegraph_begin(&graph), &root);
	stacks_add(&graph, f, &s->stacks, s->root == TSMBD_ROOT_THREAD);
	return 0;
}

bool flame_write(const char *path, unsigned long long lost)
{
	graph.lost = lost;
	return flamegraph_draw(&graph, path);
}
