/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.c - loads the programs that the options need, and attaches them.
 *
 * A probe is attached by file, for all processes: the kernel then also covers
 * processes that start later, and raises the semaphores in each.
 *
 * There are two ways to attach, and a program is loaded for one of them:
 * multi.c, where the kernel has it and all arguments fit into cookies; else
 * libbpf's, which knows all kinds of arguments.
 */
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "allowed.h"
#include "attach.h"
#include "configure.h"
#include "flame.h"
#include "functions.h"
#include "leave.h"
#include "multi.h"
#include "probes.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

/* The choices of attach(), which attach_more() has to follow. */
static unsigned int attached_modes;
static bool by_cookies;
static bool may_sleep;
static bool by_notes;

/* Drops the long messages of libbpf: -errno and our own message are enough. */
static int quiet(enum libbpf_print_level level, const char *format,
		 va_list args)
{
	if (getenv("TSMBD_DEBUG") == NULL)
		return 0;
	return vfprintf(stderr, format, args);
}

static struct bpf_program *program_of(struct tsmbd *skel, int probe)
{
	return bpf_object__find_program_by_name(skel->obj,
						tsmbd_probes[probe].program);
}

/* For the tests: whether the kernel is taken for one that lacks this name. */
static bool is_lacking(const char *name)
{
	const char *lacks = getenv("TSMBD_OLD_KERNEL");

	return lacks != NULL && strncmp(name, lacks, strlen(lacks)) == 0;
}

static bool fit_into_cookies(const struct found *found)
{
	int i;

	for (i = 0; i < found->num_files; i++) {
		if (probes_of(found, i)->sites.partial)
			return false;
	}
	return true;
}

/* Programs at probes may sleep since Linux 6.0; that is not asked for. */
static void decide(const struct found *found)
{
	may_sleep = !is_lacking("uprobe_multi") && multi_exists();
	by_cookies = may_sleep && fit_into_cookies(found);
}

/*
 * Without it, not even a program that is not attached would be loaded. A kernel
 * without types is named when the load fails, see multi_refused().
 */
static bool has_tracepoint(const struct btf *kernel, const char *name)
{
	char type[64];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return kernel != NULL &&
	       btf__find_by_name_kind(kernel, type, BTF_KIND_TYPEDEF) > 0;
}

/*
 * Chooses all programs that the options want: a file that is found later may
 * have probes that the first files lack.
 */
static void choose(struct tsmbd *skel, unsigned int modes)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	struct bpf_program *program;
	int i;

	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, false);
	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		if ((tsmbd_probes[i].modes & modes) == 0)
			continue;
		program = program_of(skel, i);
		bpf_program__set_autoload(program, true);
		if (by_cookies)
			multi_prepare(program);
		if (may_sleep && tsmbd_probes[i].flags & PROBE_SLEEPS)
			bpf_program__set_flags(program, BPF_F_SLEEPABLE);
	}
	bpf_program__set_autoload(skel->progs.process_exit, true);
	bpf_program__set_autoload(skel->progs.signal_comes,
				  modes & TSMBD_EXITS);
	bpf_program__set_autoload(skel->progs.socket_receives,
				  has_tracepoint(kernel, "sock_recv_length"));
	bpf_program__set_autoload(skel->progs.socket_sends,
				  has_tracepoint(kernel, "sock_send_length"));
	bpf_program__set_autoload(skel->progs.call_enter,
				  has_tracepoint(kernel, "sys_enter"));
	bpf_program__set_autoload(skel->progs.call_exit,
				  has_tracepoint(kernel, "sys_exit"));
	bpf_program__set_autoload(skel->progs.sample,
				  modes & (TSMBD_FLAME | TSMBD_SAMPLES));
	if (kernel != NULL && !(modes & TSMBD_CALLS) &&
	    !is_lacking("call_functions"))
		functions_choose(skel, kernel);
	btf__free(kernel);
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
 * Attaches to a tracepoint, which is cheaper than the probes that tell the
 * same; those of sockets exist since Linux 6.3. Returns whether it succeeded.
 */
static bool attach_instead(struct bpf_program *program)
{
	return !is_lacking(bpf_program__name(program)) &&
	       bpf_program__attach(program) != NULL;
}

/* Notes are read by programs at the tracepoints, as if each were a hit. */
static bool may_read_notes(unsigned int modes)
{
	return by_cookies && !is_lacking("notes") &&
	       !(modes & (TSMBD_STARTS | TSMBD_NO_RECEIVES | TSMBD_NO_SENDS |
			  TSMBD_NO_CALLS));
}

static bool makes_notes(const struct probe_file *file)
{
	int i;

	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		if (tsmbd_probes[i].flags & PROBE_NOTES && file->has[i])
			return true;
	}
	return false;
}

static bool is_wanted(const struct probe_file *file, int probe)
{
	const struct probe *p = &tsmbd_probes[probe];

	if (!file->has[probe] || (p->modes & attached_modes) == 0)
		return false;
	if (p->flags & PROBE_NOTES)
		return by_notes;
	return !(p->flags & PROBE_HITS && by_notes && makes_notes(file));
}

static bool is_same_program(int a, int b)
{
	return strcmp(tsmbd_probes[a].program, tsmbd_probes[b].program) == 0;
}

/* One link for all probes of a program, which the first one of them makes. */
static int attach_by_cookies(struct tsmbd *skel, const struct found_file *file,
			     int probe, struct link *link)
{
	const struct probe_file *probes = file->probes;
	bool wanted[TSMBD_NUM_PROBES] = { false };
	int i;

	for (i = 0; i < TSMBD_NUM_PROBES; i++)
		wanted[i] = is_wanted(probes, i) && is_same_program(i, probe);
	for (i = 0; i < probe; i++) {
		if (wanted[i])
			return 0;
	}
	link->fd = sites_attach(&probes->sites, wanted, program_of(skel, probe),
				file->path);
	return link->fd < 0 ? link->fd : 0;
}

static int attach_probe(struct tsmbd *skel, const struct found_file *file,
			int probe, struct link *link)
{
	const struct probe *p = &tsmbd_probes[probe];
	const struct bpf_usdt_opts options = {
		.sz = sizeof(options), .usdt_cookie = p->hit,
	};

	if (by_cookies)
		return attach_by_cookies(skel, file, probe, link);
	link->libbpf = bpf_program__attach_usdt(program_of(skel, probe), -1,
						file->path, p->provider,
						p->name, &options);
	return link->libbpf == NULL ? -errno : 0;
}

void attach_end(const struct found_file *file)
{
	struct probe_file *probes = file->probes;
	int fds[TSMBD_NUM_PROBES];
	int count = 0;
	int i;

	for (i = 0; i < probes->num_links; i++) {
		if (probes->links[i].fd >= 0)
			fds[count++] = probes->links[i].fd;
		bpf_link__destroy(probes->links[i].libbpf);
	}
	leave_some(fds, count);
	probes->num_links = 0;
}

/*
 * Attaches all probes or none; returns 0, or -errno and the probe that failed.
 */
static int attach_file(struct tsmbd *skel, const struct found_file *file,
		       int *failed)
{
	struct probe_file *probes = file->probes;
	struct link *link;
	int ret;
	int i;

	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		link = &probes->links[i];
		*link = (struct link){ .fd = -1 };
		ret = is_wanted(probes, i) ?
			attach_probe(skel, file, i, link) : 0;
		if (ret == 0) {
			probes->num_links++;
			continue;
		}
		*failed = i;
		attach_end(file);
		return ret;
	}
	return 0;
}

bool attach_uses_perf_events(void)
{
	return !by_cookies;
}

int attach_more(struct tsmbd *skel, const struct found_file *file)
{
	const struct probe_file *probes = file->probes;
	int failed;

	if (by_cookies && probes->sites.partial)
		return -EOPNOTSUPP;
	return attach_file(skel, file, &failed);
}

static void attach_found(struct tsmbd *skel, const struct found *found)
{
	const struct found_file *file;
	const struct probe *p;
	int failed;
	int ret;
	int i;

	for (i = 0; i < found->num_files; i++) {
		file = &found->files[i];
		ret = attach_file(skel, file, &failed);
		if (ret == 0)
			continue;
		p = &tsmbd_probes[failed];
		errx(1, "%s: cannot attach to %s:%s: %s", file->name,
		     p->provider, p->name, multi_failure(file->name, ret));
	}
}

/* Returns the modes that replace tracepoints that the kernel does not have. */
static unsigned int attach_tracepoints(struct tsmbd *skel, unsigned int modes)
{
	unsigned int instead = 0;

	check_link(bpf_program__attach(skel->progs.process_exit),
		   "the end of processes", "kernel");
	if (modes & TSMBD_EXITS)
		check_link(bpf_program__attach(skel->progs.signal_comes),
			   "signals", "kernel");
	if (!attach_instead(skel->progs.socket_receives))
		instead |= TSMBD_NO_RECEIVES;
	if (!attach_instead(skel->progs.socket_sends))
		instead |= TSMBD_NO_SENDS;
	if (functions_attach(skel))
		return instead;
	if (attach_instead(skel->progs.call_exit) &&
	    attach_instead(skel->progs.call_enter))
		return instead;
	if (modes & TSMBD_CALLS)
		errx(1, "cannot attach to the tracepoints of system calls: "
		     "%s", strerror(errno));
	warnx("the kernel has no tracepoints of system calls: the times of "
	      "disk I/O are missing");
	return instead | TSMBD_NO_CALLS;
}

static void fail_to_load(int error)
{
	char text[ALLOWED_TEXT];

	if (error == -EPERM)
		allowed_advise("tsmbd", text);
	if (!allowed_to_trace("tsmbd", text) || error == -EPERM)
		errx(1, "not permitted to trace: %s", text);
	errx(1, "the kernel refuses the BPF programs: %s; %s",
	     strerror(-error), multi_refused("TSMBD_DEBUG"));
}

/* In one line: what this kernel lacks, and what is done instead. */
static void say_what_is_lacking(unsigned int instead)
{
	bool sockets = instead & (TSMBD_NO_RECEIVES | TSMBD_NO_SENDS);

	if (may_sleep && !sockets)
		return;
	warnx("the kernel lacks %s%s%s",
	      may_sleep ? "" : "links of uprobe_multi (Linux 6.6): a perf "
			       "event for each site takes their place",
	      may_sleep || !sockets ? "" : "; and ",
	      sockets ? "tracepoints of sockets (Linux 6.3): probes take "
			"their place" : "");
}

struct tsmbd *attach(const struct options *options, const struct found *found)
{
	unsigned int modes = modes_of(options);
	struct tsmbd *skel;
	int ret;

	libbpf_set_print(quiet);
	decide(found);
	skel = tsmbd__open();
	if (skel == NULL)
		err(1, "cannot open the BPF programs");
	configure(skel, options, modes);
	skel->rodata->by_cookies = by_cookies;
	skel->rodata->sleepable = may_sleep;
	if (is_lacking("slots"))
		skel->rodata->last_slot = 0;
	if (by_cookies)
		bpf_map__set_max_entries(skel->maps.__bpf_usdt_specs, 1);
	choose(skel, modes | TSMBD_NO_RECEIVES | TSMBD_NO_SENDS |
	       TSMBD_NO_CALLS);
	ret = tsmbd__load(skel);
	if (ret < 0)
		fail_to_load(ret);
	attached_modes = attach_tracepoints(skel, modes);
	say_what_is_lacking(attached_modes);
	attached_modes |= modes;
	by_notes = may_read_notes(attached_modes);
	skel->bss->notes_wanted = by_notes;
	attach_found(skel, found);
	if (options->flame != NULL || options->sink_samples)
		flame_attach(skel, options->hertz, options->flame != NULL);
	return skel;
}
