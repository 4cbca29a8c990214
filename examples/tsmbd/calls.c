/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.c - which system calls are what, and where the programs for them run.
 */
#include <stdio.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "calls.h"
#include "names.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

/* Those that a machine does not have are left out. */
static const struct {
	enum tsmbd_call_kind kind;
	const char *names;
} kinds[] = {
	{ TSMBD_CALL_WAIT, "epoll_wait epoll_pwait epoll_pwait2" },
	{ TSMBD_CALL_READ, "pread64 preadv preadv2 sendfile sendfile64" },
	{ TSMBD_CALL_WRITE, "pwrite64 pwritev pwritev2" },
	{ TSMBD_CALL_FCNTL, "fcntl fcntl64" },
	{ TSMBD_CALL_LOCK, "flock futex futex_time64" },
	{ TSMBD_CALL_FILE,
	  "open openat openat2 creat close read write readv writev "
	  "open_by_handle_at name_to_handle_at copy_file_range splice ioctl "
	  "stat lstat fstat newfstatat fstatat64 stat64 lstat64 fstat64 statx "
	  "access faccessat faccessat2 getdents getdents64 lseek _llseek" },
	{ TSMBD_CALL_FILE,
	  "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link "
	  "linkat symlink symlinkat readlink readlinkat mknod mknodat chdir "
	  "fchdir getcwd chmod fchmod fchmodat chown fchown lchown fchownat "
	  "utimensat utimensat_time64 truncate ftruncate truncate64 "
	  "ftruncate64 fallocate fsync fdatasync sync_file_range statfs "
	  "fstatfs statfs64 fstatfs64 quotactl quotactl_fd" },
	{ TSMBD_CALL_FILE,
	  "getxattr lgetxattr fgetxattr setxattr lsetxattr fsetxattr "
	  "listxattr llistxattr flistxattr removexattr lremovexattr "
	  "fremovexattr" },
};

enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]), MAX_NAME = 32 };

/* The first word of a list; returns what is behind it, or NULL. */
static const char *next_name(const char *list, char name[MAX_NAME])
{
	size_t len = strcspn(list, " ");

	if (len == 0)
		return NULL;
	snprintf(name, MAX_NAME, "%.*s", (int)len, list);
	return list + len + strspn(list + len, " ");
}

void calls_configure(struct tsmbd *skel)
{
	char name[MAX_NAME];
	const char *list;
	int number;
	int i;

	for (i = 0; i < NUM_KINDS; i++) {
		list = kinds[i].names;
		while ((list = next_name(list, name)) != NULL) {
			number = call_by_name(name);
			if (number >= 0)
				skel->rodata->call_kind[number] =
					(unsigned char)kinds[i].kind;
		}
	}
}

void calls_choose(struct tsmbd *skel, bool all)
{
	bpf_program__set_autoload(skel->progs.call_enter, all);
	bpf_program__set_autoload(skel->progs.call_exit, all);
	bpf_program__set_autoload(skel->progs.disk_enter, !all);
	bpf_program__set_autoload(skel->progs.disk_exit, !all);
}

static int attach_one(struct bpf_program *program, const char *format,
		      const char *name, struct bpf_link **links)
{
	char tracepoint[MAX_NAME + 16];
	struct bpf_link *link;

	snprintf(tracepoint, sizeof(tracepoint), format, name);
	link = bpf_program__attach_tracepoint(program, "syscalls", tracepoint);
	if (link == NULL)
		return 0;
	*links = link;
	return 1;
}

/* What the kernel has no tracepoint for it has no system call for. */
static int attach_disk(struct tsmbd *skel, struct bpf_link **links)
{
	char name[MAX_NAME];
	const char *list;
	int count = 0;
	int i;

	for (i = 0; i < NUM_KINDS; i++) {
		if (kinds[i].kind != TSMBD_CALL_READ &&
		    kinds[i].kind != TSMBD_CALL_WRITE)
			continue;
		list = kinds[i].names;
		while ((list = next_name(list, name)) != NULL) {
			count += attach_one(skel->progs.disk_enter,
					    "sys_enter_%s", name,
					    links + count);
			count += attach_one(skel->progs.disk_exit,
					    "sys_exit_%s", name,
					    links + count);
		}
	}
	return count;
}

int calls_attach(struct tsmbd *skel, bool all, struct bpf_link **links)
{
	if (!all)
		return attach_disk(skel, links);
	links[0] = bpf_program__attach(skel->progs.call_enter);
	if (links[0] == NULL)
		return 0;
	links[1] = bpf_program__attach(skel->progs.call_exit);
	return links[1] != NULL ? 2 : 0;
}
