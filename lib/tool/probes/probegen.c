/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs probegen, which is a program of its own. It is searched for beside this
 * program, where both an installation and a build directory have it, and then
 * in $PATH.
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

#include "common/beside.h"
#include "common/out.h"
#include "common/tool.h"
#include "probes/probegen.h"

extern char **environ;

/* Returns a path, or "probegen" if execvp(3) is to search it. */
static const char *find(void)
{
	static char path[PATH_MAX];

	return beside_path("probegen", path) &&
	       (access(path, X_OK) == 0 || errno == EACCES) ?
	       path : "probegen";
}

static void complain_not_run(const char *path, int error)
{
	tool_complain("cannot run %s: %s", path, strerror(error));
	if (error == ENOENT)
		tool_complain("probegen is searched for beside sdtkit and in "
			      "$PATH");
}

int probegen_become(char **argv)
{
	const char *path = find();

	argv[0] = (char *)path;
	out_flush();
	execvp(path, argv);
	complain_not_run(path, errno);
	return TOOL_TROUBLE;
}

/* Starts it and returns the other end of a pipe with its output, or -1. */
static int start(char **argv, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ends[2], ret;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		complain_not_run(argv[0], errno);
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
	complain_not_run(argv[0], ret);
	return -1;
}

void probegen_add_flag(struct probegen_flags *flags, int letter,
		       const char *value)
{
	char *text = tool_format("-%c%s", letter, value != NULL ? value : "");

	TOOL_GROW(flags->flag, flags->count, flags->capacity);
	flags->flag[flags->count++] = text;
}

void probegen_free_flags(struct probegen_flags *flags)
{
	while (flags->count > 0)
		free(flags->flag[--flags->count]);
	free(flags->flag);
}

/* Makes the command line. After "--", no name of a file is an option. */
static char **make_arguments(const char *path,
			     const struct probegen_flags *flags)
{
	char *before[] = { (char *)find(), "--emit", "json", "-Wno-all", "-o",
			   "-" };
	const size_t first = sizeof(before) / sizeof(before[0]);
	char **argv = tool_zeros(first + flags->count + 3, sizeof(argv[0]));

	memcpy(argv, before, sizeof(before));
	if (flags->count > 0)
		memcpy(argv + first, flags->flag,
		       flags->count * sizeof(argv[0]));
	argv[first + flags->count] = "--";
	argv[first + flags->count + 1] = (char *)path;
	return argv;
}

bool probegen_start(struct probegen *run, const char *path,
		    const struct probegen_flags *flags)
{
	char **argv = make_arguments(path, flags);
	int fd;

	*run = (struct probegen) { .path = path };
	out_flush();
	fd = start(argv, &run->pid);
	free(argv);
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

	/*
	 * The reader may have stopped early, which must not look like a crash.
	 */
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
