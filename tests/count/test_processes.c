/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes and the reader; and the program that tests in Python start:
 *
 * test-count			all tests of this room
 * test-count show FILE		what a file has; show -p PID: a process
 * test-count work ORDER...	hits sites
 */
#define _GNU_SOURCE
#include "counted.h"
#include "../raw_fork.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

static int work_in_child(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		COUNTED_TOLD(1, GET, 0, 1);
	/* It began in the parent, and is not under way here. */
	COUNTED_DONE(5);
	COUNTED_QUEUED(6);
	return 0;
}

COUNTED(test_fork)
{
	int i;

	COUNTED_TOLD(1, GET, 0, 1);
	COUNTED_QUEUED(5);
	for (i = 0; i < 3; i++)
		assert_int_equal(in_child(work_in_child), 0);
	COUNTED_TOLD(1, GET, 0, 1);
	COUNTED_DONE(5);
	COUNTED_DONE(6);
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->count, 3002);
	assert_int_equal(row_of("queued", 0, 0)->count, 1);
	assert_total("queued", .started = 4, .ended = 1, .unmatched = 4);
}

/* Without the handlers of pthread_atfork(). */
COUNTED(test_raw_fork)
{
	pid_t child;

	COUNTED_TOLD(1, GET, 0, 1);
	child = raw_fork();
	if (child == 0) {
		work_in_child();
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
	COUNTED_TOLD(1, GET, 0, 1);
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->count, 1002);
}

/* It ends without a word; what it has counted stays. */
COUNTED(test_killed)
{
	pid_t child = fork();

	if (child == 0) {
		work_in_child();
		raise(SIGKILL);
	}
	assert_true(WIFSIGNALED(status_of(child)));
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->count, 1000);
}

COUNTED(test_vfork)
{
	pid_t child;
	int i;

	COUNTED_TOLD(1, GET, 0, 1);
	child = vfork();
	if (child == 0) {
		for (i = 0; i < 10; i++)
			COUNTED_TOLD(1, GET, 0, 1);
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
	COUNTED_TOLD(1, GET, 0, 1);
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->count, 12);
}

/* Garbage in a set is no write outside of it, and no read outside of the file. */
COUNTED(test_hostile)
{
	unsigned char *bytes = recorder->output.data;
	unsigned char *next = bytes + recorder->output.ring_size;
	unsigned int seed = 7;
	size_t i, j;

	COUNTED_TOLD(1, GET, 0, 1);
	for (i = 0; i < 300; i++) {
		for (j = 0; j < 64; j++)
			bytes[(size_t)rand_r(&seed) % (24 << 10)] =
				(unsigned char)rand_r(&seed);
		for (j = 0; j < 50; j++)
			COUNTED_TOLD((uint32_t)rand_r(&seed) % 100000,
				     (enum verb)(rand_r(&seed) % 20), 0, 1);
		call("ann", 2, 0);
		read_counts();
	}
	for (j = 0; j < recorder->output.ring_size; j++)
		assert_int_equal(next[j], 0);
}

/* A hit does not search for ever in an index that has no end. */
COUNTED(test_full_index)
{
	struct sdtkit_count_set *set = (void *)recorder->output.data;
	size_t i;

	COUNTED_TOLD(1, GET, 0, 1);
	for (i = 0; i < SDTKIT_COUNT_INDEX; i++)
		set->index[i] = sizeof(*set) / SDTKIT_COUNT_UNIT;
	COUNTED_TOLD(1, PUT, 0, 1);
	read_counts();
	assert_int_equal(row_of("told", PUT, 0)->count, 1);
}

static int truncate_file(void)
{
	int fd = memfd_create("counts", 0), ret;

	count_with("counted:told", 0, 0);
	COUNTED_TOLD(1, GET, 0, 1);
	/* Neither the handler of this recorder nor that of cmocka. */
	signal(SIGBUS, SIG_DFL);
	if (sdtkit_record_write_dump(recorder->output.file, fd, 0) < 0 ||
	    sdtkit_count_open(fd, &reader) < 0 ||
	    sdtkit_count_read(reader, &counts) < 0 || counts->row_count != 1)
		return 1;
	if (ftruncate(fd, 4096) < 0)
		return 2;
	ret = sdtkit_count_read(reader, &counts);
	return ret == -EIO ? 0 : 3;
}

TEST(test_truncated)
{
	assert_int_equal(in_child(truncate_file), 0);
}

COUNTED(test_refused)
{
	const struct sdtkit_recorder_options options = {
		.flags = SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_TRAPS,
	};
	struct sdtkit_record_reader *events;
	struct sdtkit_recorder *other;

	assert_int_equal(sdtkit_record_open(recorder->output.descriptor.fd, 0,
					    &events), -ENOEXEC);
	assert_int_equal(sdtkit_recorder_count("nobody:*", NULL, &other),
			 -ENOENT);
	assert_int_equal(sdtkit_recorder_open("counted:told", &options, &other),
			 0);
	assert_int_equal(sdtkit_recorder_metrics(other, stdout), -EINVAL);
	sdtkit_recorder_close(other);
}

static void print(void)
{
	size_t i, j;

	for (i = 0; i < counts->row_count; i++) {
		const struct sdtkit_count_sums *row = &counts->rows[i];

		printf("%s", counts->spans[row->span].name);
		for (j = 0; j < counts->spans[row->span].name_count; j++) {
			if (row->text[j] != NULL)
				printf(" %s", row->text[j]);
			else
				printf(" %" PRIu64, row->name[j]);
		}
		printf(" count=%" PRIu64 " errors=%" PRIu64 " total=%" PRIu64
		       "\n", row->count, row->errors, row->total);
	}
	printf("lost=%" PRIu64 " sets=%u bytes=%" PRIu64 "\n", counts->lost,
	       counts->set_count, counts->set_bytes);
	fflush(stdout);
}

/* Reads once for each line of the input. */
static int show(char **argv)
{
	char line[16];
	int fd, ret;

	if (strcmp(argv[0], "-p") == 0) {
		ret = sdtkit_count_open_process(atoi(argv[1]), argv[2],
						&reader);
	} else {
		fd = open(argv[0], O_RDONLY);
		ret = fd >= 0 ? sdtkit_count_open(fd, &reader) : -errno;
	}
	if (ret < 0)
		errx(1, "%d %s", ret, sdtkit_record_error());
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sdtkit_count_read(reader, &counts) < 0)
			errx(1, "%s", sdtkit_record_error());
		print();
	}
	sdtkit_count_close(reader);
	return 0;
}

static int work(char **orders)
{
	char line[16];
	int i;

	for (; *orders != NULL; orders++) {
		if (strcmp(*orders, "told") == 0) {
			for (i = 0; i < 100; i++)
				COUNTED_TOLD(1, GET, 0, 1);
		} else if (strcmp(*orders, "fork") == 0) {
			if (fork() > 0)
				wait(NULL);
		} else if (strcmp(*orders, "wait") == 0) {
			printf("%d\n", (int)getpid());
			fflush(stdout);
			fgets(line, sizeof(line), stdin);
		} else if (strcmp(*orders, "kill") == 0) {
			raise(SIGKILL);
		} else if (strcmp(*orders, "exec") == 0) {
			execl("/proc/self/exe", "test-count", "work", "told",
			      NULL);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "show") == 0)
		return show(argv + 2);
	if (argc > 1 && strcmp(argv[1], "work") == 0)
		return work(argv + 2);
	return tests_run(NULL, NULL, NULL);
}
