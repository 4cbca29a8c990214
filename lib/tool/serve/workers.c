/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * workers.c - the processes that count, and what they send.
 *
 *	worker: report, slow span -> socket -> report of the group -> the sum
 *
 * A worker and the supervisor count their seconds apart, so a report may come
 * a little later than the sum is due. The sum is late then, too, or a second
 * would be without the worker, and the next one would have the numbers of two.
 *
 * A worker that is stopped in the middle of a message is not waited for: it is
 * ended, and counted from the beginning by another one. The same happens if a
 * worker is killed. If it says itself that it cannot count a program, as it is
 * broken, it is not tried again.
 *
 * A worker whose program has ended is not left to itself, either: if it was
 * stopped, and the program had started again, two would count the same spans as
 * soon as it goes on.
 */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/base/clock.h"
#include "lib/service/link.h"
#include "serve/flames.h"
#include "serve/rows.h"
#include "serve/usage.h"
#include "serve/workers.h"

enum { MOST_BYTES = 64 << 20 };

static const unsigned long long AGAIN_NS = 10000000000ULL;
static const unsigned long long LATE_NS = 300000000;
/* Less than from one look for programs to the next one. */
static const unsigned long long STOPPED_NS = 500000000;

struct one {
	unsigned int group;
	char program[SERVE_PROGRAM];
	pid_t pid;			/* 0: it has ended */
	int fd;
	bool failed;			/* for good */
	bool ending;			/* its group is gone */
	unsigned long long ending_ns;	/* since then */
	bool samples;			/* it has been told to take them */
	unsigned long long again_ns;	/* start no other one before */
	struct report *pending;		/* since the last report of all */
	bool begun;			/* it has reported */
	bool reported;			/* since the last report of all */
	bool hangs;			/* is not waited for until it reports */
	struct report *last;		/* its gauges, other numbers are 0 */
};

static struct one workers[DISCOVER_GROUPS];
static size_t num_workers;

static struct one *find(unsigned int group)
{
	size_t i;

	for (i = 0; i < num_workers; i++) {
		if (workers[i].group == group)
			return &workers[i];
	}
	return NULL;
}

static unsigned long long now_ns(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

bool workers_has(unsigned int group)
{
	const struct one *w = find(group);

	return w != NULL && (w->pid != 0 || w->failed ||
			     now_ns() < w->again_ns);
}

/*
 * In the child: what belongs to other workers is closed. Reports that have not
 * been taken would stay until the worker ends, several MiB of them.
 */
static void become(const struct worker_job *job, int fd)
{
	size_t i;

	for (i = 0; i < num_workers; i++) {
		if (workers[i].pid != 0)
			close(workers[i].fd);
		report_free(workers[i].pending);
		report_free(workers[i].last);
	}
	malloc_trim(0);
	_exit(worker(job, fd));
}

static struct one *place_of(const struct worker_job *job)
{
	struct one *w = find(job->group->id);

	if (w != NULL)
		return w;
	if (num_workers == DISCOVER_GROUPS)
		return NULL;
	w = &workers[num_workers++];
	*w = (struct one){ .group = job->group->id,
		.pending = report_new(&serve_tables),
		.last = report_new(&serve_tables) };
	snprintf(w->program, sizeof(w->program), "%.*s", SERVE_PROGRAM - 1,
		 job->group->program);
	return w;
}

void workers_start(struct worker_job *job)
{
	const struct timeval patience = { .tv_sec = 1 };
	struct one *w = place_of(job);
	int pair[2];

	if (w == NULL)
		return;
	w->again_ns = now_ns() + AGAIN_NS;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		tool_complain("%s: cannot make a pair of sockets: %s",
			      w->program, strerror(errno));
		return;
	}
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience,
		   sizeof(patience));
	w->pid = fork();
	if (w->pid == 0) {
		close(pair[0]);
		become(job, pair[1]);
	}
	close(pair[1]);
	w->fd = pair[0];
	w->samples = false;
	if (w->pid > 0)
		return;
	tool_complain("%s: cannot start a process: %s", w->program,
		      strerror(errno));
	close(w->fd);
	w->pid = 0;
}

static void reap(struct one *w)
{
	int status = 0;

	close(w->fd);
	waitpid(w->pid, &status, 0);
	w->pid = 0;
	report_clear(w->last);
	w->begun = false;
	w->failed = WIFEXITED(status) && WEXITSTATUS(status) != 0;
	if (WIFSIGNALED(status))
		((struct lost_sum *)report_want(w->pending, SERVE_LOST,
						NULL))->reports++;
	if (w->failed)
		tool_complain("%s is not counted, see the messages above",
			      w->program);
	else if (WIFSIGNALED(status) && w->ending)
		tool_complain("%s: the process that counted it was ended by "
			      "signal %d: its last second is lost", w->program,
			      WTERMSIG(status));
	else if (WIFSIGNALED(status))
		tool_complain("%s: the process that counts it was ended by "
			      "signal %d: another one begins anew", w->program,
			      WTERMSIG(status));
}

static void kill_one(struct one *w)
{
	kill(w->pid, SIGKILL);
	reap(w);
}

/* It sends a last report, and ends. */
static void end(struct one *w)
{
	if (!w->ending)
		w->ending_ns = now_ns();
	w->ending = true;
	if (w->pid != 0)
		shutdown(w->fd, SHUT_WR);
}

static bool is_stopped(pid_t pid)
{
	char text[USAGE_STAT];
	const char *at = usage_stat(pid, text, sizeof(text));

	return at != NULL && strncmp(at, " T", 2) == 0;
}

/* The kernel may need seconds to detach many probes. */
static bool is_stuck(const struct one *w)
{
	unsigned long long took = now_ns() - w->ending_ns;

	return w->pid != 0 && w->ending && took > STOPPED_NS &&
	       (took > AGAIN_NS || is_stopped(w->pid));
}

void workers_kill_stuck(void)
{
	size_t i;

	for (i = 0; i < num_workers; i++) {
		if (is_stuck(&workers[i]))
			kill_one(&workers[i]);
	}
}

/* A worker that is stopped does not read them. */
static void tell(struct one *w, struct worker_order *order)
{
	order->samples = flames_wanted();
	if (w->pid != 0 && !w->ending &&
	    send(w->fd, order, sizeof(*order), MSG_DONTWAIT) == sizeof(*order))
		w->samples = order->samples;
}

void workers_tell(const struct discover_group *group,
		  unsigned long long cpu_ns)
{
	struct worker_order order = { cpu_ns, .looked = true };
	struct one *w = find(group->id);
	size_t i;

	for (i = 0; i < group->num_pids && i < WORKER_PIDS; i++)
		order.pid[order.num_pids++] = group->pid[i];
	if (w != NULL)
		tell(w, &order);
}

void workers_sample(void)
{
	size_t i;

	for (i = 0; i < num_workers; i++) {
		if (workers[i].samples != flames_wanted())
			tell(&workers[i], &(struct worker_order){ 0 });
	}
}

void workers_end(unsigned int group)
{
	struct one *w = find(group);

	if (w != NULL)
		end(w);
}

static void keep_gauge(struct report *last, const struct report *from, size_t t,
		       const struct report_column *column)
{
	const void *row;
	size_t i;

	for (i = 0; i < from->rows[t].count; i++) {
		row = report_row(from, t, i);
		report_set(column, report_want(last, t, row),
			   report_get(column, row));
	}
}

static void keep_gauges(struct report *last, const struct report *from)
{
	const struct report_table *table;
	size_t t, c;

	report_clear(last);
	for (t = 0; t < serve_tables.count; t++) {
		table = report_table(from, t);
		for (c = 0; c < table->num_columns; c++) {
			if (table->columns[c].kind == REPORT_GAUGE)
				keep_gauge(last, from, t, &table->columns[c]);
		}
	}
}

static bool take_report(struct one *w, const char *data, size_t size)
{
	struct report *received = report_new(&serve_tables);
	bool good = link_open_report(data, size, received) == 0;

	if (good) {
		report_add(w->pending, received);
		keep_gauges(w->last, received);
		w->begun = true;
		w->reported = true;
		w->hangs = false;
	}
	report_free(received);
	return good;
}

static bool take(struct one *w, const struct link_head *head, const char *data,
		 void (*row)(const void *slow, void *context), void *context)
{
	if (head->kind == LINK_ROW && head->size == sizeof(struct slow_span))
		row(data, context);
	if (head->kind == LINK_FLAME)
		return flames_take(w->program, data, head->size);
	return head->kind == LINK_REPORT ? take_report(w, data, head->size) :
					   head->kind == LINK_ROW;
}

static bool receive(struct one *w, const struct link_head *head,
		    void (*row)(const void *slow, void *context), void *context)
{
	char *data;
	bool good;

	if (head->size > MOST_BYTES)
		return false;
	data = tool_zeros(head->size, 1);
	good = link_receive(w->fd, data, head->size) == 0 &&
	       take(w, head, data, row, context);
	free(data);
	return good;
}

static void read_one(struct one *w,
		     void (*row)(const void *slow, void *context),
		     void *context)
{
	struct link_head head;
	int ret = link_receive(w->fd, &head, sizeof(head));

	if (ret == -EPIPE)
		reap(w);
	else if (ret != 0 || !receive(w, &head, row, context))
		kill_one(w);
}

void workers_wait(int ms, void (*row)(const void *slow, void *context),
		  void *context)
{
	struct pollfd fds[DISCOVER_GROUPS];
	struct one *at[DISCOVER_GROUPS];
	nfds_t count = 0;
	size_t i;

	for (i = 0; i < num_workers; i++) {
		if (workers[i].pid == 0)
			continue;
		at[count] = &workers[i];
		fds[count++] = (struct pollfd){ .fd = workers[i].fd,
			.events = POLLIN };
	}
	if (poll(fds, count, ms) <= 0)
		return;
	for (i = 0; i < count; i++) {
		if (fds[i].revents != 0)
			read_one(at[i], row, context);
	}
}

static size_t num_running(void)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < num_workers; i++)
		count += workers[i].pid != 0;
	return count;
}

void workers_end_all(void (*row)(const void *slow, void *context),
		     void *context)
{
	size_t i;

	for (i = 0; i < num_workers; i++)
		end(&workers[i]);
	for (; num_running() > 0; workers_kill_stuck())
		workers_wait(100, row, context);
}

/* A worker that has begun to report does so each second. */
static bool is_late(const struct one *w)
{
	return w->pid != 0 && !w->ending && w->begun && !w->reported;
}

static bool are_awaited(void)
{
	size_t i = 0;

	while (i < num_workers && (!is_late(&workers[i]) || workers[i].hangs))
		i++;
	return i < num_workers;
}

void workers_await(void (*row)(const void *slow, void *context), void *context)
{
	unsigned long long now = now_ns(), until = now + LATE_NS;
	size_t i;

	for (; are_awaited() && now < until; now = now_ns())
		workers_wait((int)((until - now) / 1000000) + 1, row, context);
	for (i = 0; i < num_workers; i++)
		workers[i].hangs |= is_late(&workers[i]);
}

void workers_take(struct report *report)
{
	size_t i = 0;

	while (i < num_workers) {
		struct one *w = &workers[i];

		report_join(report, w->pending);
		report_clear(w->pending);
		if (is_late(w))
			report_join(report, w->last);
		w->reported = false;
		if (!w->ending || w->pid != 0) {
			i++;
			continue;
		}
		report_free(w->pending);
		report_free(w->last);
		*w = workers[--num_workers];
	}
}
