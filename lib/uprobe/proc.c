/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.c - state, parent, name and program of a process.
 *
 * A line of /proc/PID/stat, of which the name may hold anything:
 *
 *	4711 (smbd) S 4700 4700 4700 0 -1 4194624 ...
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/grow.h"
#include "proc.h"

/* Does not use stdio: this runs for every process of the machine. */
static int read_text(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t got;
	int error;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	error = errno;
	close(fd);
	if (got < 0)
		return -error;
	text[got] = '\0';
	return 0;
}

int proc_read(pid_t pid, struct proc *proc)
{
	char text[512];
	char *behind;
	int parent;
	int ret;

	ret = read_text(pid, "stat", text, sizeof(text));
	if (ret < 0)
		return ret;
	behind = strrchr(text, ')');
	if (behind == NULL ||
	    sscanf(behind, ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u "
		   "%*u %*d %*d %*d %*d %d %*d %llu", &proc->state, &parent,
		   &proc->threads, &proc->start) != 4)
		return -ESRCH;
	proc->parent = parent;
	return 0;
}

bool proc_is_zombie(const struct proc *proc)
{
	return (proc->state == 'Z' || proc->state == 'X') && proc->threads <= 1;
}

bool proc_is_gone(pid_t pid)
{
	struct proc proc;
	int ret = proc_read(pid, &proc);

	return ret == -ENOENT || ret == -ESRCH ||
	       (ret == 0 && proc_is_zombie(&proc));
}

int proc_children(pid_t pid, pid_t **children)
{
	pid_t *list = NULL;
	size_t capacity = 0;
	char path[64];
	int count = 0;
	FILE *file;
	int child;

	*children = NULL;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid,
		 (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	while (fscanf(file, "%d", &child) == 1) {
		if (sdtkit_grow(&list, (size_t)count, &capacity,
				sizeof(*list)) < 0) {
			free(list);
			fclose(file);
			return -ENOMEM;
		}
		list[count++] = child;
	}
	fclose(file);
	*children = list;
	return count;
}

int proc_all(pid_t **pids)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	size_t capacity = 0;
	int count = 0;

	*pids = NULL;
	if (dir == NULL)
		return -errno;
	while (count >= 0 && (entry = readdir(dir)) != NULL) {
		if (atoi(entry->d_name) == 0)
			continue;
		if (sdtkit_grow(pids, (size_t)count, &capacity,
				sizeof(**pids)) < 0)
			count = -ENOMEM;
		else
			(*pids)[count++] = (pid_t)atoi(entry->d_name);
	}
	closedir(dir);
	return count;
}

int proc_link(int directory, const char *name, char *text, size_t size)
{
	ssize_t got = readlinkat(directory, name, text, size - 1);

	if (got < 0)
		return -errno;
	text[got] = '\0';
	return (int)got;
}

void proc_program(pid_t pid, char path[PATH_MAX])
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	if (proc_link(AT_FDCWD, link, path, PATH_MAX) < 0)
		path[0] = '\0';
}

/* smbd changes the name of its process, so the file is compared as well. */
bool proc_has_name(pid_t pid, const char *name)
{
	char path[PATH_MAX];
	char comm[64];
	char *base;

	if (read_text(pid, "comm", comm, sizeof(comm)) == 0) {
		comm[strcspn(comm, "\n")] = '\0';
		if (strcmp(comm, name) == 0)
			return true;
	}
	proc_program(pid, path);
	base = strstr(path, " (deleted)");
	if (base != NULL)
		*base = '\0';
	base = strrchr(path, '/');
	return base != NULL && strcmp(base + 1, name) == 0;
}
