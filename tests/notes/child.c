/* SPDX-License-Identifier: BSD-2-Clause */
/* See child.h. An unexpected failure ends the test program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "child.h"

static void copy_library(char *path)
{
	char block[4096];
	FILE *from = fopen(test_argument, "rb");
	FILE *to = fopen(path, "wb");
	size_t size;

	if (from == NULL || to == NULL)
		abort();
	while ((size = fread(block, 1, sizeof(block), from)) > 0)
		fwrite(block, 1, size, to);
	fclose(from);
	if (fclose(to) != 0)
		abort();
}

/*
 * Sets the semaphore of a copy that was loaded; returns the address of its
 * site, or 0 if handle is NULL.
 */
static uint64_t load(void *handle, unsigned short value)
{
	void (*set)(unsigned short) = NULL;

	if (handle == NULL)
		return 0;
	*(void **)&set = dlsym(handle, "traced_set");
	set(value);
	return (uint64_t)(uintptr_t)dlsym(handle, "traced_site");
}

/* Copies the library into a directory that no other process sees. */
static void hide(char *path)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/mnt", "tmpfs", 0, NULL) < 0)
		_exit(1);
	strcpy(path, "/mnt/hidden.so");
	copy_library(path);
}

static void be_child(struct child *child, enum child_kind kind, int ready)
{
	if (kind == CHILD_HIDDEN)
		hide(child->path);
	child->sites[0] = load(dlopen(child->path, RTLD_NOW), 3);
#ifdef LM_ID_NEWLM
	if (kind == CHILD_TWICE)
		child->sites[1] = load(dlmopen(LM_ID_NEWLM, child->path,
					       RTLD_NOW), 0x405);
#endif
	if (kind == CHILD_DELETED)
		unlink(child->path);
	if (kind == CHILD_REPLACED) {
		char other[sizeof(child->path) + 2];

		snprintf(other, sizeof(other), "%s.2", child->path);
		copy_library(other);
		rename(other, child->path);
	}
	if (write(ready, child, sizeof(*child)) != sizeof(*child))
		_exit(1);
	for (;;)
		pause();
}

void child_end(const struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	unlink(child->path);
}

/*
 * Waits until the child has loaded the library and reads what it tells; returns
 * false if it ends before.
 */
static bool hear(int ready, struct child *told)
{
	ssize_t got = read(ready, told, sizeof(*told));

	close(ready);
	return got == sizeof(*told) && told->sites[0] != 0;
}

bool child_start(struct child *child, enum child_kind kind)
{
	const char *directory = getenv("TMPDIR");
	struct child told = { .pid = 0 };
	int ready[2];
	bool good;

	*child = (struct child) { .pid = 0 };
	snprintf(child->path, sizeof(child->path), "%s/sdtkit-traced-XXXXXX",
		 directory != NULL ? directory : "/tmp");
	close(mkstemp(child->path));
	copy_library(child->path);
	if (pipe(ready) < 0)
		abort();
	child->pid = fork();
	if (child->pid == 0)
		be_child(child, kind, ready[1]);
	close(ready[1]);
	good = hear(ready[0], &told) &&
	       (kind != CHILD_TWICE || told.sites[1] != 0);
	/*
	 * Removes the copy that was made here, if the child has loaded another
	 * one, which is hidden.
	 */
	if (!good || strcmp(told.path, child->path) != 0)
		unlink(child->path);
	told.pid = child->pid;
	if (good)
		*child = told;
	else
		child_end(child);
	return good;
}
