/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The handler of the signals that end a process:
 *
 *	a load of hit.c faults		goes on behind it: access.h
 *	the file was truncated		ends the recording, not the program
 *	anything else			writes a dump, then what was there before
 *
 * Invariants:
 * 1. A process writes one dump only: a program may handle faults itself, and
 *    go on.
 * 2. What was installed before ours is called as the kernel would have:
 *    ../preload/disposition.h.
 * 3. A thread that crashes while another writes the dump waits for it, because
 *    it would end the process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "access.h"
#include "machine.h"
#include "open_recorder.h"

static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

enum {
	SIGNALS = sizeof(signals) / sizeof(signals[0]),
	/* The first ones are those of loads; the others are for dumps alone. */
	FAULTS = 2,
	/* Half a minute, for a dump. */
	PAUSES = 3000,
	PAUSE_NS = 10000000,
};

sdtkit_sigaction_function *sdtkit_record_sigaction = sigaction;
/* What the program wants done with its own signals. */
static struct sdtkit_disposition previous[SIGNALS];
/* The process that has these handlers. The child of a vfork() is another. */
static volatile pid_t owner;
/* How many of the signals are handled. */
static int handled;
/* The process that has written a dump, << 32, and the thread that writes it. */
static _Atomic uint64_t dumped;

#if SDTKIT_RECORD_FIXES
extern const struct sdtkit_record_fixup
	__start_sdtkit_fixup[] __attribute__((visibility("hidden")));
extern const struct sdtkit_record_fixup
	__stop_sdtkit_fixup[] __attribute__((visibility("hidden")));

static bool fix_up(ucontext_t *context)
{
	const struct sdtkit_record_fixup *fixup = __start_sdtkit_fixup;
	uintptr_t pc = sdtkit_tap_pc(context);

	for (; fixup < __stop_sdtkit_fixup; fixup++) {
		if (fixup->load != pc)
			continue;
		sdtkit_tap_set_pc(context, fixup->behind);
		return true;
	}
	return false;
}
#else
static bool fix_up(ucontext_t *context)
{
	return false;
}
#endif

/* Somebody has truncated the file: what is written goes nowhere from now on. */
static bool replace_file(const siginfo_t *info)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	struct sdtkit_recorder *recorder;
	int i;

	SDTKIT_RECORD_FOR_EACH(recorder, i) {
		struct sdtkit_record_output *output = &recorder->output;

		if (address - (uintptr_t)output->file >= output->size)
			continue;
		return mmap(output->file, output->size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
			    MAP_NORESERVE, -1, 0) == output->file;
	}
	return false;
}

/* "/dev/shm/sdtkit-dump-4711"; snprintf() is not for signal handlers. */
static void name_dump(const char *directory, int index, char *path)
{
	static const char middle[] = "/sdtkit-dump-";
	size_t length = strnlen(directory, PATH_MAX - 64);
	char digits[16];
	int count = 0;
	pid_t pid = getpid();

	memcpy(path, directory, length);
	memcpy(path + length, middle, sizeof(middle) - 1);
	length += sizeof(middle) - 1;
	do {
		digits[count++] = (char)('0' + pid % 10);
		pid /= 10;
	} while (pid > 0);
	while (count > 0)
		path[length++] = digits[--count];
	if (index > 0) {
		path[length++] = '.';
		path[length++] = (char)('0' + index);
	}
	path[length] = '\0';
}

static void dump(int number)
{
	static char path[PATH_MAX];
	struct sdtkit_recorder *recorder;
	int i, fd;

	SDTKIT_RECORD_FOR_EACH(recorder, i) {
		if (recorder->directory[0] == '\0' ||
		    (recorder->flags & SDTKIT_RECORDER_NO_DUMP))
			continue;
		name_dump(recorder->directory, i, path);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
			  O_CLOEXEC, 0600);
		if (fd < 0)
			continue;
		if (sdtkit_record_write_dump(recorder->output.file, fd,
					     (uint32_t)number) < 0)
			unlink(path);
		close(fd);
	}
}

static void wait_for_dump(uint64_t of)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int i;

	for (i = 0; i < PAUSES && atomic_load(&dumped) == of; i++)
		nanosleep(&pause, NULL);
}

static void dump_once(int number)
{
	uint64_t process = (uint64_t)getpid() << 32, before;
	uint64_t self = process | (uint32_t)syscall(SYS_gettid);

	before = atomic_load(&dumped);
	while (before >> 32 != process >> 32) {
		if (!atomic_compare_exchange_weak(&dumped, &before, self))
			continue;
		dump(number);
		atomic_store(&dumped, process);
		return;
	}
	if (before != process && before != self)
		wait_for_dump(before);
}

/* The index of a signal, or -1. */
static int index_of(int number)
{
	int i;

	for (i = 0; i < SIGNALS; i++) {
		if (signals[i] == number)
			return i;
	}
	return -1;
}

/*
 * A hit in the program's handler may raise what the handler blocks, but for
 * this signal itself: a second fault ends the program, as without a recorder,
 * and until then the kernel copies strings for hits.
 */
static void pass_on(int number, siginfo_t *info, void *context)
{
	sigset_t open;

	sigemptyset(&open);
	sigaddset(&open, SIGSEGV);
	sigaddset(&open, SIGBUS);
	sigdelset(&open, number);
	if (atomic_load(&sdtkit_record_has_traps))
		sigaddset(&open, SIGTRAP);
	sdtkit_record_look_again();
	sdtkit_disposition_pass_on(&previous[index_of(number)], number, info,
				   context, &open);
}

void sdtkit_record_on_fault(int number, siginfo_t *info, void *context)
{
	bool is_memory = number == SIGSEGV || number == SIGBUS;
	int error = errno;

	if (is_memory && info->si_code > 0 &&
	    (fix_up(context) || (number == SIGBUS && replace_file(info)))) {
		errno = error;
		return;
	}
	if (handled == SIGNALS)
		dump_once(number);
	errno = error;
	pass_on(number, info, context);
}

bool sdtkit_record_has_handlers(void)
{
	return owner != 0;
}

void sdtkit_record_keep_handlers(void)
{
	if (owner != 0)
		owner = getpid();
}

/*
 * Ours, on the stack on which the program's own handler would run. If the
 * program has none, that is the alternate stack: the thread may have used up
 * its own.
 */
static struct sigaction action_over(const struct sigaction *theirs)
{
	struct sigaction ours = {
		.sa_sigaction = sdtkit_record_on_fault,
		.sa_flags = SA_SIGINFO | SA_NODEFER,
	};

	if (theirs->sa_handler == SIG_DFL || theirs->sa_handler == SIG_IGN ||
	    (theirs->sa_flags & SA_ONSTACK))
		ours.sa_flags |= SA_ONSTACK;
	return ours;
}

bool sdtkit_record_note_action(int number, const struct sigaction *new,
			       struct sigaction *old)
{
	struct sigaction ours;
	int i = index_of(number);

	if (i < 0 || i >= handled || owner == 0 || owner != getpid())
		return false;
	sdtkit_disposition_set(&previous[i], new, old);
	if (new != NULL) {
		ours = action_over(new);
		sdtkit_record_sigaction(number, &ours, NULL);
	}
	return true;
}

void sdtkit_record_handle_faults(bool for_dumps)
{
	int count = for_dumps ? (int)SIGNALS : (int)FAULTS, i;
	struct sigaction present, ours;

	for (i = 0; i < count; i++) {
		if (sdtkit_record_sigaction(signals[i], NULL, &present) < 0)
			continue;
		ours = action_over(&present);
		sdtkit_disposition_take(&previous[i], signals[i], &ours,
					sdtkit_record_sigaction);
	}
	if (count > handled)
		handled = count;
	owner = getpid();
}

void sdtkit_record_give_back_faults(void)
{
	struct sigaction theirs;
	int i;

	owner = 0;
	for (i = 0; i < handled; i++) {
		sdtkit_disposition_get(&previous[i], &theirs);
		sdtkit_record_sigaction(signals[i], &theirs, NULL);
	}
	handled = 0;
}
