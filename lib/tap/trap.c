/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See trap.h.  At a hit:
 *
 *	signal --> context's pc --> place --> each hook --> its tap's ring
 *	                                               \--> its tap's callback
 *
 * and the program goes on behind the nop.
 *
 * Invariants:
 * 1. nothing here allocates or waits, and locks are only tried (withdraw.h);
 *    errno is preserved;
 * 2. the handler, once installed, stays: when the last trap is taken away, some
 *    thread may be on its way here;
 * 3. a trap that is not ours is passed to the handler that was there before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "epoch.h"
#include "error.h"
#include "state.h"
#include "trap.h"
#include "withdraw.h"

enum {
	/* Values of si_code for SIGTRAP. */
	SINGLE_STEP = 2,
	HARDWARE = 4,
};

/*
 * The handlers of the program: the one before ours was first installed, and the
 * one before it was installed last.
 */
static struct {
	struct sigaction first;
	struct sigaction last;
	bool was_installed;
} previous[SDTKIT_TAP_SIGNALS];

/* Where it lies is known when the thread starts: to reach it calls nothing. */
#define IN_HANDLER _Thread_local __attribute__((tls_model("initial-exec")))
static IN_HANDLER bool passing;
/* The thread that is in a callback, or 0: by its id as well, see place.c. */
static IN_HANDLER pid_t in_hit;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void fill(struct sdtkit_tap_slot *slot,
		 const struct sdtkit_tap_hook *hook,
		 const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_space space = {
		.at = slot->text,
		.left = sizeof(slot->text),
		.limit = hook->tap->options.string_limit,
		.bytes = slot->bytes,
		.bytes_left = sizeof(slot->bytes),
		.members = slot->members,
		.members_left = SDTKIT_TAP_MEMBERS_MAX,
	};
	struct sdtkit_tap_event *event = &slot->event;
	size_t i;

	event->probe = &hook->entry->shown;
	event->site = hook->place->address;
	event->time = now();
	event->pid = thread->pid;
	event->tid = thread->tid;
	event->value_count = hook->operand_count;
	for (i = 0; i < hook->operand_count; i++)
		sdtkit_tap_decode(&hook->operands[i], hook->entry->forms[i],
				  thread, &event->values[i], &space);
}

static void lose(const struct sdtkit_tap *tap)
{
	atomic_fetch_add(&tap->buffer->lost, 1);
	if (tap->options.lost != NULL)
		tap->options.lost(tap->options.context);
}

static void call(const struct sdtkit_tap *tap,
		 const struct sdtkit_tap_hook *hook,
		 const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_slot *slot = sdtkit_tap_pool_claim(tap->buffer);

	if (slot == NULL) {
		lose(tap);
		return;
	}
	fill(slot, hook, thread);
	tap->options.callback(&slot->event, tap->options.context);
	sdtkit_tap_pool_release(slot);
}

static void keep(const struct sdtkit_tap *tap,
		 const struct sdtkit_tap_hook *hook,
		 const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_slot *slot;
	unsigned long number;

	slot = sdtkit_tap_buffer_claim(tap->buffer, thread->pid, &number);
	if (slot == NULL) {
		lose(tap);
		return;
	}
	fill(slot, hook, thread);
	sdtkit_tap_buffer_commit(slot, number);
}

/* A site that the callback hits would call the callback again, for ever. */
static void deliver(const struct sdtkit_tap_hook *hook,
		    const struct sdtkit_tap_thread *thread)
{
	const struct sdtkit_tap *tap = hook->tap;

	if (hook->hit != NULL) {
		hook->hit(hook->site, thread->registers, hook->context);
		return;
	}
	atomic_fetch_add(hook->entry->hits, 1);
	if (in_hit == thread->tid) {
		lose(tap);
		return;
	}
	in_hit = thread->tid;
	if (tap->options.callback != NULL)
		call(tap, hook, thread);
	else
		keep(tap, hook, thread);
	in_hit = 0;
}

/* False: the trap is not one of ours. */
static bool find_and_deliver(struct sdtkit_tap_thread *thread,
			     ucontext_t *context)
{
	uintptr_t at = sdtkit_tap_pc(context) - sdtkit_tap_machine.behind;
	const struct sdtkit_tap_place *place = sdtkit_tap_place_find(at);
	const struct sdtkit_tap_hook *hook;

	if (place == NULL || place->trap == NULL)
		return false;
	sdtkit_tap_set_pc(context, at + place->trap->nop_size);
	thread->pid = getpid();
	for (hook = atomic_load(&place->hooks); hook != NULL;
	     hook = atomic_load(&hook->next)) {
		deliver(hook, thread);
		if (atomic_load(&hook->tap->is_over))
			sdtkit_tap_withdraw(hook, thread->tid);
	}
	return true;
}

/*
 * A thread that is cancelled must not end in the middle: closes would wait for
 * it for ever.  The type is set as well: glibc's cancellation signal, which may
 * be pending, ignores the state.
 */
static bool hit(ucontext_t *context)
{
	uint64_t registers[SDTKIT_TAP_REGISTERS];
	struct sdtkit_tap_thread thread = {
		.tid = (pid_t)syscall(SYS_gettid),
		.registers = registers,
		.vectors = sdtkit_tap_vectors(context),
	};
	struct sdtkit_tap_reader reader;
	int state, type, unused;
	bool ours;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	sdtkit_tap_registers(context, registers);
	sdtkit_tap_reader_enter(thread.tid, &reader);
	ours = find_and_deliver(&thread, context);
	sdtkit_tap_reader_leave(&reader);
	pthread_setcancelstate(state, &unused);
	pthread_setcanceltype(type, &unused);
	return ours;
}

static void die(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

/* A handler that was installed over ours may call ours again. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	size_t i = number == sdtkit_tap_machine.signals[0] ? 0 : 1;
	bool again = passing;
	const struct sigaction *to = again ? &previous[i].first :
					     &previous[i].last;

	if (to->sa_flags & SA_SIGINFO) {
		passing = true;
		to->sa_sigaction(number, info, context);
		passing = again;
	} else if (to->sa_handler == SIG_DFL) {
		die(number);
	} else if (to->sa_handler == SIG_IGN) {
		/* The kernel ignores signals that were sent, not traps. */
		if (info->si_code > 0)
			die(number);
	} else {
		passing = true;
		to->sa_handler(number);
		passing = again;
	}
}

/* Neither a signal that was sent, nor one of a debugger's single steps. */
static bool is_of_instruction(int number, const siginfo_t *info)
{
	if (number != SIGTRAP)
		return info->si_code > 0;
	return info->si_code > 0 && info->si_code != SINGLE_STEP &&
	       info->si_code != HARDWARE;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	int error = errno;

	if (is_of_instruction(number, info) && hit(context)) {
		passing = false;
		errno = error;
		return;
	}
	errno = error;
	pass_on(number, info, context);
}

const char *sdtkit_tap_signal_name(void)
{
	return sdtkit_tap_machine.signals[0] == SIGILL ? "SIGILL" : "SIGTRAP";
}

static bool is_ours(int number)
{
	struct sigaction present;

	return sigaction(number, NULL, &present) == 0 &&
	       (present.sa_flags & SA_SIGINFO) &&
	       present.sa_sigaction == on_signal;
}

bool sdtkit_tap_is_handled(void)
{
	size_t i;

	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (sdtkit_tap_machine.signals[i] != 0 &&
		    !is_ours(sdtkit_tap_machine.signals[i]))
			return false;
	}
	return true;
}

/* Signals other than faults are blocked until the handler has returned. */
static void install(size_t i)
{
	static const int faults[] = { SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE,
				      SIGSYS, SIGABRT };
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART,
	};
	size_t j;

	sigfillset(&action.sa_mask);
	for (j = 0; j < sizeof(faults) / sizeof(faults[0]); j++)
		sigdelset(&action.sa_mask, faults[j]);
	sigaction(sdtkit_tap_machine.signals[i], NULL, &previous[i].last);
	if (!previous[i].was_installed)
		previous[i].first = previous[i].last;
	previous[i].was_installed = true;
	sigaction(sdtkit_tap_machine.signals[i], &action, NULL);
}

/* A trap whose signal is blocked kills the process. */
static void unblock_in_handlers(int trap)
{
	struct sigaction action;
	int number;

	for (number = 1; number < NSIG; number++) {
		if (sigaction(number, NULL, &action) < 0 ||
		    action.sa_handler == SIG_DFL ||
		    action.sa_handler == SIG_IGN ||
		    sigismember(&action.sa_mask, trap) != 1)
			continue;
		sigdelset(&action.sa_mask, trap);
		sigaction(number, &action, NULL);
	}
}

static int handle(size_t i)
{
	int number = sdtkit_tap_machine.signals[i];
	sigset_t blocked;

	if (number == 0)
		return 0;
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	if (sigismember(&blocked, number) == 1)
		return sdtkit_tap_fail(EBUSY, "this thread blocks %s, so the "
			"first probe that it hits would kill the process: "
			"unblock it with pthread_sigmask()",
			number == SIGILL ? "SIGILL" : "SIGTRAP");
	if (!is_ours(number))
		install(i);
	unblock_in_handlers(number);
	return 0;
}

int sdtkit_tap_handle(void)
{
	size_t i;
	int ret = 0;

	if (sdtkit_tap_machine.trap_count == 0)
		return sdtkit_tap_fail(EOPNOTSUPP, "this library does not know "
				       "the traps of this machine");
	for (i = 0; ret == 0 && i < SDTKIT_TAP_SIGNALS; i++)
		ret = handle(i);
	return ret;
}
