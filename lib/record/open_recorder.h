/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An open recorder, and its parts:
 *
 *	open.c		open, close: all that follows, put together
 *	core.c		a tap, a file, programs for sites
 *	forks.c		what a fork() does to it
 *	opened.c	those that are open
 *	create.c	the file
 *	left.c		removes files of processes that have ended
 *	catalogue.c	describes probes in it
 *	filter.c	patterns with filters
 *	program.c	a site -> what a hit does there
 *	hit.c claim.c advance.c memory.c
 *			the path of a hit; see write.h
 *	faults.c	the handler of faults: fix-ups, dumps
 *	dump.c		copies the file
 *	processes.c	who has the file: the last one removes it
 *	listen.c serve.c	the socket for "sdtkit trace -p"
 *	descriptor.c	descriptors that the program may close
 *	preload.c	LD_PRELOAD
 *	replaced.c	functions of the C library, in the shared library
 */
#ifndef SDTKIT_RECORD_OPEN_RECORDER_H
#define SDTKIT_RECORD_OPEN_RECORDER_H

#include <limits.h>
#include <pthread.h>
#include <sys/types.h>

#include "../preload/disposition.h"
#include "create.h"
#include "filter.h"
#include "sdtkit/recorder.h"
#include "sdtkit/tap.h"

struct sdtkit_tap_hook;

/*
 * What else than a recorder has a file: the functions that are called for it.
 * ../count has one.
 */
struct sdtkit_record_way {
	/* Before any site is attached to: the file and the writer are there. */
	int (*begin)(struct sdtkit_recorder *recorder);
	/* Makes what hit() gets for a site, and frees it. */
	int (*attach)(struct sdtkit_recorder *recorder,
		      const struct sdtkit_tap_hook *hook, void **site);
	void (*detach)(void *site);
	/* As that of struct sdtkit_tap_raw. */
	bool (*hit)(void *site, const uint64_t *registers, void *context);
	/* When no hit comes any more; also if it did not begin. */
	void (*free)(void *user);
};

struct sdtkit_recorder {
	/* NULL: it records events. */
	const struct sdtkit_record_way *kind;
	void *user;
	struct sdtkit_tap *tap;
	struct sdtkit_record_filters filters;
	struct sdtkit_record_output output;
	struct sdtkit_record_writer writer;
	unsigned int flags;
	size_t string_limit;
	char directory[PATH_MAX];
	/* The process that opened it. */
	pid_t owner;
	/* The file is another process's: it stays as it is at the close. */
	bool has_joined;
	/* Hits of its children are not wanted. */
	bool is_alone;
	/* Why attach() left a site out; "": it did not. */
	char problem[256];
	int problem_error;
	/* Sites that hits may be at; attach() and detach() count them. */
	size_t site_count;
	/* See listen.h; NULL in children. */
	struct sdtkit_record_listener *listener;
};

struct sdtkit_record_listener;

/*
 * core.c: opens a recorder with settings that sdtkit/recorder.h does not offer,
 * for those who follow: a mode that waits for its reader. The caller sees to
 * it that the process watches its forks.
 */
int sdtkit_record_open_recorder(const char *patterns, unsigned int flags,
				struct sdtkit_record_settings *settings,
				size_t string_limit,
				struct sdtkit_recorder **recorder);
/*
 * open.c: as sdtkit_recorder_open(). If it fails, user is freed.
 */
int sdtkit_record_open_with(const char *patterns,
			    const struct sdtkit_recorder_options *options,
			    const struct sdtkit_record_way *kind, void *user,
			    struct sdtkit_recorder **recorder);
/* Closes it; nothing listens for it. */
void sdtkit_record_close_recorder(struct sdtkit_recorder *recorder);
/* Keeps why for sdtkit_recorder_error(), with what can be done. */
int sdtkit_record_fail_left_out(const struct sdtkit_recorder *recorder,
				int error, bool is_all);

/* forks.c: once in a process, after its first recorder was opened. */
void sdtkit_record_watch_forks(void);

/* A recorder that writes to a file which another process has made. */
struct sdtkit_record_joining {
	/* The file; the caller closes it. */
	int fd;
	const char *patterns;
	/* As of sdtkit_recorder_options. */
	unsigned int flags;
	size_t string_limit;
	/* Keep the hits of children out. */
	bool is_alone;
};

/*
 * That no probe matches, and that sites are left out, is no error here: others
 * may match later. Errors: as sdtkit_recorder_open(), -ENOEXEC, -EBADMSG.
 */
int sdtkit_record_join(const struct sdtkit_record_joining *joining,
		       struct sdtkit_recorder **recorder);

/*
 * opened.c: those that are open; the handler of a fatal signal goes through
 * them. NULL where there is none.
 */
extern struct sdtkit_recorder *_Atomic
	sdtkit_record_all[SDTKIT_RECORD_WRITERS];
/* Those that are there; i is an int. */
#define SDTKIT_RECORD_FOR_EACH(recorder, i)				\
	for (i = 0; i < SDTKIT_RECORD_WRITERS; i++)			\
		if ((recorder = atomic_load(&sdtkit_record_all[i])) != NULL)
/* Held while one is opened or closed; taken before the lock of the taps. */
extern pthread_mutex_t sdtkit_record_lock;

/* Attaches all of them to libraries that were loaded. */
void sdtkit_record_rescan_all(void);

/*
 * Set by ../count, which uses this room: sets the kind of the settings, their
 * user and mode, and the patterns of the probes. NULL: it is not there.
 */
extern int (*sdtkit_record_prepare_counts)(const char *spans,
	struct sdtkit_record_settings *settings, const char **patterns);

/* A recorder was opened with SDTKIT_RECORDER_TRAPS. */
extern atomic_bool sdtkit_record_has_traps;

/* faults.c */
void sdtkit_record_handle_faults(bool for_dumps);
/* What the program wants is what the kernel does again. */
void sdtkit_record_give_back_faults(void);
/* Whether the handlers are installed, by this process or the one before it. */
bool sdtkit_record_has_handlers(void);
/* For the child of a fork(), which has them, too. */
void sdtkit_record_keep_handlers(void);
/*
 * Does for one of its signals what the program's sigaction(2) would have done,
 * and leaves the handler where it is. False: the signal is not one of them.
 */
bool sdtkit_record_note_action(int number, const struct sigaction *new,
			       struct sigaction *old);
/* sigaction(2) itself: replaced.c sets it, since that name is its own. */
extern sdtkit_sigaction_function *sdtkit_record_sigaction;

/*
 * dump.c: copies the file to an open one, as far as it is used. Fit for signal
 * handlers. Returns 0 or -errno.
 */
int sdtkit_record_write_dump(struct sdtkit_record_file *file, int to,
			     uint32_t signal);

/* processes.c */
/* A child that was counted in `forks` is there. */
void sdtkit_record_end_fork(struct sdtkit_record_file *file);
void sdtkit_record_add_process(struct sdtkit_record_file *file);
/* Returns whether no other process has the file. */
bool sdtkit_record_remove_process(struct sdtkit_record_file *file);

/* listen.c: a thread that hands out the file, until the end. */
int sdtkit_record_listen(struct sdtkit_recorder *recorder);
void sdtkit_record_stop_listening(struct sdtkit_recorder *recorder);
/* For a child, which does not have the thread: closes its descriptors. */
void sdtkit_record_forget_listener(struct sdtkit_recorder *recorder);

#endif /* SDTKIT_RECORD_OPEN_RECORDER_H */
