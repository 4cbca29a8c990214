/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Running probegen, which is a program of its own.  It is looked for beside
 * this one, where both the installation and the build directory have it, and
 * then in $PATH.
 *
 *	/usr/bin/sdtkit, /usr/bin/probegen
 *	build/lib/tool/sdtkit, build/lib/tool/probegen
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "out.h"
#include "probegen.h"
#include "tool.h"

extern char **environ;

/* "probegen" lets execvp(3) look for it. */
static const char *find(void)
{
	static char path[PATH_MAX + sizeof("/probegen")];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
	char *name;

	if (length > 0) {
		path[length] = '\0';
		name = strrchr(path, '/');
		if (name != NULL) {
			strcpy(name, "/probegen");
			if (access(path, X_OK) == 0)
				return path;
		}
	}
	return "probegen";
}

static void complain_not_run(int error)
{
	tool_complain("cannot run probegen: %s", strerror(error));
	if (error == ENOENT)
		tool_complain("it is looked for beside this program and in "
			      "$PATH");
}

int probegen_become(char **argv)
{
	const char *path = find();

	argv[0] = (char *)path;
	out_flush();
	execvp(path, argv);
	complain_not_run(errno);
	return TOOL_TROUBLE;
}

/* Starts it with its output in a pipe, whose other end is returned, or -1. */
static int start(char **argv, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ends[2], ret;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		complain_not_run(errno);
		return -1;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	ret = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (ret == 0)
		return ends[0];
	close(ends[0]);
	complain_not_run(ret);
	return -1;
}

bool probegen_start(struct probegen *run, const char *path)
{
	/* "--" so that no name of a file is an option. */
	char *argv[] = { (char *)find(), "--emit", "json", "-Wno-all", "-o",
			 "-", "--", (char *)path, NULL };
	int fd;

	*run = (struct probegen) { .path = path };
	out_flush();
	fd = start(argv, &run->pid);
	if (fd < 0)
		return false;
	run->output = fdopen(fd, "r");
	if (run->output == NULL)
		tool_no_memory();
	return true;
}

bool probegen_finish(struct probegen *run)
{
	int status;

	/* Whoever reads it may have had enough, but it is no crash then. */
	while (getc(run->output) != EOF)
		;
	fclose(run->output);
	while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status))
		tool_complain("%s: probegen was killed by signal %d",
			      run->path, WTERMSIG(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
