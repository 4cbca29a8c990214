/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds out the version of bpftrace, and becomes it, see run.h.
 *
 * This program is replaced by bpftrace, so that signals, the terminal and the
 * exit status are bpftrace's own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bt/run.h"
#include "common/out.h"
#include "common/tool.h"
#include "lib/uprobe/allowed.h"

extern char **environ;

enum {
	/* The kernel takes an argument of 128 KiB. */
	ARGUMENT_MAX = 100 * 1024,
	/* bpftrace attaches to so many probes unless told otherwise. */
	PROBES_DEFAULT = 512,
};

static const char *command(void)
{
	const char *name = getenv("BPFTRACE");

	return name != NULL && name[0] != '\0' ? name : "bpftrace";
}

static int complain_not_run(int error)
{
	if (error == ENOENT)
		tool_complain("cannot run %s: it is not installed; install the "
			      "package bpftrace, or set BPFTRACE to its path; "
			      "--print works without it", command());
	else
		tool_complain("cannot run %s: %s", command(), strerror(error));
	return error == ENOENT ? BT_NOT_FOUND : BT_NOT_RUN;
}

bool run_parse_version(const char *text, struct dialect *dialect)
{
	unsigned int major, minor;

	if (sscanf(text + (text[0] == 'v'), "%u.%u", &major, &minor) != 2)
		return false;
	*dialect = dialect_of(major, minor);
	return true;
}

/* Starts "bpftrace --version"; returns 0 or an error number. */
static int start_version(int output, pid_t *pid)
{
	char *arguments[] = { (char *)command(), (char *)"--version", NULL };
	posix_spawn_file_actions_t actions;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	ret = posix_spawnp(pid, command(), &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

/* Reads to the end, so that it is not ended by SIGPIPE. */
static void read_said(int fd, char *said, size_t size)
{
	size_t length = 0;
	char rest[256];
	ssize_t ret;

	do {
		bool full = length + 1 >= size;

		ret = read(fd, full ? rest : said + length,
			   full ? sizeof(rest) : size - 1 - length);
		if (ret > 0 && !full)
			length += (size_t)ret;
	} while (ret > 0 || (ret < 0 && errno == EINTR));
	said[length] = '\0';
}

int run_read_version(struct dialect *dialect, bool complain)
{
	char said[1024], *at;
	int ends[2], ret, status = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return complain_not_run(errno);
	ret = start_version(ends[1], &pid);
	close(ends[1]);
	if (ret == 0) {
		read_said(ends[0], said, sizeof(said));
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(ends[0]);
	if (ret != 0)
		return complain ? complain_not_run(ret) : BT_NOT_FOUND;
	at = strstr(said, "bpftrace v");
	if (at != NULL && run_parse_version(at + strlen("bpftrace "), dialect))
		return 0;
	said[strcspn(said, "\n")] = '\0';
	if (complain)
		tool_complain("'%s --version' does not tell a version: %s",
			      command(), said[0] != '\0' ? said : "no output");
	return BT_NOT_RUN;
}

/* A long script is in a file without a name, which bpftrace inherits. */
static bool write_file(const char *script, char *path, size_t size)
{
	size_t length = strlen(script), done = 0;
	int fd = memfd_create("script", 0);

	while (fd >= 0 && done < length) {
		ssize_t ret = write(fd, script + done, length - done);

		if (ret < 0 && errno != EINTR)
			return false;
		done += ret > 0 ? (size_t)ret : 0;
	}
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;
}

static void allow_probes(size_t probes)
{
	char number[32];

	if (probes < PROBES_DEFAULT)
		return;
	snprintf(number, sizeof(number), "%zu", probes + PROBES_DEFAULT);
	setenv("BPFTRACE_MAX_PROBES", number, 0);
}

/* Only of the bpftrace that is found: another may be one that gets them. */
static bool is_refused(void)
{
	char text[ALLOWED_TEXT];

	if (getenv("BPFTRACE") != NULL || allowed_to_trace("sdtkit bt", text))
		return false;
	tool_complain("not permitted to trace: %s; --print needs no "
		      "permission", text);
	return true;
}

/* False, too, if this user may not see it. */
static bool is_missing(const char *path)
{
	return access(path, F_OK) < 0 && errno == ENOENT;
}

/*
 * Up to 0.23 it detaches through bcc, which wants a file of tracefs for that,
 * although the probe is not there.
 */
static void explain_detaching(const struct dialect *dialect)
{
	if (!dialect->has_libbpf &&
	    is_missing("/sys/kernel/tracing/uprobe_events") &&
	    is_missing("/sys/kernel/debug/tracing/uprobe_events"))
		tool_complain("tracefs is not mounted, so bpftrace will say "
			      "'failed to detach probe' at the end; what it "
			      "traces is right, and 'mount -t tracefs tracefs "
			      "/sys/kernel/tracing' ends that message");
}

int run_bpftrace(const struct dialect *dialect, const char *script,
		 size_t probes, char **arguments)
{
	size_t count = 0, used = 0;
	char path[64];
	char **all;

	if (is_refused())
		return BT_NOT_RUN;
	while (arguments[count] != NULL)
		count++;
	all = tool_zeros(count + 4, sizeof(*all));
	all[used++] = (char *)command();
	if (strlen(script) < ARGUMENT_MAX) {
		all[used++] = (char *)"-e";
		all[used++] = (char *)script;
	} else if (write_file(script, path, sizeof(path))) {
		all[used++] = path;
	} else {
		free(all);
		return complain_not_run(errno);
	}
	memcpy(all + used, arguments, count * sizeof(*all));
	allow_probes(probes);
	explain_detaching(dialect);
	out_begin();
	out_flush();
	execvp(all[0], all);
	free(all);
	return complain_not_run(errno);
}
