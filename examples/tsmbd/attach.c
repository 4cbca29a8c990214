/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.c - loads the programs that the options need, and attaches them.
 *
 * A probe is attached by file and for all processes: the kernel then covers
 * those that start later too, and raises the semaphores in each.
 */
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "attach.h"
#include "many.h"
#include "names.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

/* Kinds of system calls, as calls.bpf.h has them. */
static const struct {
	const char *name;
	unsigned char kind;
} call_kinds[] = {
	{ "epoll_wait", 1 }, { "epoll_pwait", 1 }, { "epoll_pwait2", 1 },
	{ "pread64", 2 }, { "preadv", 2 }, { "preadv2", 2 },
	{ "sendfile", 2 },
	{ "pwrite64", 3 }, { "pwritev", 3 }, { "pwritev2", 3 },
};

enum { MAX_LINKS = TSMBD_NUM_PROBES * TSMBD_MAX_FILES + 3 };

static struct bpf_link *links[MAX_LINKS];
static int num_links;

/* libbpf explains a failure at length; -errno and our own words will do. */
static int quiet(enum libbpf_print_level level, const char *format,
		 va_list args)
{
	if (getenv("TSMBD_DEBUG") == NULL)
		return 0;
	(void)level;
	return vfprintf(stderr, format, args);
}

static unsigned int modes_of(const struct options *options)
{
	unsigned int modes = TSMBD_BASE;

	if (options->slow)
		modes |= TSMBD_SLOW | TSMBD_DETAIL;
	if (options->top_by > TSMBD_CLIENTS)
		modes |= TSMBD_DETAIL;
	if (options->exits)
		modes |= TSMBD_EXITS;
	if (options->oplocks)
		modes |= TSMBD_OPLOCKS;
	if (options->calls)
		modes |= TSMBD_CALLS;
	return modes;
}

static struct bpf_program *program_of(struct tsmbd *skel, int probe)
{
	return bpf_object__find_program_by_name(skel->obj,
						tsmbd_probes[probe].program);
}

static bool is_in(const struct found *found, int probe)
{
	int i;

	for (i = 0; i < found->num_files; i++) {
		if (found->files[i].has[probe])
			return true;
	}
	return false;
}

static void choose(struct tsmbd *skel, const struct found *found,
		   unsigned int modes)
{
	struct bpf_program *program;
	bool calls = modes & TSMBD_CALLS;
	int i;

	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, false);
	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		if ((tsmbd_probes[i].modes & modes) == 0 || !is_in(found, i))
			continue;
		program = program_of(skel, i);
		bpf_program__set_autoload(program, true);
		if (tsmbd_probes[i].many)
			many_prepare(program);
	}
	bpf_program__set_autoload(skel->progs.process_exit, true);
	bpf_program__set_autoload(skel->progs.call_enter, calls);
	bpf_program__set_autoload(skel->progs.call_exit, calls);
}

/* What no option asks for needs no memory. */
static void shrink(struct tsmbd *skel, unsigned int modes,
		   const struct options *options)
{
	if (!(modes & TSMBD_DETAIL))
		bpf_map__set_max_entries(skel->maps.details, 1);
	if (options->top_by <= TSMBD_CLIENTS)
		bpf_map__set_max_entries(skel->maps.top, 1);
}

static void configure(struct tsmbd *skel, const struct options *options,
		      unsigned int modes)
{
	size_t i;
	int call;

	skel->rodata->only_pid = (unsigned int)options->pid;
	skel->rodata->modes = modes;
	skel->rodata->slow_ns = (unsigned long long)(options->slow_ms * 1e6);
	skel->rodata->top_by = options->top_by;
	for (i = 0; i < sizeof(call_kinds) / sizeof(call_kinds[0]); i++) {
		call = call_by_name(call_kinds[i].name);
		if (call >= 0)
			skel->rodata->call_kind[call] = call_kinds[i].kind;
	}
}

static void add_link(struct bpf_link *link, const char *what,
		     const char *where)
{
	if (link == NULL)
		errx(1, "%s: cannot attach to %s: %s", where, what,
		     strerror(errno));
	links[num_links++] = link;
}

/* Without these --slow lacks one column: that is no reason to give up. */
static void attach_many(struct tsmbd *skel, const struct probe_file *file,
			int probe, const char *what)
{
	const struct probe *p = &tsmbd_probes[probe];
	int ret;
	int fd;

	ret = many_attach(program_of(skel, probe), file->path, p->provider,
			  p->name, &fd);
	if (ret == -EINVAL)
		warnx("no %s, no VFS times: they need Linux 6.6", what);
	else if (ret < 0)
		errx(1, "%s: cannot attach to %s: %s", file->name, what,
		     strerror(-ret));
}

static void attach_file(struct tsmbd *skel, const struct probe_file *file,
			unsigned int modes)
{
	char what[80];
	int i;

	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		const struct probe *p = &tsmbd_probes[i];

		if ((p->modes & modes) == 0 || !file->has[i])
			continue;
		snprintf(what, sizeof(what), "%s:%s", p->provider, p->name);
		if (p->many) {
			attach_many(skel, file, i, what);
			continue;
		}
		add_link(bpf_program__attach_usdt(program_of(skel, i), -1,
						  file->path, p->provider,
						  p->name, NULL),
			 what, file->name);
	}
}

struct tsmbd *attach(const struct options *options, const struct found *found)
{
	unsigned int modes = modes_of(options);
	struct tsmbd *skel;
	int ret;
	int i;

	libbpf_set_print(quiet);
	skel = tsmbd__open();
	if (skel == NULL)
		err(1, "programs for the kernel");
	configure(skel, options, modes);
	choose(skel, found, modes);
	shrink(skel, modes, options);
	ret = tsmbd__load(skel);
	if (ret == -EPERM || ret == -EACCES)
		errx(1, "no right to trace: run it as root");
	if (ret < 0)
		errx(1, "the kernel does not take the programs: %s",
		     strerror(-ret));
	for (i = 0; i < found->num_files; i++)
		attach_file(skel, &found->files[i], modes);
	add_link(bpf_program__attach(skel->progs.process_exit),
		 "the end of processes", "kernel");
	if (options->calls) {
		add_link(bpf_program__attach(skel->progs.call_enter),
			 "system calls", "kernel");
		add_link(bpf_program__attach(skel->progs.call_exit),
			 "system calls", "kernel");
	}
	return skel;
}

void detach(struct tsmbd *skel)
{
	while (num_links > 0)
		bpf_link__destroy(links[--num_links]);
	tsmbd__destroy(skel);
}
