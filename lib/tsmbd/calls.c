/* SPDX-License-Identifier: BSD-2-Clause */
/* calls.c - the kinds of system calls. */
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "names.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

/* Calls that this machine does not have are left out. */
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

/* Those that an smbd makes for each file that a client writes. */
static const char frequent[] =
	"fcntl recvmsg newfstatat sendmsg fgetxattr openat close getdents64 "
	"read openat2 fsetxattr utimensat futex pread64 pwrite64 geteuid "
	"getegid setresuid setresgid setgroups fstat statx readv writev poll "
	"epoll_ctl unlinkat lseek ftruncate fallocate fstatfs getxattr";

enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]), MAX_NAME = 32 };

/* Takes the first word of a list; returns the rest, or NULL. */
static const char *next_call(const char *list, int *number)
{
	size_t len = strcspn(list, " ");
	char name[MAX_NAME];

	if (len == 0)
		return NULL;
	snprintf(name, MAX_NAME, "%.*s", (int)len, list);
	*number = call_by_name(name);
	return list + len + strspn(list + len, " ");
}

/* Gives each call an index; the calls of the list have the first ones. */
static void set_indexes(unsigned short known[TSMBD_SYSCALLS])
{
	bool has_index[TSMBD_SYSCALLS] = { false };
	const char *list = frequent;
	unsigned int index = 0;
	int number;

	while ((list = next_call(list, &number)) != NULL) {
		if (number < 0)
			continue;
		has_index[number] = true;
		known[number] = (unsigned short)tsmbd_known(TSMBD_CALL_OTHER,
							    index++);
	}
	for (number = 0; number < TSMBD_SYSCALLS; number++) {
		if (!has_index[number])
			known[number] = (unsigned short)tsmbd_known(
				TSMBD_CALL_OTHER, index++);
	}
}

void calls_configure(struct tsmbd *skel)
{
	unsigned short *known = skel->rodata->known_calls;
	const char *list;
	int number;
	int i;

	set_indexes(known);
	for (i = 0; i < NUM_KINDS; i++) {
		list = kinds[i].names;
		while ((list = next_call(list, &number)) != NULL) {
			if (number >= 0)
				known[number] = (unsigned short)tsmbd_known(
					kinds[i].kind,
					tsmbd_known_index(known[number]));
		}
	}
}

unsigned int calls_index(const struct tsmbd *skel, unsigned int number)
{
	return tsmbd_known_index(skel->rodata->known_calls[number]);
}

/* proc(5), syscall: "232 0x5 0x7ffe8f6e1a40 0x1 ...", or "running". */
bool calls_waits(const struct tsmbd *skel, unsigned int pid, unsigned int *loop)
{
	unsigned int number = TSMBD_SYSCALLS;
	char path[64];
	FILE *file;
	int count;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/syscall", pid, pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	count = fscanf(file, "%u %x", &number, loop);
	fclose(file);
	return count == 2 && number < TSMBD_SYSCALLS &&
	       tsmbd_known_kind(skel->rodata->known_calls[number]) ==
	       TSMBD_CALL_WAIT;
}
