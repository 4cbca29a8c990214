/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * actor.c - fires the probes of an smbd in the order of its arguments, and
 * measures the time between them.
 *
 *	actor wait:20 begin:9 spin:300 ctdb:50 end:0
 *
 * For each word with a time it prints two bounds in nanoseconds, for what a
 * tracer may measure between the two probes: the time between the end of the
 * first and the beginning of the second, and the time from the beginning of the
 * first to the end of the second.
 *
 *	ctdb 50061234 50068921
 *
 * It begins when it reads a line, and ends when there are no more arguments. A
 * request has the names, the numbers and the packet that were set last, and
 * acts may be repeated:
 *
 *	actor share:data from:0 file:a begin:8 end:0 file:b begin:8 end:0 again:99
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ctdb_probes.h"
#include "smb2_probes.h"
#include "smbd_probes.h"
#include "smblock_probes.h"
#include "smbnet_probes.h"

/*
 * Fires like a header of probegen -h, which does not touch the pages of
 * strings.
 */
#ifdef ACTOR_UNTOUCHED
#undef sdtkit_arg_str
#define sdtkit_arg_str(text)	(text)
#endif

enum { CLOSE = 6, READ = 8, HEADER = 64 };	/* [MS-SMB2] 2.2.1.2 */

typedef unsigned long long nanoseconds;

static char *const xconn = (char *)0x1000;
static char *req = (char *)0x2000;
static unsigned short opcodes[16];
static unsigned short *opcode = opcodes;
static unsigned long long inode;
static nanoseconds outer, inner;	/* when a deferred open began to wait */

static const char *text;		/* behind the colon of an act */
static int at, from;			/* the act, and the first to repeat */
static const char *share = "share", *file = "file", *user = "user";
static unsigned long long mid = 1, session;
/* header and body; nothing after them may be reported */
static unsigned char packet[4096];
static size_t body_length;

static nanoseconds now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (nanoseconds)ts.tv_sec * 1000000000 + (nanoseconds)ts.tv_nsec;
}

static void say(const char *word, nanoseconds least, nanoseconds most)
{
	printf("%s %llu %llu\n", word, least, most);
}

static void sleep_ms(long ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&ts, NULL);
}

/* Waits for events, of which none comes. */
static void do_wait(long ms)
{
	static int loop = -1;
	struct epoll_event event;
	nanoseconds least, around = now();

	if (loop < 0)
		loop = epoll_create1(EPOLL_CLOEXEC);
	SMBD_IDLE_BEGIN(NULL);
	least = now();
	epoll_wait(loop, &event, 1, (int)ms);
	least = now() - least;
	inner = now();
	SMBD_IDLE_END(NULL);
	say("wait", least, now() - around);
}

/* A request waits in an event loop of its own, as smbd does for winbind. */
static void do_nested(long ms)
{
	struct epoll_event event;
	nanoseconds least, around = now();
	int loop = epoll_create1(EPOLL_CLOEXEC);

	least = now();
	epoll_wait(loop, &event, 1, (int)ms);
	least = now() - least;
	close(loop);
	say("nested", least, now() - around);
}

/* The following acts belong to this request, 0 to 15. */
static void do_req(long which)
{
	req = (char *)0x2000 + which * 0x100;
	opcode = &opcodes[which];
}

static void do_client(long unused)
{
	(void)unused;
	SMBD_CLIENT_START(NULL, text, "ipv4:192.0.2.9:445", -1);
}

static void do_share(long unused)
{
	(void)unused;
	share = text;
}

static void do_file(long unused)
{
	(void)unused;
	file = text;
}

static void do_user(long unused)
{
	(void)unused;
	user = text;
}

static void do_mid(long number)
{
	mid = (unsigned long long)number;
}

static void do_session(long number)
{
	session = (unsigned long long)number;
}

static void do_login(long number)
{
	SMB2_SESSION_START((unsigned long long)number, user, "", "", 0x311, 0,
			   0, 0);
}

static void do_logoff(long number)
{
	SMB2_SESSION_END((unsigned long long)number);
}

/*
 * Sets the body of packets, in hexadecimal; if there is none, packets are fired
 * without a body.
 */
static void do_body(long unused)
{
	unsigned int byte;

	(void)unused;
	memset(packet, 'X', sizeof(packet));
	for (body_length = 0; text[2 * body_length] != '\0'; body_length++) {
		if (HEADER + body_length == sizeof(packet) ||
		    sscanf(text + 2 * body_length, "%2x", &byte) != 1)
			exit(1);
		packet[HEADER + body_length] = (unsigned char)byte;
	}
}

static void do_begin(long code)
{
	size_t bytes = body_length > 0 ? HEADER + body_length : 100;

	*opcode = (unsigned short)code;
	SMBNET_RECV_START(xconn, 4);
	SMBNET_PDU_RECEIVED(xconn, req, bytes, 0);
	SMB2_REQUEST_START(mid, *opcode, req, xconn, session, 0, 0, 0, 0, 1,
			   bytes);
}

/*
 * A READ or WRITE of a handle at an offset with a number of bytes:
 * "7,4096,512".
 */
static void do_data(long handle)
{
	const char *comma = strchr(text, ',');
	unsigned long long offset;
	unsigned int length;
	char *end;

	if (comma == NULL)
		exit(1);
	offset = strtoull(comma + 1, &end, 0);
	length = (unsigned int)strtoul(end + 1, NULL, 0);
	if (*opcode == READ)
		SMB2_READ_START(mid, req, file, offset, length, handle, 0);
	else
		SMB2_WRITE_START(mid, req, file, offset, length, handle, 0);
}

/* Closes a file that has the name of the request. */
static void do_close(long handle)
{
	char closed[16];

	snprintf(closed, sizeof(closed), "closed %d", (int)(opcode - opcodes));
	SMB2_CLOSE_START(mid, req, closed, handle, 0);
}

static void do_result(long status)
{
	SMB2_REQUEST_END(mid, *opcode, (unsigned int)status, req, 80, 0, xconn,
			 share, *opcode == CLOSE ? "" : file, "", user,
			 body_length > 0 ? packet + HEADER : NULL);
}

static void do_end(long status)
{
	do_result(status);
	SMBNET_SEND_DONE(xconn, req, 80, 0, 0);
	SMBNET_PDU_SENT(xconn, req);
}

static void do_gone(long status)
{
	SMBNET_CONNECTION_END(xconn, (unsigned int)status, -1);
}

static void do_ctdb(long ms)
{
	nanoseconds least, around;

	CTDB_REQUEST_START(NULL, 1, 0, 0, 0, 0, 0, 0);
	around = now();
	CTDB_WAIT_START(NULL, 1);
	least = now();
	sleep_ms(ms);
	least = now() - least;
	CTDB_WAIT_DONE(NULL, 1, 0);
	say("ctdb", least, now() - around);
	CTDB_REQUEST_DONE(NULL, 1, 0, 0);
}

/* Waits until it reads another line. */
static void do_hold(long unused)
{
	char line[16];

	(void)unused;
	puts("hold");
	fflush(stdout);
	if (fgets(line, sizeof(line), stdin) == NULL)
		exit(1);
}

static void do_ask(long holder)
{
	SMBLOCK_BREAK_REQUEST(inode, 7, 0xffffffff, (unsigned long)holder, 1);
}

/* Defers an open because of a share mode, for which smbd asks no client. */
static void do_refuse(long unused)
{
	(void)unused;
	outer = now();
	SMBLOCK_OPEN_DEFER(mid, req, inode, 70000000);
	SMB2_REQUEST_SUSPEND(mid, *opcode, req, NULL, 0);
}

static void do_defer(long holder)
{
	do_ask(holder);
	do_refuse(0);
}

static void do_retry(long ms)
{
	nanoseconds least;

	sleep_ms(ms);
	least = now() - inner;
	SMB2_REQUEST_RESUME(mid, *opcode, req);
	SMBLOCK_OPEN_RETRY(mid, req);
	say("retry", least, now() - outer);
}

static volatile unsigned long spun;

__attribute__((noinline)) static void spin_for(long ms)
{
	nanoseconds end = now() + (nanoseconds)ms * 1000000;
	int i;

	while (now() < end) {
		for (i = 0; i < 10000; i++)
			spun = spun + 1;
	}
}

/* Not inlined, and not a tail call, so that the caller stays on the stack. */
__attribute__((noinline)) static void do_spin(long ms)
{
	spin_for(ms);
	spun = 0;
}

static void do_open(long unused)
{
	struct stat st;

	(void)unused;
	if (open("held", O_RDONLY) < 0 || stat("held", &st) != 0)
		exit(1);
	inode = st.st_ino;
}

static void do_inode(long number)
{
	inode = (unsigned long long)number;
}

/*
 * Calls fflush(), because gcc makes no frame for a function that seems to call
 * none.
 */
__attribute__((noinline)) static void do_exit(long how)
{
	fflush(stdout);
	SMBD_EXIT((int)how, "the last act", "ipv4:192.0.2.1:1", 0, 0);
}

/*
 * Terminates the connection with a reason from the file "reason", whose pages
 * this process has not touched: so many bytes of it are on one page, and the
 * rest on another. The two pages are mapped one by one, because the kernel may
 * read in a whole mapping at once.
 */
static void do_terminate(long before)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open("reason", O_RDONLY);
	char *reason;

	reason = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);
	if (reason == MAP_FAILED ||
	    mmap(reason + page, page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_FIXED, fd, (off_t)page) == MAP_FAILED)
		exit(1);
	close(fd);
	SMBNET_CONNECTION_TERMINATE(xconn, "ipv4:192.0.2.1:1",
				    reason + page - before, "actor.c:1");
}

/* Dies of a signal, without a message and without a core dump. */
static void do_signal(long number)
{
	struct rlimit none = { 0, 0 };

	fflush(stdout);
	setrlimit(RLIMIT_CORE, &none);
	kill(getpid(), (int)number);
}

static void do_leave(long status)
{
	fflush(stdout);
	_exit((int)status);
}

/* On a file, and quick; what the processor took, and how long it was. */
static void do_calls(long number)
{
	struct timespec begin, end;
	nanoseconds around = now();
	long i;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	for (i = 0; i < number; i++)
		fcntl(STDIN_FILENO, F_GETFL);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	say("calls", (nanoseconds)(end.tv_sec - begin.tv_sec) * 1000000000 +
	    (nanoseconds)end.tv_nsec - (nanoseconds)begin.tv_nsec,
	    now() - around);
}

static void do_from(long unused)
{
	(void)unused;
	from = at;
}

/* Repeats all acts after from:0 so many times. */
static void do_again(long times)
{
	static long done;

	if (done++ < times)
		at = from;
	else
		done = 0;
}

static const struct {
	const char *word;
	void (*act)(long parameter);
} acts[] = {
	{ "wait", do_wait }, { "nested", do_nested },
	{ "req", do_req }, { "client", do_client }, { "share", do_share },
	{ "file", do_file }, { "user", do_user }, { "mid", do_mid },
	{ "session", do_session }, { "body", do_body },
	{ "login", do_login }, { "logoff", do_logoff },
	{ "begin", do_begin }, { "data", do_data }, { "close", do_close },
	{ "result", do_result }, { "end", do_end }, { "gone", do_gone },
	{ "hold", do_hold }, { "ctdb", do_ctdb }, { "ask", do_ask },
	{ "refuse", do_refuse }, { "defer", do_defer }, { "retry", do_retry },
	{ "spin", do_spin }, { "open", do_open }, { "inode", do_inode },
	{ "exit", do_exit }, { "terminate", do_terminate },
	{ "signal", do_signal }, { "leave", do_leave },
	{ "calls", do_calls },
	{ "from", do_from }, { "again", do_again },
};

enum { NUM_ACTS = sizeof(acts) / sizeof(acts[0]) };

/* "spin:300", or "spin" for 0 */
static void do_act(const char *word)
{
	size_t length = strcspn(word, ":");
	int i;

	text = word + length + (word[length] == ':');
	for (i = 0; i < NUM_ACTS; i++) {
		if (strncmp(word, acts[i].word, length) == 0 &&
		    acts[i].word[length] == '\0') {
			acts[i].act(strtol(text, NULL, 10));
			return;
		}
	}
	fprintf(stderr, "actor: what is '%s'?\n", word);
	exit(1);
}

int main(int argc, char **argv)
{
	char line[16];

	if (fgets(line, sizeof(line), stdin) == NULL)
		return 1;
	for (at = 1; at < argc; at++)
		do_act(argv[at]);
	puts("done");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL)
		;
	return 0;
}
