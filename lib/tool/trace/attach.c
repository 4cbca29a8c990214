/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asks a process for what its recorder writes; lib/record/attach.h has the
 * protocol. A process that was forked since writes to the same file, but does
 * not listen:
 *
 *	smbd 4711	listens
 *	  smbd 4720	read the file of 4711, which has its hits too
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/beside.h"
#include "common/docs.h"
#include "common/tool.h"
#include "lib/record/attach.h"
#include "lib/record/read.h"
#include "trace/attach.h"
#include "trace/tracing.h"

#define PAGE "docs/recorder.md"
#define LIBRARY "libsdtkit-recorder.so"

/* Whether there is a socket of that name: ... @sdtkit-recorder-4711 */
static bool listens(pid_t pid)
{
	char name[64], line[512];
	FILE *sockets = fopen("/proc/net/unix", "re");
	bool found = false;

	snprintf(name, sizeof(name), "@" SDTKIT_RECORD_SOCKET "\n", (int)pid);
	while (sockets != NULL && !found &&
	       fgets(line, sizeof(line), sockets) != NULL) {
		const char *at = strchr(line, '@');

		found = at != NULL && strcmp(at, name) == 0;
	}
	if (sockets != NULL)
		fclose(sockets);
	return found;
}

static bool exists(pid_t pid)
{
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (stat(path, &status) == 0)
		return true;
	tool_complain("there is no process %d; its recorder may have left a "
		      "file, see %s", (int)pid, docs_named(PAGE));
	return false;
}

/* Where the library is: in a build, or installed; or else only its name. */
static void library_path(char path[static PATH_MAX])
{
	static const char *const names[] = {
		"../record/" LIBRARY, TOOL_LIBDIR_BESIDE "/" LIBRARY,
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (beside_path(names[i], path)) {
			/* The real file has a version in its name. */
			strcpy(strrchr(path, '/') + 1, LIBRARY);
			return;
		}
	}
	strcpy(path, LIBRARY);
}

/* Whether the library is among the mappings of the process. */
static bool has_library(pid_t pid)
{
	char name[64], line[PATH_MAX + 128];
	bool found = false;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	while (maps != NULL && !found &&
	       fgets(line, sizeof(line), maps) != NULL)
		found = strstr(line, "/" LIBRARY) != NULL;
	if (maps != NULL)
		fclose(maps);
	return found;
}

static void complain_of_none(pid_t pid)
{
	char library[PATH_MAX];

	if (!tracing_is_alive(pid)) {
		tool_complain("process %d has ended; its recorder may have "
			      "left a file, see %s", (int)pid,
			      docs_named(PAGE));
		return;
	}
	if (has_library(pid)) {
		tool_complain("process %d has libsdtkit-recorder.so loaded, "
			      "but it records no events: start it with "
			      "SDTKIT_RECORDER='PROVIDER:*' in the "
			      "environment, too, and a pattern that matches "
			      "its probes",
			      (int)pid);
		return;
	}
	library_path(library);
	tool_complain("process %d has no recorder, nor has any that it was "
		      "forked from: start it with "
		      "SDTKIT_RECORDER='PROVIDER:*' LD_PRELOAD=%s, or see %s",
		      (int)pid, library, docs_named(PAGE));
}

static int begin_session(const struct tracing *tracing, int *connection)
{
	int fd;

	if (sdtkit_record_begin_session(tracing->pid, tracing->asked,
			tracing->waits ? SDTKIT_RECORD_BLOCK :
					 SDTKIT_RECORD_DISCARD,
			tracing->string_limit, connection, &fd) < 0)
		fd = -1;
	/* why it could not, or what is left out */
	if (sdtkit_record_error()[0] != '\0')
		tool_complain("process %d: %s", (int)tracing->pid,
			      sdtkit_record_error());
	return fd;
}

int tracing_attach(const struct tracing *tracing, int *connection)
{
	int fd;

	if (listens(tracing->pid))
		return begin_session(tracing, connection);
	fd = tracing_snapshot(tracing->pid);
	if (fd < 0 || strchr(tracing->asked, '/') == NULL)
		return fd;
	tool_complain("process %d: '%s': filters can only be used with the "
		      "process that opened the recorder, and only if it "
		      "listens", (int)tracing->pid,
		      tracing->asked);
	close(fd);
	return -1;
}

int tracing_snapshot(pid_t pid)
{
	int fd, ret;

	if (!exists(pid))
		return -1;
	ret = sdtkit_record_find(pid, &fd);
	if (ret == 0)
		return fd;
	if (ret == -ENOENT)
		complain_of_none(pid);
	else
		tool_complain("process %d: %s", (int)pid,
			      sdtkit_record_error());
	return -1;
}

bool tracing_has_recorder(pid_t pid)
{
	int fd, ret = listens(pid) ? 0 : sdtkit_record_find(pid, &fd);

	if (ret == 0 && !listens(pid))
		close(fd);
	return ret != -ENOENT;
}

bool tracing_is_alive(pid_t pid)
{
	return !sdtkit_record_has_ended(pid);
}
