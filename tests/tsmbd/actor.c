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
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/base/clock.h"
#include "ctdb_probes.h"
#include "request_notes.h"
#include "smb2_probes.h"
#include "smbd_probes.h"
#include "smblock_probes.h"
#include "smbnet_probes.h"
#include "vfs_probes.h"

/*
 * Fires like a header of probegen -h, which does not touch the pages of
 * strings.
 */
#ifdef ACTOR_UNTOUCHED
#undef sdtkit_arg_str
#define sdtkit_arg_str(text)	(text)
#endif

/* Has no request_notes, as an smbd that was built before there were any. */
#ifdef ACTOR_WITHOUT_NOTES
#undef SMB2_REQUEST_NOTES_ENABLED
#undef SMB2_REQUEST_NOTES
#define SMB2_REQUEST_NOTES_ENABLED()	0
#define SMB2_REQUEST_NOTES(notes)	((void)(notes))
#endif

enum { CLOSE = 6, READ = 8, CANCEL = 12 };
/* [MS-SMB2] 2.2.1.2 */
enum { HEADER = 64, HEADER_OPCODE = 12, HEADER_FLAGS = 16, HEADER_MID = 24,
	HEADER_SESSION = 40, PACKET = 4096 };
enum { MAX_REQUESTS = 32 };

typedef unsigned long long nanoseconds;

/*
 * What a server knows of a request. It notes the time only while somebody traces
 * the probes that tell how long it took.
 */
struct request {
	unsigned short opcode;
	char runs;
	nanoseconds begun;
	unsigned long long bytes;
	unsigned long long session;
	unsigned long long fnum;
	char closed[16];
	unsigned char packet[PACKET];	/* header and body */
};

static char *const xconn = (char *)0x1000;
static char *req = (char *)0x2000;
static struct request requests[MAX_REQUESTS], *r = requests;
static struct probes_running running;
static unsigned long long notes_told;	/* those that could not wait */
static unsigned long long pauses;	/* before a note, the first one too */
static unsigned long long inode;
static unsigned int node = 0xffffffff;	/* of a holder; no cluster */
static nanoseconds outer, inner;	/* when a deferred open began to wait */

static const char *text;		/* behind the colon of an act */
static int at, from;			/* the act, and the first to repeat */
static const char *share = "share", *file = "file", *user = "user";
static unsigned long long mid = 1, session;
/* nothing after the body may be reported */
static unsigned char packet[PACKET];
static size_t body_length;
static int is_settled = 1;		/* it has waited since the last end */

static nanoseconds now(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
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

static nanoseconds elapsed(const struct request *one)
{
	return one->begun != 0 ? now() - one->begun : 0;
}

static unsigned long long traced_bytes(const struct request *one)
{
	return one->begun != 0 ? one->bytes : 0;
}

static unsigned long long number_at(const unsigned char *bytes)
{
	unsigned long long number;

	memcpy(&number, bytes, sizeof(number));	/* low byte first, as here */
	return number;
}

static int is_traced(void)
{
	return SMB2_REQUEST_SUMMARY_ENABLED() ||
		SMB2_REQUEST_DETAILS_ENABLED() || SMB2_REQUEST_NOTES_ENABLED();
}

static uint64_t number_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

/* What the server notes; it is read at once, or when it sends or waits. */
static void note(const struct request *one, uint64_t what, uint64_t ns,
		 int at_once, const uint64_t argument[PROBES_ARGUMENTS])
{
	uint64_t time = one->begun != 0 ? one->begun + ns : now();
	static uint64_t last;

	pauses += time - last >= PROBES_IDLE;
	last = time;
	if (!probes_note(&running, what, time, argument) && !at_once)
		return;
	SMB2_REQUEST_NOTES(&running);
	notes_told++;
}

static void note_wait(const struct request *one, const char *key)
{
	uint64_t ns = elapsed(one);
	const uint64_t argument[PROBES_ARGUMENTS] = {
		number_at(one->packet + HEADER_MID), one->opcode,
		number_of(key), 0, 0, ns, traced_bytes(one), one->session,
		one->fnum, number_of(one->packet),
	};

	note(one, PROBES_WAITS, ns, 0, argument);
}

static void note_end(unsigned int status, uint64_t ns, const char *name,
		     int at_once)
{
	const uint64_t argument[PROBES_ARGUMENTS] = {
		r->opcode, status, number_of(req), ns, traced_bytes(r), 80,
		number_of(share), number_of(name), number_of(user),
		number_of(r->packet), r->fnum, number_of(&running),
	};

	note(r, PROBES_ENDED, ns, at_once, argument);
}

/* Sends a byte to itself, by which the kernel sees that a reply is sent. */
static void transmit(void)
{
	struct sockaddr_in own = { .sin_family = AF_INET };
	socklen_t length = sizeof(own);
	static int fd = -1;

	if (fd < 0) {
		own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fd < 0 || bind(fd, (struct sockaddr *)&own, length) != 0 ||
		    getsockname(fd, (struct sockaddr *)&own, &length) != 0 ||
		    connect(fd, (struct sockaddr *)&own, length) != 0)
			exit(1);
	}
	send(fd, "", 1, MSG_DONTWAIT);	/* nobody reads: it may be full */
}

static void suspend_one(struct request *one, char *key)
{
	unsigned long long number = number_at(one->packet + HEADER_MID);

	one->runs = 0;
	running.header = NULL;
	if (one->opcode == CANCEL) {
		SMB2_REQUEST_CANCEL(number, 0, key, NULL, elapsed(one),
				    traced_bytes(one), CANCEL);
		return;
	}
	SMB2_REQUEST_SUSPEND(number, one->opcode, key, NULL, 0, elapsed(one),
			     traced_bytes(one), one->session, one->fnum,
			     one->packet);
	if (SMB2_REQUEST_NOTES_ENABLED())
		note_wait(one, key);
}

/* The one that runs waits from now on; a CANCEL is through. */
static void suspend(void)
{
	int i;

	for (i = 0; i < MAX_REQUESTS; i++) {
		if (requests[i].runs)
			suspend_one(&requests[i], (char *)0x2000 + i * 0x100);
	}
}

/* Waits for events, of which none comes. */
static nanoseconds wait_for(long ms)
{
	static int loop = -1;
	struct epoll_event event;
	nanoseconds begin;

	if (loop < 0)
		loop = epoll_create1(EPOLL_CLOEXEC);
	SMBD_IDLE_BEGIN(NULL);
	begin = now();
	epoll_wait(loop, &event, 1, (int)ms);
	begin = now() - begin;
	inner = now();
	SMBD_IDLE_END(NULL);
	is_settled = 1;
	return begin;
}

static void do_wait(long ms)
{
	nanoseconds least, around;

	suspend();
	around = now();
	least = wait_for(ms);
	say("wait", least, now() - around);
}

/* A server goes back to its events after each request. */
static void settle(void)
{
	if (!is_settled)
		wait_for(0);
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

/* The following acts belong to this request, 0 to 31. */
static void do_req(long which)
{
	req = (char *)0x2000 + which * 0x100;
	r = &requests[which];
}

static void do_client(long unused)
{
	SMBD_CLIENT_START(NULL, text, "ipv4:192.0.2.9:445", -1);
}

static void do_share(long unused)
{
	share = text;
}

/* The same, but each one is at the address of the one before. */
static void do_reshare(long unused)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s", text);
	share = name;
}

static void do_file(long unused)
{
	file = text;
}

static void do_user(long unused)
{
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
	static const unsigned char magic[] = { 0xfe, 'S', 'M', 'B' };

	suspend();
	memset(r, 0, offsetof(struct request, packet));
	memcpy(r->packet, packet, sizeof(packet));
	memcpy(r->packet + HEADER_MID, &mid, sizeof(mid));
	r->opcode = (unsigned short)code;
	r->bytes = body_length > 0 ? HEADER + body_length : 100;
	r->session = session;
	SMBNET_RECV_START(xconn, 4);
	SMBNET_PDU_RECEIVED(xconn, req, r->bytes, 0);
	SMB2_REQUEST_START(mid, r->opcode, req, xconn, session, 0, 0, 0, 0, 1,
			   r->bytes);
	if (is_traced())
		r->begun = now();
	memcpy(r->packet, magic, sizeof(magic));
	memcpy(r->packet + HEADER_OPCODE, &r->opcode, sizeof(r->opcode));
	memset(r->packet + HEADER_FLAGS, 0, 4);
	memcpy(r->packet + HEADER_SESSION, &session, sizeof(session));
	running.header = r->packet;
	running.since = r->begun;
	r->runs = 1;
}

/*
 * A READ or WRITE of a handle at an offset with a number of bytes:
 * "7,4096,512".
 */
static void do_data(long handle)
{
	static const unsigned char size[2] = { 49 };
	const char *comma = strchr(text, ',');
	unsigned char *body = r->packet + HEADER;
	unsigned long long offset;
	unsigned int length;
	char *end;

	if (comma == NULL)
		exit(1);
	offset = strtoull(comma + 1, &end, 0);
	length = (unsigned int)strtoul(end + 1, NULL, 0);
	memcpy(body, size, sizeof(size));
	memcpy(body + 4, &length, sizeof(length));
	memcpy(body + 8, &offset, sizeof(offset));
	r->bytes = HEADER + size[0];
	r->fnum = (unsigned long long)handle;
	if (r->opcode == READ)
		SMB2_READ_START(mid, req, file, offset, length, handle, 0);
	else
		SMB2_WRITE_START(mid, req, file, offset, length, handle, 0);
}

/* Closes a file that has the name of the request. */
static void do_close(long handle)
{
	snprintf(r->closed, sizeof(r->closed), "closed %d",
		 (int)(r - requests));
	r->fnum = (unsigned long long)handle;
	SMB2_CLOSE_START(mid, req, r->closed, handle, 0);
}

static void finish(long status, int at_once)
{
	const char *name = r->opcode == CLOSE ? "" : file;
	const char *last = r->opcode == CLOSE ? r->closed : name;
	uint64_t ns = elapsed(r);

	r->runs = 0;
	is_settled = 0;
	SMB2_REQUEST_END(mid, r->opcode, (unsigned int)status, req, 80, 0,
			 xconn, share, name, "", user,
			 body_length > 0 ? r->packet + HEADER : NULL);
	SMB2_REQUEST_SUMMARY(r->opcode, (unsigned int)status, req, ns,
			     traced_bytes(r), 80);
	SMB2_REQUEST_DETAILS(r->opcode, (unsigned int)status, req, ns,
			     traced_bytes(r), 80, share, last, user,
			     r->packet, r->fnum, &running);
	if (SMB2_REQUEST_NOTES_ENABLED())
		note_end((unsigned int)status, ns, last, at_once);
	running.header = NULL;
}

/* It ends while another one runs, and because of that. */
static void do_inner(long status)
{
	finish(status, 0);
	transmit();
}

/*
 * An element of a compound: it is not sent yet. Another one that runs is in a
 * thread by now.
 */
static void do_result(long status)
{
	r->runs = 0;
	suspend();
	finish(status, 1);
}

/* The reply waits, as the socket is full, until "sent". */
static void do_delayed(long status)
{
	r->runs = 0;
	suspend();
	finish(status, 0);
	transmit();
	SMBNET_PDU_DELAYED(xconn, req);
}

static void do_sent(long unused)
{
	SMBNET_PDU_SENT(xconn, req);
	SMBNET_PDU_DELAYED_SENT(xconn, req);
}

static void do_end(long status)
{
	r->runs = 0;
	suspend();
	finish(status, 0);
	transmit();
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

	settle();
	puts("hold");
	fflush(stdout);
	if (fgets(line, sizeof(line), stdin) == NULL)
		exit(1);
}

/* The node of the holders that are asked from now on. */
static void do_node(long number)
{
	node = (unsigned int)number;
}

static void do_ask(long holder)
{
	SMBLOCK_BREAK_REQUEST(inode, 7, node, (unsigned long)holder, 1);
}

/* Asks itself, which is on this node. */
static void do_self(long unused)
{
	do_ask(getpid());
	SMBLOCK_BREAK_RECEIVED(inode, 7, (unsigned long)getpid(), 1);
}

/* Defers an open because of a share mode, for which smbd asks no client. */
static void do_refuse(long unused)
{
	outer = now();
	SMBLOCK_OPEN_DEFER(mid, req, inode, 70000000);
	suspend();
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
	SMB2_REQUEST_RESUME(mid, r->opcode, req);
	r->runs = 1;
	SMBLOCK_OPEN_RETRY(mid, req);
	say("retry", least, now() - outer);
}

static struct { nanoseconds outer, inner; } limits[16];

/* What fires the probes of limits, if another library has them: module.c. */
static struct {
	void (*limit)(long key, const char *file);
	void (*limited)(long key);
} module;

static void do_load(long unused)
{
	void *library = dlopen(text, RTLD_NOW);

	if (library == NULL) {
		fprintf(stderr, "actor: %s\n", dlerror());
		exit(1);
	}
	*(void **)&module.limit = dlsym(library, "module_limit");
	*(void **)&module.limited = dlsym(library, "module_limited");
}

/* A READ has to wait for the limits of its share; the number is the key. */
static void do_limit(long key)
{
	limits[key].outer = now();
	if (module.limit != NULL)
		module.limit(key, file);
	else
		VFS_LIMIT_START("pread", (char *)0x9000 + key, file, 4096,
				1000);
	limits[key].inner = now();
}

static void do_limited(long key)
{
	nanoseconds least = now() - limits[key].inner;
	char word[16];

	if (module.limited != NULL)
		module.limited(key);
	else
		VFS_LIMIT_DONE("pread", (char *)0x9000 + key);
	snprintf(word, sizeof(word), "limit%ld", key);
	say(word, least, now() - limits[key].outer);
}

/* An open meets the handle of a client that is away: 1 if it is refused. */
static void do_kept(long refused)
{
	SMBLOCK_HANDLE_KEPT(file, inode, 7, 7, (int)refused);
}

static volatile unsigned long spun;
static clockid_t spin_clock = CLOCK_MONOTONIC;

/* From here on it spins for that much time of the processor. */
static void do_cpu(long unused)
{
	spin_clock = CLOCK_THREAD_CPUTIME_ID;
}

__attribute__((noinline)) static void spin_for(long ms)
{
	nanoseconds end = sdtkit_nanoseconds(spin_clock) +
		(nanoseconds)ms * 1000000;
	int i;

	while (sdtkit_nanoseconds(spin_clock) < end) {
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

/*
 * How many notes there have been, and for how many the probe has fired; then
 * before how many of them there was a pause, for which it fires. Then so many
 * more come that nobody sees.
 */
static void do_notes(long more)
{
	say("notes", running.count, notes_told);
	say("pauses", pauses, pauses);
	running.count += (uint64_t)more;
}

/* Dies of a signal, without a message and without a core dump. */
static void do_signal(long number)
{
	struct rlimit none = { 0, 0 };

	fflush(stdout);
	setrlimit(RLIMIT_CORE, &none);
	kill(getpid(), (int)number);
}

/* What follows is done by a child. */
static void do_fork(long unused)
{
	pid_t child = fork();

	if (child == 0)
		return;
	waitpid(child, NULL, 0);
	_exit(0);
}

static void fork_one(int signum)
{
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sleep(12);
		_exit(0);
	}
}

/* So many children a second from now on, each for twelve seconds. */
static void do_crowd(long number)
{
	const struct timeval every = { .tv_usec = 1000000 / number - 1 };
	const struct itimerval timer = { every, every };

	signal(SIGCHLD, SIG_IGN);
	signal(SIGALRM, fork_one);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void do_leave(long status)
{
	fflush(stdout);
	_exit((int)status);
}

/* On a file, and quick; what the processor took, and how long it was. */
static void do_calls(long number)
{
	nanoseconds around = now(), begin, end;
	long i;

	begin = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < number; i++)
		fcntl(STDIN_FILENO, F_GETFL);
	end = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	say("calls", end - begin, now() - around);
}

static void do_from(long unused)
{
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

/*
 * Uses so many KB of memory, so that nothing else is left in a cache of that
 * size: no instructions either, if what is in the first level is also in the
 * second one.
 */
static void do_cold(long size)
{
	static volatile char *memory;
	long i;

	if (memory == NULL)
		memory = calloc((size_t)size, 1024);
	if (memory == NULL)
		exit(1);
	for (i = 0; i < size * 1024; i += 64)
		memory[i]++;
}

/*
 * So many requests at full speed, of 10,000 clients and for 100,000 files in
 * turn: "many:1000000".
 */
static void do_many(long count)
{
	static char client[64], name[64];
	long i;

	file = name;
	for (i = 0; i < count; i++) {
		snprintf(client, sizeof(client), "ipv4:10.%ld.%ld.%ld:50000",
			 i % 10000 / 200, i % 200, 1L);
		snprintf(name, sizeof(name), "folder/a file with number %ld",
			 i % 100000);
		SMBD_CLIENT_START(NULL, client, "ipv4:192.0.2.9:445", -1);
		do_begin(5);
		do_end(i % 10 == 0 ? 0xc0000034 : 0);
		if (i % 64 == 0)
			settle();
	}
}

static const struct {
	const char *word;
	void (*act)(long parameter);
} acts[] = {
	{ "wait", do_wait }, { "nested", do_nested },
	{ "req", do_req }, { "client", do_client }, { "share", do_share },
	{ "reshare", do_reshare },
	{ "file", do_file }, { "user", do_user }, { "mid", do_mid },
	{ "session", do_session }, { "body", do_body },
	{ "login", do_login }, { "logoff", do_logoff },
	{ "begin", do_begin }, { "data", do_data }, { "close", do_close },
	{ "result", do_result }, { "inner", do_inner }, { "end", do_end },
	{ "delayed", do_delayed }, { "sent", do_sent }, { "gone", do_gone },
	{ "hold", do_hold }, { "ctdb", do_ctdb }, { "ask", do_ask },
	{ "node", do_node }, { "self", do_self },
	{ "refuse", do_refuse }, { "defer", do_defer }, { "retry", do_retry },
	{ "limit", do_limit }, { "limited", do_limited },
	{ "kept", do_kept }, { "load", do_load }, { "fork", do_fork },
	{ "crowd", do_crowd }, { "cpu", do_cpu },
	{ "spin", do_spin }, { "open", do_open }, { "inode", do_inode },
	{ "exit", do_exit }, { "terminate", do_terminate },
	{ "signal", do_signal }, { "leave", do_leave },
	{ "calls", do_calls }, { "notes", do_notes },
	{ "many", do_many }, { "cold", do_cold },
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
	settle();
	puts("done");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL)
		;
	return 0;
}
