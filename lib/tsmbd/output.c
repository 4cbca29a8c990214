/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.c - writes the standard output, in a thread if it must not stop others.
 *
 *	lines, reports -> text -> handed over when the thread is idle -> write(2)
 *
 * The file itself cannot be made non-blocking: others may have it open, as a
 * shell its terminal.
 */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output.h"

/* Bytes that may wait, besides those that the thread has. */
enum { MAX_LINES = 1 << 22, MAX_REPORTS = 1 << 15 };

static FILE *out;		/* NULL: nothing is printed */
static char *text;		/* of out, if a thread writes it */
static size_t size;

static pthread_t writer;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
	char *text;		/* of the thread; NULL: it has nothing to do */
	size_t size;
	bool last;		/* there will be nothing more */
	int error;		/* -errno */
} handed;

static bool is_shared(void)
{
	return out != NULL && out != stdout;
}

static int write_all(const char *from, size_t left)
{
	struct pollfd output = { .fd = STDOUT_FILENO, .events = POLLOUT };
	ssize_t written;

	while (left > 0) {
		written = write(STDOUT_FILENO, from, left);
		if (written < 0 && errno == EAGAIN)	/* made so by others */
			poll(&output, 1, -1);
		if (written < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (written < 0)
			return -errno;
		from += written;
		left -= (size_t)written;
	}
	return 0;
}

static void *write_what_is_handed(void *unused)
{
	int error;

	pthread_mutex_lock(&mutex);
	for (;;) {
		while (handed.text == NULL && !handed.last)
			pthread_cond_wait(&changed, &mutex);
		if (handed.text == NULL)
			break;
		pthread_mutex_unlock(&mutex);
		error = write_all(handed.text, handed.size);
		pthread_mutex_lock(&mutex);
		free(handed.text);
		handed.text = NULL;
		if (handed.error == 0)
			handed.error = error;
		pthread_cond_signal(&changed);
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void open_text(void)
{
	size = 0;		/* open_memstream() leaves it until fflush() */
	out = memory_of(open_memstream(&text, &size));
}

/* Signals are for the thread that waits for events. */
static void start_writer(void)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&writer, NULL, write_what_is_handed, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret != 0)
		errx(1, "cannot start a thread: %s", strerror(ret));
}

void output_begin(bool shared)
{
	out = stdout;
	if (shared) {
		open_text();
		start_writer();
	}
}

FILE *output_file(void)
{
	return out;
}

/* With the mutex, when the thread has nothing. */
static void hand_over(void)
{
	fclose(out);
	handed.text = text;
	handed.size = size;
	pthread_cond_signal(&changed);
	open_text();
}

/* Returns how much waits for the thread. */
static size_t waiting(void)
{
	size_t left;

	fflush(out);
	if (size == 0)
		return 0;
	pthread_mutex_lock(&mutex);
	if (handed.text == NULL)
		hand_over();
	left = size;
	pthread_mutex_unlock(&mutex);
	return left;
}

bool output_takes_line(void)
{
	if (!is_shared())
		return true;
	fflush(out);
	return size < MAX_LINES || waiting() < MAX_LINES;
}

bool output_takes_report(void)
{
	return !is_shared() || waiting() < MAX_REPORTS;
}

int output_flush(void)
{
	int error;

	if (!is_shared()) {
		errno = EIO;
		return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -errno;
	}
	waiting();
	pthread_mutex_lock(&mutex);
	error = handed.error;
	pthread_mutex_unlock(&mutex);
	return error;
}

/* Under nohup(1), SIGHUP stays ignored. */
static void let_end(int signum)
{
	if (signal(signum, SIG_DFL) == SIG_IGN)
		signal(signum, SIG_IGN);
}

/* The thread ends when it has written all. */
static int end_writer(void)
{
	let_end(SIGINT);
	let_end(SIGTERM);
	let_end(SIGHUP);
	pthread_mutex_lock(&mutex);
	while (handed.text != NULL)
		pthread_cond_wait(&changed, &mutex);
	hand_over();
	handed.last = true;
	pthread_mutex_unlock(&mutex);
	pthread_join(writer, NULL);
	return handed.error;
}

int output_close(void)
{
	int error = is_shared() ? end_writer() : output_flush();

	if (fclose(stdout) != 0 && error == 0)
		error = -errno;
	return error;
}
