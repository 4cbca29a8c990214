/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A flight recorder: keeps the last events of the probes of a process, and of
 * the processes that it forks, in a file of bounded size, without a tracer,
 * root or kernel support.
 *
 *	struct sdtkit_recorder *recorder;
 *
 *	if (sdtkit_recorder_open("smb2:*,vfs:*", NULL, &recorder) < 0)
 *		warnx("%s", sdtkit_recorder_error());
 *	serve();
 *	if (something_is_wrong)
 *		sdtkit_recorder_dump(recorder, "/var/tmp/wrong.sdtkit");
 *	sdtkit_recorder_close(recorder);
 *
 * "sdtkit trace --snapshot" reads the file, the dump, and what a process that
 * was killed has left; "sdtkit trace -p PID" follows a running one. Without a
 * change to the program:
 *
 *	LD_PRELOAD=libsdtkit-recorder.so SDTKIT_RECORDER='smb2:*' smbd
 *
 * docs/recorder.md says what a hit costs, and has the limits.
 *
 * Link with: pkg-config --libs sdtkit-recorder
 *
 * Conventions: a function that can fail returns 0 or -errno, and leaves a text
 * in sdtkit_recorder_error(). An out-parameter is set on success only. No
 * function may be called from a signal handler.
 */
#ifndef SDTKIT_RECORDER_H
#define SDTKIT_RECORDER_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library is compiled with all other names hidden. */
#define SDTKIT_RECORDER_PUBLIC __attribute__((visibility("default")))

struct sdtkit_recorder;

enum sdtkit_recorder_mode {
	/* The oldest events are overwritten: what a flight recorder does. */
	SDTKIT_RECORDER_OVERWRITE,
	/* Events that find no space are lost and counted. */
	SDTKIT_RECORDER_DISCARD,
};

enum sdtkit_recorder_flags {
	/*
	 * Keep the events in memory that has no name. They are gone with the
	 * last process that has it, also if that is killed.
	 */
	SDTKIT_RECORDER_NO_FILE = 1 << 0,
	/* Write no dump when a signal is about to end a process. */
	SDTKIT_RECORDER_NO_DUMP = 1 << 1,
	/* Do not listen for "sdtkit trace -p"; no thread is created. */
	SDTKIT_RECORDER_NO_LISTEN = 1 << 2,
	/* Leave the file where it is when the recorder is closed. */
	SDTKIT_RECORDER_KEEP = 1 << 3,
	/*
	 * Attach also to sites that cannot have a jump, by a trap. DANGER: a
	 * thread that blocks SIGTRAP, as those of thread pools that block all
	 * signals, ends the process when it hits such a site; and a hit takes
	 * microseconds. Where this library has no jumps (other machines than
	 * x86-64, aarch64 and ppc64le) nothing can be recorded without it.
	 */
	SDTKIT_RECORDER_TRAPS = 1 << 4,
};

/* Options that are 0 or NULL stand for the default. */
struct sdtkit_recorder_options {
	unsigned int flags;
	enum sdtkit_recorder_mode mode;
	/* Bytes of all rings; 64 MiB. The file is sparse. */
	size_t size;
	/* Bytes of the ring of a thread, a power of two; 256 KiB. */
	size_t ring_size;
	/* Bytes that are kept of a string; 255. */
	size_t string_limit;
	/*
	 * Where the file and the dumps of fatal signals are: $XDG_RUNTIME_DIR,
	 * or /dev/shm. It must exist, and should be in memory.
	 */
	const char *directory;
	/*
	 * A process that a signal ends leaves its file. This is how many of
	 * those that processes of this program and user have left there stay
	 * when a recorder is opened, the youngest ones; 4. Negative: none.
	 */
	int keep;
};

/*
 * Attaches to all probes that the patterns select, in the program and its
 * libraries, and records their hits. PATTERNS in sdtkit(1) has the grammar,
 * with filters: "smb2:request_start/opcode==5 1%100/". Sites that cannot be
 * attached to are left out, and those where there can only be a trap, see
 * SDTKIT_RECORDER_TRAPS. options are copied.
 *
 * Errors: -ENOENT (no probe matches), -EINVAL (a pattern, a filter or a size),
 * -EOPNOTSUPP (all sites are left out), -EBUSY (traps are asked for, and this
 * thread blocks their signal),
 * -ENOTDIR (there is no such directory), -EMFILE (four recorders are open),
 * -ENOSPC, the others of open(2) for the file.
 */
SDTKIT_RECORDER_PUBLIC
int sdtkit_recorder_open(const char *patterns,
			 const struct sdtkit_recorder_options *options,
			 struct sdtkit_recorder **recorder);

/*
 * Counts spans instead of recording events: how many of each name there were,
 * how many of them failed, how long they took, and sums of their arguments, for
 * "sdtkit top". The patterns select spans that the descriptions of the program
 * and its libraries declare, "smb2:*", and may have filters, as those of events:
 * "smb2:request/status!=0/" looks at the arguments of ends. Each thread adds to sums of its own, in
 * the ring that it would have otherwise, and none takes a lock.
 *
 * The recorder is one as sdtkit_recorder_open() opens it, with the same options
 * (mode and string_limit mean nothing): it is one of the four, listens, is
 * rescanned, dumped and closed. Spans that a library declares which is loaded
 * later are not counted.
 *
 * Errors: the same; -ENOENT (no span matches), -E2BIG (more than 64 do), -EINVAL
 * (a filter does not fit its span).
 */
SDTKIT_RECORDER_PUBLIC
int sdtkit_recorder_count(const char *patterns,
			  const struct sdtkit_recorder_options *options,
			  struct sdtkit_recorder **recorder);

/*
 * Writes what such a recorder has counted as text for Prometheus (text/plain;
 * version=0.0.4), so that a server can serve its own metrics. They are those of
 * "sdtkit serve": sdtkit_span_duration_seconds and so on, with the labels
 * program, provider, span and name. A name is a series of its own, also if it is
 * the text of a query. Any thread may call this, while others go on counting.
 *
 * Errors: -EINVAL (the recorder does not count), -ENOMEM, -EIO (out has an
 * error).
 */
SDTKIT_RECORDER_PUBLIC
int sdtkit_recorder_metrics(const struct sdtkit_recorder *recorder, FILE *out);

/* Attaches to libraries that dlopen() has loaded since the last attachment. */
SDTKIT_RECORDER_PUBLIC
int sdtkit_recorder_rescan(struct sdtkit_recorder *recorder);

/*
 * Copies what the file has now to a new file; path must not exist. Threads may
 * go on meanwhile. Errors: those of open(2) and write(2).
 */
SDTKIT_RECORDER_PUBLIC
int sdtkit_recorder_dump(struct sdtkit_recorder *recorder, const char *path);

/* The path of the file; "" with SDTKIT_RECORDER_NO_FILE. */
SDTKIT_RECORDER_PUBLIC
const char *sdtkit_recorder_path(const struct sdtkit_recorder *recorder);

/* How many sites were left out; after the open, the error has the reason. */
SDTKIT_RECORDER_PUBLIC
size_t sdtkit_recorder_left_out(const struct sdtkit_recorder *recorder);

/*
 * Detaches, and removes the file if no other process has it. NULL is allowed.
 * At a normal end of the program the file is removed, too.
 */
SDTKIT_RECORDER_PUBLIC
void sdtkit_recorder_close(struct sdtkit_recorder *recorder);

/* The text of the last failure in this thread. */
SDTKIT_RECORDER_PUBLIC
const char *sdtkit_recorder_error(void);

#ifdef __cplusplus
}
#endif

#endif /* SDTKIT_RECORDER_H */
