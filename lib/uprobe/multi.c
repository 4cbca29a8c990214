/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * multi.c - attaches by links of type BPF_TRACE_UPROBE_MULTI.
 *
 * A hit costs as much as through a perf event, which libbpf uses before version
 * 1.3. There are two advantages: the cookie is ours, so that arguments are
 * cheap; and when links are closed, the kernel waits once for each of them, and
 * for several at the same time.
 *
 * The system call is made directly, because libbpf 1.0 does not know it, and
 * later versions fill in the cookies themselves.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "allowed.h"
#include "multi.h"

/* From <linux/bpf.h> of Linux 6.6: older headers do not have it. */
enum { UPROBE_MULTI = 48 };	/* BPF_TRACE_UPROBE_MULTI */

/* The member link_create of union bpf_attr. */
struct link_create {
	uint32_t prog_fd;
	uint32_t target_fd;
	uint32_t attach_type;
	uint32_t flags;
	uint64_t path __attribute__((aligned(8)));
	uint64_t offsets;
	uint64_t semaphores;		/* ref_ctr_offsets */
	uint64_t cookies;
	uint32_t count;
	uint32_t multi_flags;
	uint32_t pid;			/* 0: all processes */
	uint32_t unused;
};

static int create_link(int program, const char *path, const uint64_t *offsets,
		       const uint64_t *semaphores, const uint64_t *cookies,
		       int count)
{
	struct link_create attr = {
		.prog_fd = (uint32_t)program,
		.attach_type = UPROBE_MULTI,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)offsets,
		.semaphores = (uintptr_t)semaphores,
		.cookies = (uintptr_t)cookies,
		.count = (uint32_t)count,
	};
	long fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : (int)fd;
}

/* A program that does nothing: r0 = 0; exit. */
static int load_nothing(void)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	/* LIBBPF_OPTS() is not for clang -Wpedantic */
	struct bpf_prog_load_opts options = {
		.sz = sizeof(options),
		.expected_attach_type = (enum bpf_attach_type)UPROBE_MULTI,
	};

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "nothing", "GPL", nothing,
			     sizeof(nothing) / sizeof(nothing[0]), &options);
}

/*
 * A kernel that has them refuses this link with another error: / is not a file.
 */
bool multi_exists(void)
{
	uint64_t offset = 0;
	int program;
	int link;

	program = load_nothing();
	if (program < 0)
		return false;
	link = create_link(program, "/", &offset, NULL, NULL, 1);
	close(program);
	return link == -EBADF;
}

void multi_prepare(struct bpf_program *program)
{
	bpf_program__set_expected_attach_type(
		program, (enum bpf_attach_type)UPROBE_MULTI);
}

int multi_attach(const struct bpf_program *program, const char *path,
		 const struct uprobe_site *sites, int count)
{
	uint64_t *offsets = calloc(3 * (size_t)count + 1, sizeof(*offsets));
	uint64_t *semaphores = offsets + count;
	uint64_t *cookies = semaphores + count;
	int ret;
	int i;

	if (offsets == NULL)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		offsets[i] = sites[i].offset;
		semaphores[i] = sites[i].semaphore;
		cookies[i] = sites[i].cookie;
	}
	ret = create_link(bpf_program__fd(program), path, offsets, semaphores,
			  cookies, count);
	free(offsets);
	return ret;
}

/* The usual limit is 1024. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int multi_attach_by(const struct bpf_program *program, const char *path,
		    const struct uprobe_site *sites, int count, bool multi,
		    struct bpf_link **links)
{
	struct bpf_uprobe_opts options = { .sz = sizeof(options) };
	struct bpf_link *link;
	int i;

	if (multi)
		return multi_attach(program, path, sites, count);
	raise_limit();
	for (i = 0; i < count; i++) {
		options.ref_ctr_offset = sites[i].semaphore;
		options.bpf_cookie = sites[i].cookie;
		link = bpf_program__attach_uprobe_opts(program, -1, path,
						       sites[i].offset,
						       &options);
		if (link == NULL)
			return -errno;
		if (links != NULL)
			links[i] = link;
	}
	return 0;
}

/* Whether the kernel tells its types, without which no program can be loaded. */
static bool has_types(void)
{
	struct btf *btf = btf__load_vmlinux_btf();

	btf__free(btf);
	return btf != NULL;
}

/*
 * Linux 5.10 was tried, and refuses the programs; 6.1 was tried, and takes
 * those of tsmbd and of sdtkit top. Nothing between them was.
 */
const char *multi_failure(const char *file, int error)
{
	static char text[PATH_MAX + 128];

	if (error != -EINVAL)
		return strerror(-error);
	snprintf(text, sizeof(text), "%s: see 'sdtkit check %s'",
		 strerror(-error), file);
	return text;
}

const char *multi_refused(const char *variable)
{
	static char text[160];
	struct utsname kernel;
	int major, minor;

	if (!has_types())
		return "it was built without BTF (CONFIG_DEBUG_INFO_BTF), "
		       "which they need";
	if (uname(&kernel) == 0 &&
	    sscanf(kernel.release, "%d.%d", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor < 1)))
		snprintf(text, sizeof(text), "this is Linux %d.%d, and the "
			 "first that is known to take them is 6.1; "
			 "set %s=1 in the environment to see why",
			 major, minor, variable);
	else
		snprintf(text, sizeof(text),
			 "set %s=1 in the environment to see why", variable);
	return text;
}

const char *multi_load_failure(const char *command, int error,
			       const char *variable)
{
	static char text[ALLOWED_TEXT + 64];
	char why[ALLOWED_TEXT];

	if (error == -EPERM)
		allowed_advise(command, why);
	if (!allowed_to_trace(command, why) || error == -EPERM)
		snprintf(text, sizeof(text), "not permitted to trace: %s", why);
	else
		snprintf(text, sizeof(text), "the kernel refuses the BPF "
			 "programs: %s; %s", strerror(-error),
			 multi_refused(variable));
	return text;
}
