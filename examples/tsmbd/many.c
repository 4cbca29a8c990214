/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many.c - one link for all sites of a probe.
 *
 * vfs:op_start has 139 sites in smbd. With a link for each, as libbpf before
 * 1.2 makes them, the kernel needs most of a minute to let go of them again.
 * Linux 6.6 has a link for many uprobes: BPF_LINK_CREATE takes arrays of
 * offsets in the file, those of the sites and of their semaphores.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <sdtkit/notes.h>

#include "many.h"

/* <linux/bpf.h> of Linux 6.6; that of Debian 12 is older. */
enum { TRACE_UPROBE_MULTI = 48, MAX_SITES = 4096 };

struct link_arguments {
	uint32_t program;
	uint32_t unused;
	uint32_t attach_type;
	uint32_t flags;
	uint64_t path;
	uint64_t offsets;
	uint64_t semaphores;
	uint64_t cookies;
	uint32_t count;
	uint32_t multi_flags;
	uint32_t pid;
	uint32_t end;
};

struct sites {
	uint64_t offsets[MAX_SITES];
	uint64_t semaphores[MAX_SITES];
	uint32_t count;
};

void many_prepare(struct bpf_program *program)
{
	bpf_program__set_type(program, BPF_PROG_TYPE_KPROBE);
	bpf_program__set_expected_attach_type(
		program, (enum bpf_attach_type)TRACE_UPROBE_MULTI);
}

static void add_site(struct sites *sites, const struct sdtkit_site *site)
{
	if (sites->count == MAX_SITES || site->offset == SDTKIT_NO_OFFSET)
		return;
	sites->offsets[sites->count] = site->offset;
	sites->semaphores[sites->count++] = site->semaphore != 0 ?
		site->semaphore_offset : 0;
}

static int read_sites(const char *path, const char *provider,
		      const char *name, struct sites *sites)
{
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	int ret;

	ret = sdtkit_notes_open(path, &notes);
	if (ret < 0)
		return ret;
	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret == -ENOMEM)
			break;
		if (ret > 0 && strcmp(site->probe, name) == 0 &&
		    strcmp(site->provider, provider) == 0)
			add_site(sites, site);
	}
	sdtkit_notes_close(notes);
	return sites->count > 0 ? 0 : -ENOENT;
}

int many_attach(struct bpf_program *program, const char *path,
		const char *provider, const char *name, int *link)
{
	struct link_arguments arguments;
	struct sites *sites;
	int ret;

	sites = calloc(1, sizeof(*sites));
	if (sites == NULL)
		return -ENOMEM;
	ret = read_sites(path, provider, name, sites);
	if (ret < 0)
		goto out;
	memset(&arguments, 0, sizeof(arguments));
	arguments.program = (uint32_t)bpf_program__fd(program);
	arguments.attach_type = TRACE_UPROBE_MULTI;
	arguments.path = (uintptr_t)path;
	arguments.offsets = (uintptr_t)sites->offsets;
	arguments.semaphores = (uintptr_t)sites->semaphores;
	arguments.count = sites->count;
	ret = (int)syscall(__NR_bpf, BPF_LINK_CREATE, &arguments,
			   sizeof(arguments));
	if (ret < 0) {
		ret = -errno;
		goto out;
	}
	*link = ret;
	ret = 0;
out:
	free(sites);
	return ret;
}
