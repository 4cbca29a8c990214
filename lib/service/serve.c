/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.c - the service, as the process sees it that traces.
 *
 *	tracer: files of servers, maps of the kernel -> reports
 *		|
 *		v a pair of sockets: link.h
 *	server: reports -> metrics, history, page, incidents
 *
 * The tracer has to keep capabilities with which one could take over what is
 * traced: it attaches to files that are upgraded. The server talks with others,
 * over HTTP, and writes files. So they are two processes, and the tracer reads
 * nothing from the server but that it is ready, and whether its page wants
 * samples.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "http/passed.h"
#include "page/sampler.h"
#include "drop.h"
#include "link.h"
#include "notify.h"
#include "options.h"
#include "say.h"
#include "serve.h"
#include "server.h"

enum {
	LARGE = 1 << 18,		/* bytes of a block */
	END_MS = 10000,			/* that it waits for the server's end */
};

static int fd = -1;			/* to the server */
static pid_t child;
static unsigned int unanswered;		/* messages, 1 at most for reports */
static unsigned long long lost;		/* rows */
static int room;			/* for rows, in bytes */
static int pid_fd = -1;
static bool has_ended;
static bool may_sample, wants_samples;
static const struct service_program *program;
static struct sink_needs needs;

/* "PROGRAM serve OPTION..." -> "PROGRAM --daemon OPTION..." */
int serve_main(const char *name, int (*run)(int argc, char **argv),
	       int argc, char **argv)
{
	char **args = calloc((size_t)argc + 2, sizeof(*args));

	if (args == NULL)
		err(1, NULL);
	args[0] = (char *)name;
	args[1] = (char *)"--daemon";
	memcpy(args + 2, argv + 1, (size_t)(argc - 1) * sizeof(*args));
	return run(argc + 1, args);
}

static const char *pid_file;
static pid_t owner;			/* of the file */

/*
 * Whatever ends this process. The directory may be one in which we may not
 * delete any more. The processes that it forks are not meant.
 */
static void remove_pid_file(void)
{
	if (getpid() != owner)
		return;
	owner = 0;
	if (unlink(pid_file) != 0 && ftruncate(pid_fd, 0) != 0)
		warn("%s", pid_file);
}

/* A process that was killed may need a moment to let go of its lock. */
static bool lock_soon(int file)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	int tries;

	for (tries = 0; tries < 40; tries++) {
		if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* As root: the directory is that of the system. */
static void write_pid_file(const char *path)
{
	if (path == NULL)
		return;
	pid_fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (pid_fd >= 0 && !lock_soon(pid_fd))
		errx(1, "%s is the file of another %s that runs: end that, "
		     "or use another file", path, program->report->name);
	if (pid_fd < 0 || ftruncate(pid_fd, 0) != 0 ||
	    dprintf(pid_fd, "%d\n", (int)getpid()) < 0)
		err(1, "%s: cannot write the process ID", path);
	pid_file = path;
	owner = getpid();
	atexit(remove_pid_file);
}

/* The child changes its copy of the options. */
static void start_server(int argc, char **argv, void *options)
{
	struct server_source source = { program, argc, argv, options, { 0 } };
	pid_t tracer = getpid();
	void *copy = malloc(program->report->options_size);
	int pair[2];

	if (copy == NULL)
		err(1, NULL);
	memcpy(copy, options, program->report->options_size);

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		err(1, "cannot make a pair of sockets");
	child = fork();
	if (child < 0)
		err(1, "cannot start the process that serves");
	if (child == 0) {
		close(pair[0]);
		if (pid_fd >= 0)
			close(pid_fd);	/* and with it the lock */
		exit(server(copy, &source, tracer, pair[1]));
	}
	free(copy);
	passed_close();
	close(pair[1]);
	fd = pair[0];
}

/* A quarter: the kernel counts more than the bytes of a message. */
static void measure_room(void)
{
	socklen_t size = sizeof(room);

	getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, &size);
	room /= 4;
}

/* Without pidfd_open(2), before Linux 5.3, it waits without a limit. */
static void end_server(void)
{
	struct pollfd end = { .events = POLLIN };

	end.fd = (int)syscall(SYS_pidfd_open, child, 0);
	if (end.fd < 0)
		return;
	while (poll(&end, 1, END_MS) < 0 && errno == EINTR)
		;
	if (end.revents == 0) {
		warnx("the process that serves does not end within %d s: it "
		      "is killed", END_MS / 1000);
		kill(child, SIGKILL);
	}
	close(end.fd);
}

/* Returns whether it has ended well; says which signal ended it. */
static bool wait_for_server(void)
{
	int status;

	close(fd);
	end_server();
	if (waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status))
		warnx("the process that serves was ended by signal %d",
		      WTERMSIG(status));
	return status == 0;
}

/*
 * Each upgrade of what is traced adds links to what is open, and the usual
 * limit of 1024 is for those who call select(2).
 */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

const char *serve_check(const struct service_program *of,
			const struct service_options *o)
{
	const char *user = drop_check_user(of, o->run_as);

	drop_begin_files();
	return user;
}

const char *serve_begin(const struct service_program *of, int argc,
			char **argv, void *options)
{
	const struct service_options *o =
		settings_part(of->report->settings, options, service_settings);
	const char *user;

	program = of;
	link_begin(program->is_ending);
	/* large blocks go back to the system: what is resident is used */
	mallopt(M_MMAP_THRESHOLD, LARGE);
	allow_descriptors();
	say_begin();
	notify_begin();
	user = drop_find_user(program, o->run_as);
	write_pid_file(o->pid_file);
	start_server(argc, argv, options);
	if (link_receive(fd, &needs, sizeof(needs)) != 0) {
		wait_for_server();
		exit(1);
	}
	program->need(options, &needs);
	may_sample = needs.samples;
	measure_room();
	return user;
}

void serve_open_sinks(const struct sink_setup *setup, void *options)
{
	sinks_restrict(SINKS_TRACING);
	drop_begin_files();
	sinks_open(setup, &needs);
	drop_end_files();
	program->need(options, &needs);
}

void serve_attached(const void *options)
{
	const char *traced = program->traced(options);

	drop_for_tracer(program);
	notify("READY=1\nSTATUS=Tracing %s", traced);
	say("tracing %s from now on: all that run now or later", traced);
}

/* Reads acknowledgements. */
static void listen_to_server(void)
{
	char bytes[16];
	ssize_t got;

	while ((got = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0) {
		unanswered -= (unsigned int)got < unanswered ?
			(unsigned int)got : unanswered;
		wants_samples = bytes[got - 1] == 1;
	}
	if (got == 0 || (errno != EAGAIN && errno != EINTR))
		has_ended = true;
}

bool serve_ready(void)
{
	if (!has_ended)
		listen_to_server();
	return !has_ended && unanswered == 0;
}

bool serve_wait(void)
{
	struct pollfd answer = { .fd = fd, .events = POLLIN };

	while (!serve_ready() && !has_ended &&
	       poll(&answer, 1, LINK_LAST_MS) > 0)
		;
	return serve_ready();
}

static void send_flame(const void *flame, size_t size)
{
	if (!has_ended && link_send(fd, LINK_FLAME, flame, size) != 0)
		has_ended = true;
}

void serve_take(const struct report *report)
{
	unanswered++;
	if (link_send_report(fd, report) != 0)
		has_ended = true;
	sampler_turn(program->report->flames, may_sample && wants_samples,
		     report->end_ns, send_flame);
}

void serve_row(const struct report_table *table, const void *row)
{
	int unread = 0;

	ioctl(fd, SIOCOUTQ, &unread);
	if (unread + (int)table->row_size > room)
		lost++;
	else if (link_send(fd, LINK_ROW, row, table->row_size) != 0)
		has_ended = true;
}

unsigned long long serve_lost(void)
{
	unsigned long long count = lost;

	lost = 0;
	return count;
}

void serve_reload(void)
{
	unanswered++;
	if (link_send(fd, LINK_RELOAD, NULL, 0) != 0)
		has_ended = true;
}

/* While the server does not answer, the watchdog is not told anything. */
bool serve_turn(unsigned long long now)
{
	if (serve_ready())
		notify_alive(now);
	return !has_ended;
}

bool serve_end(void)
{
	notify("STOPPING=1");
	/* leave() runs nothing of atexit(3) */
	remove_pid_file();
	return wait_for_server() && !has_ended;
}
