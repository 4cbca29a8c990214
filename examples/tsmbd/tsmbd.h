/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsmbd.h - what the programs in the kernel and the command tell each other.
 *
 * All times are in nanoseconds of CLOCK_MONOTONIC. Every map has a fixed
 * size; what did not fit is counted, see enum tsmbd_lost.
 */
#ifndef TSMBD_H
#define TSMBD_H

/* What the main thread of a process does: always exactly one of these. */
enum tsmbd_phase {
	TSMBD_WAIT,		/* for events */
	TSMBD_RECEIVE,
	TSMBD_PARSE,
	TSMBD_RUN,		/* a request */
	TSMBD_SEND,
	TSMBD_CTDB,		/* waits for the cluster daemon */
	TSMBD_OTHER,		/* timers, messages, ways in between */
	TSMBD_PHASES,		/* not known yet */
};

/* Commands of [MS-SMB2] 2.2.1.2, and one for whatever has another number. */
enum {
	TSMBD_SESSION_SETUP = 1,
	TSMBD_CREATE = 5,
	TSMBD_READ = 8,
	TSMBD_WRITE = 9,
	TSMBD_CANCEL = 12,
	TSMBD_QUERY_DIRECTORY = 14,
	TSMBD_NOTIFY = 15,
	TSMBD_UNKNOWN = 19,
	TSMBD_OPS,
};

enum {
	TSMBD_SLOTS = 32,		/* of a distribution: powers of 2 */
	TSMBD_SYSCALLS = 512,
	TSMBD_ADDRESS = 64,		/* "ipv4:192.0.2.7:50123" */
	TSMBD_NAME = 128,		/* file, share, user, reason */
	TSMBD_STACK = 24,		/* frames */
	TSMBD_USER_STACK = 127,		/* those of a sample */
	TSMBD_KERNEL_STACK = 64,
	TSMBD_SAMPLE_RING = 4 << 20,
	TSMBD_MAX_PROCESSES = 16384,
	TSMBD_KEPT = 4,			/* requests, in their process */
	TSMBD_MAX_REQUESTS = 65536,	/* under way, beyond the kept */
	TSMBD_MAX_DETAILS = 2 * TSMBD_MAX_PROCESSES,
	TSMBD_MAX_ERRORS = 1024,
	TSMBD_MAX_TOP = 32768,
};

/* Parts of the command that cost something only if they are asked for. */
enum {
	TSMBD_BASE = 1,
	TSMBD_FILE_NAMES = 2,		/* --slow and --top=files */
	TSMBD_SLOW = 4,
	TSMBD_EXITS = 8,
	TSMBD_OPLOCKS = 16,
	TSMBD_CALLS = 32,		/* all system calls */
	TSMBD_FLAME = 64,
	/* the kernel lacks a tracepoint: probes instead */
	TSMBD_NO_RECEIVES = 128,
	TSMBD_NO_SENDS = 256,
	TSMBD_NO_CALLS = 512,
};

enum tsmbd_top { TSMBD_TOP_NONE, TSMBD_CLIENTS, TSMBD_USERS, TSMBD_SHARES,
	TSMBD_FILES };

/* What a system call is for. */
enum tsmbd_call_kind {
	TSMBD_CALL_OTHER,
	TSMBD_CALL_WAIT,		/* for events */
	TSMBD_CALL_READ,		/* of a file */
	TSMBD_CALL_WRITE,
	TSMBD_CALL_FILE,		/* anything else with files */
	TSMBD_CALL_LOCK,		/* of a database, mostly */
	TSMBD_CALL_FCNTL,		/* FILE or LOCK, by its argument */
};

enum tsmbd_lost {
	TSMBD_LOST_PROCESSES,
	TSMBD_LOST_REQUESTS,
	TSMBD_LOST_DETAILS,
	TSMBD_LOST_ERRORS,
	TSMBD_LOST_TOP,
	TSMBD_LOST_LINES,
	TSMBD_LOST_SAMPLES,
	TSMBD_LOST_KINDS,
};

/* A request under way. */
struct tsmbd_request {
	unsigned long long start;
	unsigned long long end;		/* 0 until the result is known */
	unsigned long long deferred;	/* an open, since then, or 0 */
	unsigned long long run_ns;
	unsigned long long ctdb_ns;
	unsigned long long oplock_ns;
	unsigned long long vfs_ns;
	unsigned long long lock_ns;
	unsigned long long send_ns;
	unsigned long long bytes_in;
	unsigned long long xconn;
	unsigned int opcode;
	unsigned int status;
	unsigned int detailed;		/* it has a struct tsmbd_detail */
	unsigned int place;		/* kept in its process: from 1 on */
};

/*
 * A process; written by its main thread only. What it does often comes first:
 * a hit costs more by the cache lines that it touches than by its work.
 */
struct tsmbd_process {
	unsigned long long last;	/* accounted until then, */
	unsigned int phase;		/* and in this since */
	unsigned int back;		/* phase to go back to after ctdb */
	unsigned long long current;	/* the request that runs, or 0 */
	/* of what runs, since it was dispatched, resumed or woken up */
	unsigned long long run_ns;
	unsigned long long ctdb_ns;
	unsigned long long vfs_ns;
	unsigned long long lock_ns;
	unsigned int dead;
	unsigned int loop;		/* epoll's descriptor, or 0 */
	unsigned long long syscall_ns;
	unsigned long long kept[TSMBD_KEPT];	/* addresses of those below */
	unsigned int elsewhere;		/* requests in the map, at most */
	unsigned int opcode;		/* of what runs */
	unsigned int client;		/* it has served somebody */
	unsigned int unused;
	unsigned long long cancel;	/* since when it runs one, or 0 */
	unsigned long long cancel_bytes;
	unsigned long long phase_ns[TSMBD_PHASES];
	unsigned long long events;
	unsigned long long requests;
	unsigned long long request_ns;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long ctdb_requests;
	unsigned long long begin;	/* accounted from here */
	struct tsmbd_request request[TSMBD_KEPT];
	char remote[TSMBD_ADDRESS];
};

/* A system call that a thread is in. */
struct tsmbd_entered {
	unsigned long long since;	/* or 0 */
	unsigned int number;
	unsigned int kind;		/* enum tsmbd_call_kind */
	unsigned int main;		/* the main thread of its process */
	unsigned int unused;
};

struct tsmbd_request_key {
	unsigned long long req;
	unsigned long long pid;
};

/* What --slow tells of a request as well. */
struct tsmbd_detail {
	unsigned long long offset;
	unsigned long long length;
	char user[TSMBD_NAME];
	char share[TSMBD_NAME];
	char file[TSMBD_NAME];
};

/* Requests of one command, one for each CPU. */
struct tsmbd_op {
	unsigned long long count;
	unsigned long long total_ns;
	unsigned long long run_ns;
	unsigned long long ctdb_ns;
	unsigned long long oplock_ns;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long errors;
	unsigned long long slots[TSMBD_SLOTS];	/* log2 of microseconds */
};

/* Likewise, in two banks: the one not in use is cleared by the command. */
struct tsmbd_extreme {
	unsigned long long min;		/* 0 if there was none */
	unsigned long long max;
};

struct tsmbd_error_key {
	unsigned int opcode;
	unsigned int status;
};

struct tsmbd_call {
	unsigned long long count;
	unsigned long long ns;
};

/* Disk I/O by system calls of all threads: [0] reads, [1] writes. */
struct tsmbd_io {
	unsigned long long count;
	unsigned long long ns;
	unsigned long long slots[TSMBD_SLOTS];
};

struct tsmbd_top_value {
	unsigned long long requests;
	unsigned long long bytes;
	unsigned long long ns;
};

/* A line for the log. */
enum tsmbd_event_kind {
	TSMBD_EVENT_GONE,		/* a connection: no line */
	TSMBD_EVENT_SLOW,
	TSMBD_EVENT_TERMINATE,
	TSMBD_EVENT_DISCONNECT,
	TSMBD_EVENT_EXIT,
	TSMBD_EVENT_BREAK_REQUEST,
	TSMBD_EVENT_BREAK_RECEIVED,
	TSMBD_EVENT_OPLOCK_BREAK,
	TSMBD_EVENT_LEASE_BREAK,
	TSMBD_EVENT_OPLOCK_ACK,
	TSMBD_EVENT_LEASE_ACK,
	TSMBD_EVENT_TIMEOUT,
	TSMBD_EVENT_DEFER,
	TSMBD_EVENT_RETRY,
};

struct tsmbd_event {
	unsigned int kind;
	unsigned int pid;
	unsigned long long time;
	unsigned long long number[4];	/* by kind, see log.c */
	char remote[TSMBD_ADDRESS];
};

struct tsmbd_slow_event {
	struct tsmbd_event event;
	struct tsmbd_request request;
	struct tsmbd_detail detail;
};

/* --exit and --oplocks */
struct tsmbd_text_event {
	struct tsmbd_event event;
	char text[TSMBD_NAME];
	char location[TSMBD_NAME];
	int frames;
	unsigned int parent;		/* of the process */
	unsigned long long stack[TSMBD_STACK];
};

/* What a sample belongs to: a command, else a phase, or another thread. */
enum {
	TSMBD_ROOT_PHASE = TSMBD_OPS,
	TSMBD_ROOT_THREAD = TSMBD_ROOT_PHASE + TSMBD_PHASES,
	TSMBD_ROOTS,
};

/* --flame: where a thread was. Bytes of the stacks, or -errno. */
struct tsmbd_sample {
	unsigned int pid;
	unsigned int parent;
	unsigned int root;
	int user;
	int kernel;
	unsigned int unused;
	unsigned long long user_stack[TSMBD_USER_STACK];
	unsigned long long kernel_stack[TSMBD_KERNEL_STACK];
};

#endif /* TSMBD_H */
