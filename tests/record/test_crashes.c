/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that crash at once: the dump is whole. This program writes it in
 * place of dump.c, and takes long. And a file that is not complete.
 */
#define _GNU_SOURCE
#include "../child.h"
#include "made.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum {
	RING = 4096,
	FILE_SIZE = 1 << 17,
	PAGE = 4096,
	THREADS = 4,
	LONG_US = 200000,
};

static sem_t is_dumping;
static volatile int *volatile nowhere;
static const char whole[] = "whole";

int sdtkit_record_write_dump(struct sdtkit_record_file *file, int to,
			     uint32_t signal)
{
	int i;

	for (i = 0; i < THREADS; i++)
		sem_post(&is_dumping);
	usleep(LONG_US);
	return write(to, whole, sizeof(whole)) == sizeof(whole) ? 0 : -1;
}

static void *crash(void *unused)
{
	while (sem_wait(&is_dumping) < 0)
		;
	*nowhere = 1;
	return unused;
}

static void crash_together(const char *directory)
{
	static struct sdtkit_recorder recorder;
	pthread_t threads[THREADS];
	int i;

	/* Not the test library's. */
	signal(SIGSEGV, SIG_DFL);
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	recorder.output = made.output;
	snprintf(recorder.directory, sizeof(recorder.directory), "%s",
		 directory);
	atomic_store(&sdtkit_record_all[0], &recorder);
	sem_init(&is_dumping, 0, 0);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, crash, NULL);
	*nowhere = 1;
}

TEST(test_together)
{
	char directory[] = "/tmp/record-crashes-XXXXXX", path[64];
	char text[sizeof(whole)] = "";
	int status, fd;
	pid_t child;

	nowhere = (volatile int *)mmap(NULL, PAGE, PROT_NONE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_non_null(mkdtemp(directory));
	child = fork();
	if (child == 0) {
		crash_together(directory);
		_exit(0);
	}
	status = status_of(child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	snprintf(path, sizeof(path), "%s/sdtkit-dump-%d", directory, child);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), sizeof(text));
	assert_string_equal(text, whole);
	close(fd);
	unlink(path);
	rmdir(directory);
}

/* A file that was made, and whose descriptor cannot be kept, is removed. */
TEST(test_no_descriptor)
{
	char directory[] = "/tmp/record-crashes-XXXXXX";
	const struct sdtkit_record_settings settings = {
		.directory = directory,
	};
	const struct rlimit one = { 1, 1 };
	struct sdtkit_record_output output;
	pid_t child;

	assert_non_null(mkdtemp(directory));
	child = fork();
	if (child == 0) {
		close(STDIN_FILENO);
		setrlimit(RLIMIT_NOFILE, &one);
		_exit(sdtkit_record_create(&settings, &output) == -EINVAL ?
		      0 : 1);
	}
	assert_int_equal(status_of(child), 0);
	assert_int_equal(rmdir(directory), 0);
}
