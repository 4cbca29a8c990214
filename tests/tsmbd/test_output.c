/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reader of the standard output that does not read stops nobody, and gets in
 * the end all that there was room for.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "output.h"

/*
 * No line fits into the pipe, so that the thread keeps the first one until the
 * other end reads. A line is longer than what may wait for a report to be taken.
 */
enum { PIPE = 1 << 16, LINE = 1 << 17, LINES_AT_MOST = 255 };

static void print(unsigned int line)
{
	fprintf(output_file(), "%0*u\n", LINE - 1, line);
}

/* The exit status is the number of lines. Ends without one if it cannot. */
static _Noreturn void write_without_reader(int told)
{
	unsigned int lines = 0;

	/* as others may leave an output that they share */
	if (fcntl(STDOUT_FILENO, F_SETFL, O_WRONLY | O_NONBLOCK) != 0)
		abort();
	output_begin(true);
	print(lines++);
	if (!output_takes_report())	/* the thread has it: nothing waits */
		abort();
	print(lines++);
	if (output_takes_report())
		abort();
	while (lines < LINES_AT_MOST && output_takes_line())
		print(lines++);
	if (lines == LINES_AT_MOST)
		abort();
	close(told);			/* now the other one reads */
	if (output_close() != 0)
		abort();
	_exit((int)lines);
}

/* Returns how many lines there were, which have to be in their order. */
static unsigned int read_lines(FILE *in)
{
	static char line[LINE + 1];
	unsigned int count = 0;

	while (fgets(line, sizeof(line), in) != NULL) {
		assert_int_equal(strlen(line), LINE);
		assert_int_equal(strtoul(line, NULL, 10), count);
		count++;
	}
	return count;
}

TEST(test_reader_that_does_not_read)
{
	int out[2], told[2], status;
	unsigned int count;
	char unused;
	pid_t child;
	FILE *in;

	assert_int_equal(pipe(out), 0);
	assert_int_equal(fcntl(out[1], F_SETPIPE_SZ, PIPE), PIPE);
	assert_int_equal(pipe(told), 0);
	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		close(told[0]);
		write_without_reader(told[1]);
	}
	close(out[1]);
	close(told[1]);
	assert_int_equal(read(told[0], &unused, 1), 0);
	in = fdopen(out[0], "r");
	assert_non_null(in);
	count = read_lines(in);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), count);
	fclose(in);
	close(told[0]);
}
