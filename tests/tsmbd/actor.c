/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * actor.c - fires the probes of an smbd in the order of its arguments, and
 * says how long it was between them.
 *
 *	actor wait:20 begin:9 spin:300 ctdb:50 end:0
 *
 * What a tracer measures between two probes is longer than what lies between
 * them and shorter than what lies around: for each word with a time it prints
 * both, in nanoseconds.
 *
 *	ctdb 50061234 50068921
 *
 * It begins when it reads a line, and ends when there are no more.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ctdb_probes.h"
#include "smb2_probes.h"
#include "smbd_probes.h"
#include "smblock_probes.h"
#include "smbnet_probes.h"

enum { CLOSE = 6 };	/* [MS-SMB2] 2.2.1.2 */

typedef unsigned long long nanoseconds;

static char *const xconn = (char *)0x1000;
static char *req = (char *)0x2000;
static unsigned short opcodes[16];
static unsigned short *opcode = opcodes;
static unsigned long long inode;
static nanoseconds outer, inner;	/* when a deferred open began to wait */

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

/* For events that do not come, as an smbd does. */
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

/* A request waits in an event loop of its own, as for winbind. */
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

/* What follows is of this one, up to 15. */
static void do_req(long which)
{
	req = (char *)0x2000 + which * 0x100;
	opcode = &opcodes[which];
}

static void do_begin(long code)
{
	*opcode = (unsigned short)code;
	SMBNET_RECV_START(xconn, 4);
	SMBNET_PDU_RECEIVED(xconn, req, 100, 0);
	SMB2_REQUEST_START(1, *opcode, req, xconn, 0, 0, 0, 0, 0, 1, 100);
}

/* The file has the name of the request. */
static void do_close(long unused)
{
	char file[16];

	(void)unused;
	snprintf(file, sizeof(file), "closed %d", (int)(opcode - opcodes));
	SMB2_CLOSE_START(1, req, file, 7, 0);
}

static void do_result(long status)
{
	const char *file = *opcode == CLOSE ? "" : getenv("ACTOR_FILE");

	SMB2_REQUEST_END(1, *opcode, (unsigned int)status, req, 80, 0, xconn,
			 "share", file != NULL ? file : "file", "", "user",
			 NULL);
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

/* Goes on when it reads another line. */
static void do_hold(long unused)
{
	char line[16];

	(void)unused;
	puts("hold");
	fflush(stdout);
	if (fgets(line, sizeof(line), stdin) == NULL)
		exit(1);
}

static void do_defer(long holder)
{
	SMBLOCK_BREAK_REQUEST(inode, 7, 0xffffffff, (unsigned long)holder, 1);
	outer = now();
	SMBLOCK_OPEN_DEFER(1, req, inode, 70000000);
	SMB2_REQUEST_SUSPEND(1, *opcode, req, NULL, 0);
}

static void do_retry(long ms)
{
	nanoseconds least;

	sleep_ms(ms);
	least = now() - inner;
	SMB2_REQUEST_RESUME(1, *opcode, req);
	SMBLOCK_OPEN_RETRY(1, req);
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

/* What calls it shall stay on the stack. */
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

/* A function that calls none has no frame: gcc takes it for a leaf. */
__attribute__((noinline)) static void do_exit(long how)
{
	fflush(stdout);
	SMBD_EXIT((int)how, "the last act", "ipv4:192.0.2.1:1", 0, 0);
}

static const struct {
	const char *word;
	void (*act)(long parameter);
} acts[] = {
	{ "wait", do_wait }, { "nested", do_nested },
	{ "req", do_req }, { "begin", do_begin }, { "close", do_close },
	{ "result", do_result }, { "end", do_end }, { "gone", do_gone },
	{ "hold", do_hold }, { "ctdb", do_ctdb }, { "defer", do_defer },
	{ "retry", do_retry },
	{ "spin", do_spin }, { "open", do_open }, { "exit", do_exit },
};

int main(int argc, char **argv)
{
	char line[16];
	char *end;
	size_t i;
	int at;

	if (fgets(line, sizeof(line), stdin) == NULL)
		return 1;
	for (at = 1; at < argc; at++) {
		for (i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
			size_t length = strlen(acts[i].word);

			if (strncmp(argv[at], acts[i].word, length) != 0 ||
			    argv[at][length] != ':')
				continue;
			acts[i].act(strtol(argv[at] + length + 1, &end, 10));
			break;
		}
	}
	puts("done");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL)
		;
	return 0;
}
