/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prepares the memory that COMMAND shares (lib/trace/control.h), and an
 * environment that brings the library into COMMAND.
 *
 *	LD_PRELOAD=/usr/lib/x86_64-linux-gnu/sdtkit/libsdtkit-trace.so
 *	SDTKIT_TRACE=/proc/4710/fd/5
 *
 * The files in memory have no names, so that they are gone with the last process
 * that has them, however that ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/record/create.h"
#include "lib/record/read.h"
#include "lib/trace/control.h"
#include "lib/trace/where.h"
#include "trace/setup.h"
#include "trace/tracing.h"

enum {
	/*
	 * A ring for each thread that has hits, in memory that comes with them;
	 * those of threads that have ended are used again.
	 */
	RINGS = 2048,
	/* With rings of 64 KiB, busy threads wait for the reader most of the time. */
	RING_SIZE = 256 << 10,
	/* What the file has beside rings, at most. */
	OTHERS = SDTKIT_RECORD_TEXTS + (1 << 20),
};

/*
 * Where the library may be, relative to this program: in a build, installed, or
 * in the configured directory.
 */
static const char *const libraries[] = {
	"../trace/libsdtkit-trace.so",
	TOOL_TRACE_BESIDE,
	TOOL_TRACE_INSTALLED,
};

/*
 * The size is sealed, so that no process that has mapped the file is surprised.
 */
static struct sdtkit_trace_control *make_control(int *fd)
{
	size_t size = sizeof(struct sdtkit_trace_control);
	void *map;

	*fd = memfd_create(SDTKIT_TRACE_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0 || ftruncate(*fd, (off_t)size) < 0 ||
	    fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) < 0)
		return NULL;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return map != MAP_FAILED ? map : NULL;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How much a file may have: a part of what a limit allows, or that size. */
static uint64_t within(uint64_t size, int resource, unsigned int part)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return size;
	return least(limit.rlim_cur / part, size);
}

/*
 * All, but where files may not be that large (ulimit -f), or addresses are
 * scarce (ulimit -v): the programs that are traced need some, too.
 */
static uint64_t size_of_rings(void)
{
	const uint64_t each = RING_SIZE + sizeof(struct sdtkit_record_ring);
	uint64_t size = within(RINGS * each + OTHERS, RLIMIT_FSIZE, 1);

	size = within(size, RLIMIT_AS, 4);
	return size > OTHERS + each ? size - OTHERS : each;
}

/* Opens the reader, and returns the descriptor of the record, or -1. */
static int make_record(const struct tracing *tracing,
		       struct sdtkit_record_reader **reader)
{
	const struct sdtkit_record_settings settings = {
		.size = size_of_rings(),
		.ring_size = RING_SIZE,
		.mode = SDTKIT_RECORD_BLOCK,
		.string_limit = tracing->string_limit,
		.patience_ms = tracing->patience_ms,
		.content = tracing->count ? SDTKIT_RECORD_NAMES :
					    SDTKIT_RECORD_GUESSES,
		.pid_namespace = sdtkit_where_numbers(),
		.patterns = tracing->asked,
	};
	struct sdtkit_record_output record;

	if (sdtkit_record_create(&settings, &record) < 0)
		return -1;
	if (sdtkit_record_open(record.descriptor.fd, SDTKIT_RECORD_FOLLOW,
			       reader) < 0)
		return -1;
	return record.descriptor.fd;
}

static void give_orders(const struct tracing *tracing, int record,
			struct sdtkit_trace_orders *orders)
{
	orders->version = SDTKIT_TRACE_VERSION;
	orders->record = record;
	orders->filters = sdtkit_where_filters();
	orders->string_limit = tracing->string_limit;
	orders->no_children = tracing->no_children;
	snprintf(orders->patterns, sizeof(orders->patterns), "%s",
		 tracing->asked);
}

/*
 * The program will execute the library: it has to belong to root, to the user,
 * or to the owner of this program. In /tmp, anybody could have put a library
 * beside it.
 */
static bool is_trusted(const char *path, const char *own)
{
	struct stat library, program;

	return stat(path, &library) == 0 && stat(own, &program) == 0 &&
	       (library.st_uid == 0 || library.st_uid == geteuid() ||
		library.st_uid == program.st_uid);
}

/* Finds the real path. Returns 0, or an error; EPERM: it has another owner. */
static int try_library(const char *way, char *path)
{
	if (realpath(way, path) == NULL)
		return errno;
	if (!is_trusted(path, "/proc/self/exe"))
		return EPERM;
	return access(path, R_OK) == 0 ? 0 : errno;
}

static void complain_of_library(const char *path, int error)
{
	if (error == EPERM)
		tool_complain("%s: this library belongs to another user, so "
			      "it is not loaded", path);
	else if (error != 0)
		tool_complain("%s: %s", path, strerror(error));
	else
		tool_complain("libsdtkit-trace.so was not found: it should be "
			      TOOL_TRACE_INSTALLED);
}

/* False after a complaint. */
static bool find_library(char *path)
{
	char own[PATH_MAX], bad[PATH_MAX] = "", *way;
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	int error = ENOENT, worst = 0;
	size_t i;

	own[length > 0 ? length : 0] = '\0';
	if (strrchr(own, '/') != NULL)
		*strrchr(own, '/') = '\0';
	for (i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		bool absolute = libraries[i][0] == '/';

		if (asprintf(&way, "%s%s%s", absolute ? "" : own,
			     absolute ? "" : "/", libraries[i]) < 0)
			tool_no_memory();
		error = try_library(way, path);
		/*
		 * An error of a library that exists tells more than a missing
		 * one.
		 */
		if (error != 0 && error != ENOENT && worst == 0) {
			snprintf(bad, sizeof(bad), "%s", way);
			worst = error;
		}
		free(way);
		if (error == 0)
			return true;
	}
	complain_of_library(bad, worst);
	return false;
}

static void set_library(const char *library)
{
	const char *others = getenv("LD_PRELOAD");
	char *value;

	if (others == NULL || others[0] == '\0') {
		setenv("LD_PRELOAD", library, true);
		return;
	}
	if (asprintf(&value, "%s:%s", library, others) < 0)
		tool_no_memory();
	setenv("LD_PRELOAD", value, true);
	free(value);
}

static bool is_loadable(const char *path)
{
	return strpbrk(path, " :") == NULL;
}

static char link_folder[PATH_MAX], link_path[PATH_MAX];

static void remove_link(void)
{
	unlink(link_path);
	rmdir(link_folder);
}

/*
 * The loader ends a path in LD_PRELOAD at a blank or a colon. A library whose
 * path has such a character is reached by a symbolic link, in a directory that
 * nobody else can write to.
 */
static bool make_loadable(char *library)
{
	const char *parent = getenv("TMPDIR");

	if (is_loadable(library))
		return true;
	if (parent == NULL || parent[0] != '/' || !is_loadable(parent))
		parent = "/tmp";
	snprintf(link_folder, sizeof(link_folder), "%s/sdtkit-XXXXXX", parent);
	/* Programs that run as other users load it too. */
	if (mkdtemp(link_folder) == NULL || chmod(link_folder, 0755) < 0 ||
	    snprintf(link_path, sizeof(link_path), "%s/libsdtkit-trace.so",
		     link_folder) >= (int)sizeof(link_path) ||
	    symlink(library, link_path) < 0) {
		tool_complain("cannot make a link to %s in %s: %s", library,
			      parent, strerror(errno));
		remove_link();
		return false;
	}
	atexit(remove_link);
	strcpy(library, link_path);
	return true;
}

static bool set_environment(int fd)
{
	char library[PATH_MAX], control[64];

	if (access("/proc/self/exe", F_OK) < 0) {
		tool_complain("/proc/self/exe: %s: is /proc mounted?",
			      strerror(errno));
		return false;
	}
	if (!find_library(library) || !make_loadable(library))
		return false;
	set_library(library);
	snprintf(control, sizeof(control), "/proc/%d/fd/%d", (int)getpid(),
		 fd);
	setenv("SDTKIT_TRACE", control, true);
	return true;
}

struct sdtkit_trace_control *
tracing_set_up(const struct tracing *tracing,
	       struct sdtkit_record_reader **reader)
{
	struct sdtkit_trace_control *control;
	int fd, record;

	control = make_control(&fd);
	if (control == NULL) {
		tool_complain("cannot allocate shared memory for hits: %s",
			      strerror(errno));
		return NULL;
	}
	record = make_record(tracing, reader);
	if (record < 0) {
		tool_complain("cannot allocate shared memory for hits: %s",
			      sdtkit_record_error());
		return NULL;
	}
	give_orders(tracing, record, &control->orders);
	return set_environment(fd) ? control : NULL;
}
