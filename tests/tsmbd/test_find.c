/* SPDX-License-Identifier: BSD-2-Clause */
/* What find_process() remembers of files, and what it has to forget. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include <sdtkit/notes.h>

#include "lib/uprobe/find.h"

static pid_t victim;		/* ends when its first file is read */
static char names[64][PATH_MAX];
static unsigned int read_files;
static const char *of_interest;	/* files whose name has this text */

static void end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void *read_file(struct sdtkit_notes **notes, const char *name)
{
	assert_true(read_files < 64);
	strcpy(names[read_files++], name);
	if (victim != 0)
		end(victim);
	victim = 0;
	return of_interest != NULL && strstr(name, of_interest) != NULL ?
		names : NULL;
}

static void forget(void *probes)
{
	assert_ptr_equal(probes, names);
}

static const char *same_name(const char *path, char *buffer, size_t size)
{
	return path;
}

static pid_t begin(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	while (pid == 0)
		pause();
	return pid;
}

static const struct finder finder = {
	.command = "test",
	.file_option = "",
	.max_files = 1,
	.read = read_file,
	.forget = forget,
	.name = same_name,
};

/* Each test begins with nothing remembered. */
static int forget_all(void **state)
{
	find_forget_others();
	read_files = 0;
	of_interest = NULL;
	return 0;
}

TEST_WITH(files_of_a_process_that_ended_are_read_in_the_next, forget_all, NULL)
{
	struct found found = { .finder = &finder };
	unsigned int i, j;
	pid_t pid;

	victim = begin();
	assert_int_equal(find_process(&found, victim), 0);
	assert_int_equal(read_files, 1);

	pid = begin();
	assert_int_equal(find_process(&found, pid), 0);
	end(pid);
	/* this program, the C library and cmocka, each once */
	assert_in_range(read_files, 3, 64);
	for (i = 0; i < read_files; i++) {
		for (j = 0; j < i; j++)
			assert_string_not_equal(names[i], names[j]);
	}
}

/* The number of a file that is gone may be that of another one. */
TEST_WITH(files_without_probes_can_be_forgotten, forget_all, NULL)
{
	struct found found = { .finder = &finder };
	pid_t pid = begin();
	unsigned int first;

	assert_int_equal(find_process(&found, pid), 0);
	first = read_files;
	assert_int_equal(find_process(&found, pid), 0);
	assert_int_equal(read_files, first);
	find_forget_others();
	assert_int_equal(find_process(&found, pid), 0);
	assert_int_equal(read_files, 2 * first);
	end(pid);
}

/* There is a place for one. Another file is taken when that is free again. */
TEST_WITH(a_file_that_was_refused_is_taken_later, forget_all, NULL)
{
	struct found found = { .finder = &finder };
	char first[PATH_MAX];
	pid_t pid = begin();

	of_interest = "lib";
	assert_in_range(find_process(&found, pid), 2, 64);
	assert_int_equal(found.num_files, 1);
	strcpy(first, found.files[0].name);

	find_drop(&found, 0);
	of_interest = strcmp(strrchr(first, '/'), "/libc.so.6") == 0 ?
		"libcmocka" : "libc.so";
	assert_int_equal(find_process(&found, pid), 1);
	assert_int_equal(found.num_files, 1);
	assert_non_null(strstr(found.files[0].name, of_interest));
	find_drop(&found, 0);
	free(found.files);
	end(pid);
}

TEST_WITH(a_failure_does_not_end_the_program, forget_all, NULL)
{
	struct found found = { .finder = &finder };

	assert_int_equal(find_file(&found, "/nowhere"), -ENOENT);
	assert_string_equal(find_error(), "/nowhere: No such file or directory");
	assert_int_equal(find_file(&found, "/proc/self/exe"), -ENODATA);
	assert_int_equal(find_by_name(&found, "nobody is called so"), -ESRCH);
	assert_memory_equal(find_error(), "no process is called ", 21);
	assert_int_equal(find_family(&found, 0), -ESRCH);
	assert_int_equal(find_check(&found), -EACCES);
}
