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
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "attach.h"
#include "calls.h"
#include "flame.h"
#include "probes.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

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
		modes |= TSMBD_SLOW | TSMBD_FILE_NAMES | TSMBD_CALLS;
	if (options->top_by == TSMBD_FILES)
		modes |= TSMBD_FILE_NAMES;
	if (options->exits)
		modes |= TSMBD_EXITS;
	if (options->oplocks)
		modes |= TSMBD_OPLOCKS;
	if (options->calls)
		modes |= TSMBD_CALLS;
	if (options->flame != NULL)
		modes |= TSMBD_FLAME;
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
	int i;

	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, false);
	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		if ((tsmbd_probes[i].modes & modes) == 0 || !is_in(found, i))
			continue;
		bpf_program__set_autoload(program_of(skel, i), true);
	}
	bpf_program__set_autoload(skel->progs.process_exit, true);
	bpf_program__set_autoload(skel->progs.socket_receives, true);
	bpf_program__set_autoload(skel->progs.socket_sends, true);
	bpf_program__set_autoload(skel->progs.call_enter, true);
	bpf_program__set_autoload(skel->progs.call_exit, true);
	bpf_program__set_autoload(skel->progs.sample, modes & TSMBD_FLAME);
}

/* What no option asks for needs no memory. */
static void shrink(struct tsmbd *skel, unsigned int modes,
		   const struct options *options)
{
	if (!(modes & TSMBD_FILE_NAMES))
		bpf_map__set_max_entries(skel->maps.details, 1);
	if (options->top_by <= TSMBD_CLIENTS)
		bpf_map__set_max_entries(skel->maps.top, 1);
	if (options->flame == NULL)
		bpf_map__set_max_entries(skel->maps.samples,
					 (unsigned int)sysconf(_SC_PAGESIZE));
}

static void configure(struct tsmbd *skel, const struct options *options,
		      unsigned int modes)
{
	skel->rodata->only_pid = (unsigned int)options->pid;
	skel->rodata->modes = modes;
	skel->rodata->slow_ns = (unsigned long long)(options->slow_ms * 1e6);
	skel->rodata->top_by = options->top_by;
	calls_configure(skel);
}

/* Links remain until leave(). */
static void check_link(const struct bpf_link *link, const char *what,
		       const char *where)
{
	if (link == NULL)
		errx(1, "%s: cannot attach to %s: %s", where, what,
		     strerror(errno));
}

/*
 * A raw tracepoint is cheaper than the probes that tell the same. Those of
 * sockets are there since Linux 6.3. Returns whether it has been attached.
 */
static bool attach_instead(struct bpf_program *program)
{
	/* for the tests: how the names begin that it does not have */
	const char *lacks = getenv("TSMBD_OLD_KERNEL");

	if (lacks != NULL && strncmp(bpf_program__name(program), lacks,
				     strlen(lacks)) == 0)
		return false;
	return bpf_program__attach(program) != NULL;
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
		check_link(bpf_program__attach_usdt(program_of(skel, i), -1,
						    file->path, p->provider,
						    p->name, NULL),
			   what, file->name);
	}
}

/* Returns the modes that stand in for what the kernel does not have. */
static unsigned int attach_tracepoints(struct tsmbd *skel, unsigned int modes)
{
	unsigned int instead = 0;

	check_link(bpf_program__attach(skel->progs.process_exit),
		   "the end of processes", "kernel");
	if (!attach_instead(skel->progs.socket_receives))
		instead |= TSMBD_NO_RECEIVES;
	if (!attach_instead(skel->progs.socket_sends))
		instead |= TSMBD_NO_SENDS;
	if (attach_instead(skel->progs.call_exit) &&
	    attach_instead(skel->progs.call_enter))
		return instead;
	if (modes & TSMBD_CALLS)
		errx(1, "kernel: cannot attach to system calls: %s",
		     strerror(errno));
	warnx("the kernel does not tell of system calls: no times of disk I/O");
	return instead | TSMBD_NO_CALLS;
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
	choose(skel, found, modes | TSMBD_NO_RECEIVES | TSMBD_NO_SENDS |
	       TSMBD_NO_CALLS);
	shrink(skel, modes, options);
	ret = tsmbd__load(skel);
	if (ret == -EPERM || ret == -EACCES)
		errx(1, "no right to trace: run it as root");
	if (ret < 0)
		errx(1, "the kernel does not take the programs: %s",
		     strerror(-ret));
	modes |= attach_tracepoints(skel, modes);
	for (i = 0; i < found->num_files; i++)
		attach_file(skel, &found->files[i], modes);
	if (options->flame != NULL)
		flame_attach(skel, options->hertz);
	return skel;
}
