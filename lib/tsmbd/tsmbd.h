/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsmbd.h - the interface between the programs in the kernel and the command.
 *
 * All times are in nanoseconds of CLOCK_MONOTONIC. Every map has a fixed
 * size; what did not fit is counted, see enum tsmbd_lost.
 */
#ifndef TSMBD_H
#define TSMBD_H

#include "slots.h"
#include "taken.h"

/* The phase of the main thread of a process: always exactly one. */
enum tsmbd_phase {
	TSMBD_WAIT,		/* for events */
	TSMBD_RECEIVE,
	TSMBD_PARSE,		/* or run a request that has not told yet */
	TSMBD_RUN,		/* a request */
	TSMBD_SEND,
	TSMBD_CTDB,		/* waits for the cluster daemon */
	TSMBD_OTHER,		/* timers, messages, ways in between */
	TSMBD_PHASES,		/* not known yet */
};

/* Commands of [MS-SMB2] 2.2.1.2, and one for whatever has another number. */
enum {
	TSMBD_SESSION_SETUP = 1,
	TSMBD_TREE_CONNECT = 3,
	TSMBD_CREATE = 5,
	TSMBD_CLOSE = 6,
	TSMBD_FLUSH = 7,
	TSMBD_READ = 8,
	TSMBD_WRITE = 9,
	TSMBD_LOCK = 10,
	TSMBD_CANCEL = 12,
	TSMBD_QUERY_DIRECTORY = 14,
	TSMBD_NOTIFY = 15,
	TSMBD_UNKNOWN = 19,
	TSMBD_OPS,
};

enum {
	TSMBD_FINE_CAPACITY = 256,	/* for slots: the kernel uses a mask */
	TSMBD_COARSE_CAPACITY = TSMBD_FINE_CAPACITY / 2,
	TSMBD_SYSCALLS = 512,
	TSMBD_ADDRESS = 64,		/* "ipv4:192.0.2.7:50123" */
	TSMBD_NAME = 128,		/* share, user, reason */
	TSMBD_FILE = 512,		/* its name, from the share on */
	TSMBD_PATH = 4096,		/* what tells it from others */
	TSMBD_STACK = 24,		/* frames */
	TSMBD_SAMPLE_RING = 4 << 20,
	TSMBD_MAX_PROCESSES = 16384,
	TSMBD_KEPT = 4,			/* requests, in their process */
	TSMBD_MAX_REQUESTS = 65536,	/* under way, beyond the kept */
	TSMBD_MAX_DETAILS = 2 * TSMBD_MAX_PROCESSES,
	TSMBD_MAX_ERRORS = 2048,	/* for two reports */
	TSMBD_MAX_TOP = 16384,
	TSMBD_MAX_WAITS = 1024,
	TSMBD_MAX_LIMITED = 16384,	/* that wait for a share's limits */
	TSMBD_HANDLES = 8,		/* that a process reads and writes */
	TSMBD_MAX_SESSIONS = 2 * TSMBD_MAX_PROCESSES,
	TSMBD_MAX_WANTED = 8,		/* names of a filter */
	TSMBD_MAX_HASHES = 2 * TSMBD_MAX_WANTED,	/* as text, as sent */
	TSMBD_NOTE_WORDS = 16,		/* of a note of smbd: take.bpf.h */
	TSMBD_ASKED = 4,		/* holders that a process has asked */
};

/* Modes: work that is done only if an option needs it. */
enum {
	TSMBD_BASE = 1,
	TSMBD_SLOW = 4,
	TSMBD_EXITS = 8,
	TSMBD_OPLOCKS = 16,
	TSMBD_CALLS = 32,		/* all system calls */
	TSMBD_FLAME = 64,
	/* the kernel lacks a tracepoint: probes instead */
	TSMBD_NO_RECEIVES = 128,
	TSMBD_NO_SENDS = 256,
	TSMBD_NO_CALLS = 512,
	TSMBD_ERRORS = 1024,
	TSMBD_SIZES = 2048,
	/* one of them: the hit at the end of a request, without names or with */
	TSMBD_SUMMARY = 4096,
	TSMBD_DETAILS = 8192,
	/* samples now and then, for which no hit is made at the start */
	TSMBD_SAMPLES = 16384,
	/* what runs has to be known meanwhile, for one hit more */
	TSMBD_STARTS = TSMBD_FLAME,
	TSMBD_LINES = TSMBD_SLOW | TSMBD_ERRORS,
	/* they want to know more of a request */
	TSMBD_MORE = TSMBD_LINES | TSMBD_EXITS | TSMBD_OPLOCKS | TSMBD_CALLS |
		TSMBD_SIZES,
};

/* The kinds of names by which requests can be counted. */
enum tsmbd_kind { TSMBD_CLIENTS, TSMBD_USERS, TSMBD_SHARES, TSMBD_FILES,
	TSMBD_KINDS };

/* The purpose of a system call. */
enum tsmbd_call_kind {
	TSMBD_CALL_OTHER,
	TSMBD_CALL_WAIT,		/* for events */
	TSMBD_CALL_READ,		/* of a file */
	TSMBD_CALL_WRITE,
	TSMBD_CALL_FILE,		/* anything else with files */
	TSMBD_CALL_LOCK,		/* of a database, mostly */
	TSMBD_CALL_FCNTL,		/* FILE or LOCK, by its argument */
	TSMBD_CALL_KINDS = 8,		/* at most */
};

/* What the programs know of a system call, as one number. */
static inline unsigned int tsmbd_known(unsigned int kind, unsigned int index)
{
	return index * TSMBD_CALL_KINDS + kind;
}

static inline unsigned int tsmbd_known_kind(unsigned int known)
{
	return known % TSMBD_CALL_KINDS;
}

static inline unsigned int tsmbd_known_index(unsigned int known)
{
	return known / TSMBD_CALL_KINDS;
}

enum tsmbd_lost {
	TSMBD_LOST_PROCESSES,
	TSMBD_LOST_REQUESTS,
	TSMBD_LOST_SESSIONS,
	TSMBD_LOST_DETAILS,
	TSMBD_LOST_ERRORS,
	TSMBD_LOST_TOP,
	TSMBD_LOST_WAITS,
	TSMBD_LOST_LINES,
	TSMBD_LOST_SAMPLES,
	TSMBD_LOST_KINDS,
};

/* What only some versions of smbd tell of a request: limits.bpf.h. */
enum {
	TSMBD_IS_LIMITED = 1,		/* it waited for limits of its share */
	TSMBD_MET_KEPT = 2,		/* an open met a kept handle, */
	TSMBD_IS_REFUSED = 4,		/* and fails because of it */
};

/* A request under way. */
struct tsmbd_request {
	unsigned long long start;	/* 0: not known yet, it runs */
	unsigned long long end;		/* 0 until the result is known */
	unsigned long long deferred;	/* an open, since then, or 0 */
	unsigned long long run_ns;
	unsigned long long ctdb_ns;
	unsigned long long oplock_ns;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned int opcode;
	unsigned int status;
	unsigned short detailed;	/* it has a struct tsmbd_detail */
	unsigned short rare;		/* TSMBD_IS_LIMITED... */
	unsigned int ordinal;		/* among those kept in its process */
	/* what only TSMBD_MORE ask for, and what is not there without them */
	unsigned long long vfs_ns;
	unsigned long long lock_ns;
	unsigned long long send_ns;
	unsigned long long xconn;
	unsigned long long mid;
	unsigned long long session;
	unsigned long long io_bytes;	/* of a READ or WRITE */
	unsigned int io;		/* enum tsmbd_io_order */
	unsigned int filtered;		/* the filters do not want it */
	unsigned int asked;		/* ordinal of the holder, from 1 on */
	unsigned int slow;		/* the line is one of --slow */
	unsigned int delayed;		/* its reply waits for the socket */
	unsigned int unused;
	unsigned long long inode;	/* of the file that is held, */
	unsigned int holder;		/* by this pid; 0: nobody was asked */
	unsigned int node;		/* of that pid: struct tsmbd_asked */
	unsigned long long limit_ns;	/* if TSMBD_IS_LIMITED */
};

/* The holder that an open has asked to give up an oplock or a lease. */
struct tsmbd_asked {
	unsigned long long time;	/* or 0 */
	unsigned long long inode;
	unsigned long long share_file_id;
	unsigned int holder;		/* a pid */
	unsigned int node;		/* of the cluster, + 1; 0: none */
	char remote[TSMBD_ADDRESS];
};

/* Where the next READ and WRITE of a handle will be if they are sequential. */
struct tsmbd_handle {
	unsigned long long fnum;
	unsigned long long next[2];
};

/* What a process runs, as it notes itself. */
struct tsmbd_running {
	unsigned long long since;	/* or 0 */
	unsigned long long mid;
	unsigned long long session;
	unsigned int opcode;
	unsigned int unused;
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
	unsigned int dead;
	unsigned int loop;		/* epoll's descriptor, or 0 */
	unsigned long long cancel;	/* since when it runs one, or 0 */
	unsigned int client;		/* it has served somebody */
	unsigned int elsewhere;		/* requests in the map, at most */
	unsigned long long kept[TSMBD_KEPT];	/* addresses of those below */
	unsigned int pid;
	unsigned int opcode;		/* of what runs */
	unsigned long long running_at;	/* where its notes are, or 0 */
	unsigned long long noted;	/* how many of its notes are taken */
	unsigned long long at;		/* time of the note that is taken, or 0 */
	unsigned long long events;
	unsigned long long phase_ns[TSMBD_PHASES];
	long long opens;		/* files that its client has open */
	unsigned int generation;	/* of users and shares: tsmbd_owner */
	unsigned short said;		/* that it ends, by a probe */
	unsigned short rare;		/* of what runs: TSMBD_IS_LIMITED... */
	unsigned long long came;	/* the last part of a packet */
	/* what is rare, or what only some options ask for */
	unsigned long long vfs_ns;	/* likewise of what runs */
	unsigned long long lock_ns;
	unsigned long long syscall_ns;
	unsigned long long cancel_bytes;
	unsigned long long replying;	/* it ended last, and has no line yet */
	unsigned long long ctdb_requests;
	unsigned long long begin;	/* accounted from here */
	unsigned long long client_id;	/* hash of its host, or 0 */
	unsigned long long session;	/* SessionId of the last request */
	struct tsmbd_running running;	/* when a signal came */
	unsigned long long limit;	/* key of the last limit_start */
	unsigned int sessions;		/* that have been logged on to */
	unsigned int last_asked;
	struct tsmbd_request request[TSMBD_KEPT];
	struct tsmbd_request cancelling;	/* there is no room on a stack */
	unsigned long long note[TSMBD_NOTE_WORDS];	/* likewise: that one */
	char remote[TSMBD_ADDRESS];
	struct tsmbd_asked asked[TSMBD_ASKED];
	struct tsmbd_handle handle[TSMBD_HANDLES];	/* the last ones */
	unsigned long long num_handles;	/* that there have been */
};

/*
 * The system call that a thread is in. The times of a main thread are added
 * here at each call, and moved to its process now and then: calls_take().
 */
struct tsmbd_entered {
	unsigned long long since;	/* or 0 */
	unsigned int index;		/* of its counter */
	unsigned int kind;		/* enum tsmbd_call_kind */
	unsigned int main;		/* the main thread of its process */
	unsigned int shared;		/* this and regs: see threads.bpf.h */
	unsigned long long vfs_ns;
	unsigned long long lock_ns;
	unsigned long long syscall_ns;
	unsigned long long regs;	/* whose it is, or 0 */
	unsigned long long unused;	/* so that it fills a line of the cache */
};

struct tsmbd_request_key {
	unsigned long long req;
	unsigned long long pid;
};

/* What the file of a struct tsmbd_detail contains. */
enum tsmbd_raw {
	TSMBD_RAW_NONE,
	TSMBD_RAW_FILE,			/* that name, in UTF-16LE */
	TSMBD_RAW_SHARE,		/* of the share, likewise: \\server\share */
	TSMBD_RAW_USER,			/* of the user */
};

/*
 * Where the names of an entry have been read. A process has other ones in the
 * same memory only after a command that logs on or connects to a share, or ends
 * that: each of these begins another generation.
 */
struct tsmbd_owner {
	unsigned long long user;
	unsigned long long share;
	unsigned int generation;
	unsigned int what;		/* bits of enum tsmbd_kind; 0: none */
};

/* The names of a request, and what lines tell as well. */
struct tsmbd_detail {
	unsigned long long offset;
	unsigned long long length;
	unsigned long long hash[TSMBD_KINDS];	/* of the names, 0: none */
	unsigned int raw;		/* enum tsmbd_raw */
	unsigned int file_length;	/* in bytes, if that is not 0 */
	struct tsmbd_owner owner;	/* of user, share and their hashes */
	char user[TSMBD_NAME];
	char share[TSMBD_NAME];
	char file[TSMBD_FILE];
};

/*
 * Requests of one command, one for each CPU. The kernel only ever adds. There
 * are two banks: while the command reads one, the kernel adds to the other.
 */
struct tsmbd_op {
	unsigned long long count;
	unsigned long long total_ns;
	unsigned long long run_ns;
	unsigned long long ctdb_ns;
	unsigned long long oplock_ns;
	unsigned long long waited_ns;	/* for whatever else */
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long errors;
	unsigned long long limited;	/* those with limit_ns */
	unsigned long long limit_ns;	/* a part of waited_ns */
	unsigned long long kept;	/* opens that met a kept handle */
	unsigned long long refused;	/* those that it made fail */
	unsigned long long slots[TSMBD_FINE_CAPACITY];
};

/* The same, but the command clears the bank that it has read. */
struct tsmbd_extreme {
	unsigned long long min;		/* 0 if there was none */
	unsigned long long max;
};

struct tsmbd_error_key {
	unsigned int opcode;
	unsigned int status;
	unsigned int bank;
};

struct tsmbd_call {
	unsigned long long count;
	unsigned long long ns;
};

/*
 * One entry of a map: the kernel reads where an entry is before it reads it.
 * The calls that smbd makes for each file come first, so that their counters
 * are in a few lines of the cache.
 */
struct tsmbd_calls {
	struct tsmbd_call of[TSMBD_SYSCALLS];
};

/* Disk I/O by system calls of all threads: [0] reads, [1] writes. */
struct tsmbd_io {
	unsigned long long count;
	unsigned long long ns;
	unsigned long long slots[SLOTS_POWERS];
};

/* How a READ or WRITE continues the one before on the same handle. */
enum tsmbd_io_order { TSMBD_IO_UNKNOWN, TSMBD_IO_SEQUENTIAL, TSMBD_IO_RANDOM };

/* The data of READs or WRITEs; two banks, as struct tsmbd_op. */
struct tsmbd_size {
	unsigned long long count;
	unsigned long long sequential;
	unsigned long long slots[SLOTS_POWERS];	/* log2 of bytes */
};

/* Counters by name; each bank has its own table. */
struct tsmbd_top_key {
	unsigned long long hash;
	unsigned int kind;		/* enum tsmbd_kind */
	unsigned int command;		/* of a share by command: opcode + 1 */
};

struct tsmbd_top_value {
	unsigned long long requests;
	unsigned long long errors;
	unsigned long long bytes;
	unsigned long long ns;
	unsigned long long max;
	unsigned int named;
	unsigned int pid;		/* of a client without an address */
	unsigned long long limited;	/* see struct tsmbd_op */
	unsigned long long limit_ns;
	unsigned long long kept;
	unsigned long long refused;
	unsigned int slots[TSMBD_COARSE_CAPACITY];
	unsigned int raw;		/* of the file: see struct tsmbd_detail */
	unsigned int file_length;
	char name[TSMBD_NAME];		/* of a file: that of its share */
	char file[TSMBD_FILE];
};

/* A READ or WRITE that waits for the limits of its share; by process and key. */
struct tsmbd_limited {
	unsigned long long since;
	unsigned long long req;		/* 0: not known */
};

/* Opens that waited for an oplock, a lease or a share mode. */
struct tsmbd_wait_key {
	unsigned long long hash;	/* of share and file */
	unsigned long long inode;
	unsigned int pid;
	unsigned int holder;		/* 0: nobody was asked */
	unsigned int node;		/* of the holder, + 1; 0: here */
	unsigned int bank;
};

struct tsmbd_wait {
	unsigned long long count;
	unsigned long long ns;
	unsigned long long max;
	unsigned int raw;
	unsigned int file_length;
	char remote[TSMBD_ADDRESS];
	char holder[TSMBD_ADDRESS];
	char share[TSMBD_NAME];
	char file[TSMBD_FILE];
};

/* A line for the log. */
enum tsmbd_event_kind {
	TSMBD_EVENT_GONE,		/* a connection: no line */
	TSMBD_EVENT_SLOW,
	TSMBD_EVENT_ERROR,
	TSMBD_EVENT_TERMINATE,
	TSMBD_EVENT_DISCONNECT,
	TSMBD_EVENT_EXIT,
	TSMBD_EVENT_KILLED,
	TSMBD_EVENT_BREAK_REQUEST,
	TSMBD_EVENT_BREAK_RECEIVED,
	TSMBD_EVENT_OPLOCK_BREAK,
	TSMBD_EVENT_LEASE_BREAK,
	TSMBD_EVENT_OPLOCK_ACK,
	TSMBD_EVENT_LEASE_ACK,
	TSMBD_EVENT_TIMEOUT,
	TSMBD_EVENT_DEFER,
	TSMBD_EVENT_RETRY,
	TSMBD_EVENT_WAITED,
};

struct tsmbd_event {
	unsigned int kind;
	unsigned int pid;
	unsigned long long time;
	unsigned long long number[4];	/* by kind, see log.c */
	char remote[TSMBD_ADDRESS];
};

/* --slow and --errors */
struct tsmbd_request_event {
	struct tsmbd_event event;
	struct tsmbd_request request;
	struct tsmbd_detail detail;
};

/* An open that has waited. */
struct tsmbd_wait_event {
	struct tsmbd_event event;
	struct tsmbd_wait_key key;
	struct tsmbd_wait wait;
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

/* The root of a sample: a command, or else a phase or another thread. */
enum {
	TSMBD_ROOT_PHASE = TSMBD_OPS,
	TSMBD_ROOT_THREAD = TSMBD_ROOT_PHASE + TSMBD_PHASES,
	TSMBD_ROOTS,
};

/* --flame: where a thread was. */
struct tsmbd_sample {
	unsigned int root;
	unsigned int unused;
	struct stacks stacks;
};

/* The secret of the hashes, see hash.h. */
struct tsmbd_secret {
	unsigned long long begin;
	unsigned long long factors[2];	/* odd */
};

/*
 * An answer with this status is a failure. The others are those that smbd's
 * own statistics of failures leave out too.
 */
static inline int tsmbd_is_failure(unsigned int opcode, unsigned int status)
{
	if (status == 0)
		return 0;
	switch (opcode) {
	case TSMBD_SESSION_SETUP:
		return status != 0xc0000016;	/* MORE_PROCESSING_REQUIRED */
	case TSMBD_READ:
		return status != 0xc0000011;	/* END_OF_FILE */
	case TSMBD_QUERY_DIRECTORY:
		return status != 0x80000006;	/* NO_MORE_FILES */
	case TSMBD_NOTIFY:
		return status != 0xc0000120;	/* CANCELLED */
	default:
		return 1;
	}
}

#endif /* TSMBD_H */
