/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes: the probes of children that have loaded a library, whose file is
 * then read through /proc. argument is that library, see traced.c.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "../cmocka_all.h"
#include "sdtkit/notes.h"

/* Goes to the next object whose path begins like this. */
static const struct sdtkit_object *find(struct sdtkit_process *process,
					const char *path)
{
	const struct sdtkit_object *object;
	int ret;

	while ((ret = sdtkit_process_next(process, &object)) > 0) {
		if (strncmp(object->path, path, strlen(path)) == 0)
			return object;
	}
	assert_int_equal(ret, 0);
	return NULL;
}

static struct sdtkit_process *open_child(const struct child *child)
{
	struct sdtkit_process *process = NULL;

	if (sdtkit_process_open(child->pid, &process) < 0)
		fail_msg("%s", sdtkit_notes_error());
	return process;
}

/*
 * Checks that the present object has one site, with this address and semaphore.
 */
static void check_site(struct sdtkit_process *process, uint64_t address,
		       uint16_t expected)
{
	const struct sdtkit_notes_info *info;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	uint16_t value = 0;

	if (sdtkit_process_notes(process, &notes) < 0)
		fail_msg("%s", sdtkit_notes_error());
	info = sdtkit_notes_info(notes);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	assert_string_equal(site->provider, "traced");
	assert_int_equal(site->address + info->bias, address);
	assert_int_equal(sdtkit_process_semaphore(process, notes, site, &value),
			 0);
	assert_int_equal(value, expected);
	assert_int_equal(sdtkit_notes_next(notes, &site), 0);
	sdtkit_notes_close(notes);
}

TEST(test_process__semaphore)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct child child;
	struct stat st;

	assert_true(child_start(&child, CHILD_PLAIN));
	process = open_child(&child);
	object = find(process, child.path);
	assert_non_null(object);
	assert_string_equal(object->path, child.path);
	assert_false(object->deleted);
	assert_int_equal(stat(child.path, &st), 0);
	assert_int_equal(object->inode, st.st_ino);
	assert_in_range(child.sites[0], object->start, object->end - 1);
	check_site(process, child.sites[0], 3);
	assert_null(find(process, child.path));
	sdtkit_process_close(process);
	child_end(&child);
}

/* The program and the C library are objects; a mapped file of data is not. */
TEST(test_process__objects)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	char self[PATH_MAX] = "";
	bool found_self = false, found_libc = false;

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	assert_int_equal(sdtkit_process_open(getpid(), &process), 0);
	while (sdtkit_process_next(process, &object) > 0) {
		struct sdtkit_notes *notes;

		found_self |= strcmp(object->path, self) == 0;
		found_libc |= strstr(object->path, "libc") != NULL;
		assert_int_equal(object->path[0], '/');
		if (sdtkit_process_notes(process, &notes) < 0)
			fail_msg("%s: %s", object->path, sdtkit_notes_error());
		sdtkit_notes_close(notes);
	}
	assert_true(found_self);
	assert_true(found_libc);
	sdtkit_process_close(process);
}

/* Whether this user may follow the links in /proc/PID/map_files. */
static bool can_follow_map_files(void)
{
	DIR *directory = opendir("/proc/self/map_files");
	struct dirent *entry;
	int fd = -1;

	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		fd = openat(dirfd(directory), entry->d_name, O_RDONLY);
		break;
	}
	if (fd >= 0)
		close(fd);
	if (directory != NULL)
		closedir(directory);
	return fd >= 0;
}

/* A file that was deleted can be read only with that right. */
TEST(test_process__deleted)
{
	enum child_kind ways[] = { CHILD_DELETED, CHILD_REPLACED };
	size_t i;

	for (i = 0; i < ROWS(ways); i++) {
		const struct sdtkit_object *object;
		struct sdtkit_process *process;
		struct sdtkit_notes *notes;
		struct child child;
		int ret;

		assert_true(child_start(&child, ways[i]));
		process = open_child(&child);
		object = find(process, child.path);
		assert_non_null(object);
		assert_string_equal(object->path, child.path);
		assert_true(object->deleted);
		ret = sdtkit_process_notes(process, &notes);
		if (ret == 0) {
			sdtkit_notes_close(notes);
			check_site(process, child.sites[0], 3);
		} else {
			assert_false(can_follow_map_files());
			assert_int_equal(ret, -EPERM);
			assert_non_null(strstr(sdtkit_notes_error(),
					       "was deleted or replaced"));
		}
		sdtkit_process_close(process);
		child_end(&child);
		if (ret < 0)
			unavailable("the file's name could not be had");
	}
}

TEST(test_process__mount_namespace)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct child child;

	if (!child_start(&child, CHILD_HIDDEN))
		unavailable("no mount namespace of one's own");
	process = open_child(&child);
	object = find(process, child.path);
	assert_non_null(object);
	assert_int_equal(access(object->path, F_OK), -1);
	check_site(process, child.sites[0], 3);
	sdtkit_process_close(process);
	child_end(&child);
}

/* A file that is loaded twice is two objects, each with its own semaphores. */
TEST(test_process__loaded_twice)
{
	struct sdtkit_process *process;
	struct child child;
	int i, seen = 0;

	if (!child_start(&child, CHILD_TWICE))
		unavailable("no second copy of a library");
	process = open_child(&child);
	for (i = 0; i < 2; i++) {
		const struct sdtkit_object *object = find(process, child.path);
		bool second;

		assert_non_null(object);
		second = child.sites[1] >= object->start &&
			 child.sites[1] < object->end;
		check_site(process, child.sites[second],
			   second ? 0x405 : 3);
		seen |= 1 << second;
	}
	assert_int_equal(seen, 3);
	assert_null(find(process, child.path));
	sdtkit_process_close(process);
	child_end(&child);
}

/*
 * After the process has ended, its handle does not take another one for it, and
 * the error says that it has ended.
 */
TEST(test_process__ends_meanwhile)
{
	const struct sdtkit_site *site;
	struct sdtkit_process *process;
	struct sdtkit_notes *notes, *late;
	struct child child;
	uint16_t value = 77;

	assert_true(child_start(&child, CHILD_PLAIN));
	process = open_child(&child);
	assert_non_null(find(process, child.path));
	assert_int_equal(sdtkit_process_notes(process, &notes), 0);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	child_end(&child);
	assert_int_equal(sdtkit_process_semaphore(process, notes, site, &value),
			 -ESRCH);
	assert_int_equal(value, 77);
	assert_int_equal(sdtkit_process_notes(process, &late), -ESRCH);
	sdtkit_process_close(process);
	/* The handle of the notes does not need the process. */
	assert_string_equal(site->probe, "one");
	sdtkit_notes_close(notes);
}

/* Its parent has not waited for it: all of its files have gone. */
TEST(test_process__has_ended)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct child child;
	siginfo_t info;

	assert_true(child_start(&child, CHILD_PLAIN));
	process = open_child(&child);
	object = find(process, child.path);
	assert_non_null(object);
	assert_int_equal(kill(child.pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)child.pid, &info,
				WEXITED | WNOWAIT), 0);
	assert_int_equal(sdtkit_process_notes(process, &notes), -ESRCH);
	sdtkit_process_close(process);
	child_end(&child);
}

/* Other users' tools could not open it, and would complain. */
TEST(test_process__memory_of_jumps)
{
	int fd = memfd_create("sdtkit-tap", MFD_CLOEXEC);
	struct sdtkit_process *process = NULL;
	void *at;

	assert_int_equal(ftruncate(fd, 4096), 0);
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(at, MAP_FAILED);
	assert_int_equal(sdtkit_process_open(getpid(), &process), 0);
	assert_null(find(process, "/memfd:sdtkit-tap"));
	sdtkit_process_close(process);
	munmap(at, 4096);
	close(fd);
}

TEST(test_process__none)
{
	static const pid_t pids[] = { 0, -1, INT_MAX, INT_MIN };
	struct sdtkit_process *process = NULL;
	size_t i;

	for (i = 0; i < ROWS(pids); i++) {
		assert_int_equal(sdtkit_process_open(pids[i], &process),
				 -ESRCH);
		assert_string_equal(sdtkit_notes_error(),
				    "no such process");
	}
	assert_null(process);
	sdtkit_process_close(NULL);
}

/*
 * Calls that make no sense are errors: for a semaphore of a probe that has
 * none, or before the first object.
 */
TEST(test_process__asked_for_nothing)
{
	static const struct sdtkit_site bare = { .semaphore = 0 };
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	uint16_t value;

	assert_int_equal(sdtkit_process_open(getpid(), &process), 0);
	assert_int_equal(sdtkit_process_notes(process, &notes), -EINVAL);
	assert_int_equal(sdtkit_notes_open(test_argument, &notes), 0);
	assert_int_equal(sdtkit_process_semaphore(process, notes, &bare,
						  &value), -ENOENT);
	/* Nothing is mapped at this address. */
	assert_int_equal(sdtkit_process_semaphore(process, notes,
			 &(struct sdtkit_site) { .semaphore = 2 }, &value),
			 -ENODATA);
	sdtkit_notes_close(notes);
	sdtkit_process_close(process);
}

/* A process of another user; only root can become another user to test that. */
TEST(test_process__not_ours)
{
	struct sdtkit_process *process;
	int status;
	pid_t pid;

	if (geteuid() != 0)
		unavailable("only root may change to another user");
	pid = fork();
	if (pid == 0) {
		int ret = setuid(65534) < 0 ? 0 :
			  sdtkit_process_open(getppid(), &process);

		_exit(ret == -EACCES || ret == -EPERM ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}
