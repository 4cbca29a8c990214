/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See trap.h.  At a hit:
 *
 *	signal --> context's pc --> place --deliver.c--> its hooks
 *
 * and the program goes on behind the nop.
 *
 * Invariants:
 * 1. nothing here allocates or waits; errno is preserved;
 * 2. the handler, once installed, stays: when the last trap is taken away, some
 *    thread may be on its way here;
 * 3. a trap that is not ours is passed to the handler that was there before.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../preload/disposition.h"
#include "deliver.h"
#include "error.h"
#include "state.h"
#include "trap.h"

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
	struct sdtkit_disposition first;
	struct sdtkit_disposition last;
	bool was_installed;
} previous[SDTKIT_TAP_SIGNALS];

/* Where it lies is known when the thread starts: to reach it calls nothing. */
#define IN_HANDLER _Thread_local __attribute__((tls_model("initial-exec")))
static IN_HANDLER bool passing;

/* False: the trap is not one of ours. */
static bool find_and_deliver(struct sdtkit_tap_thread *thread,
			     ucontext_t *context)
{
	uintptr_t at = sdtkit_tap_pc(context) - sdtkit_tap_machine.behind;
	const struct sdtkit_tap_place *place = sdtkit_tap_place_find(at);

	if (place == NULL || place->trap == NULL)
		return false;
	sdtkit_tap_set_pc(context, at + place->trap->nop_size);
	thread->pid = getpid();
	sdtkit_tap_deliver(place, thread);
	return true;
}

static bool hit(ucontext_t *context)
{
	uint64_t registers[SDTKIT_TAP_REGISTERS];
	struct sdtkit_tap_thread thread = {
		.tid = (pid_t)syscall(SYS_gettid),
		.registers = registers,
		.vectors = sdtkit_tap_vectors(context),
	};
	struct sdtkit_tap_visitor visitor;
	bool ours;

	sdtkit_tap_registers(context, registers);
	sdtkit_tap_visitor_enter(thread.tid, &visitor);
	ours = find_and_deliver(&thread, context);
	sdtkit_tap_visitor_leave(&visitor);
	return ours;
}

/* Signals that a hit may raise, and that no handler may block. */
static void add_traps(sigset_t *set)
{
	size_t i;

	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (sdtkit_tap_machine.signals[i] != 0)
			sigaddset(set, sdtkit_tap_machine.signals[i]);
	}
}

/* A handler that was installed over ours may call ours again. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	size_t i = number == sdtkit_tap_machine.signals[0] ? 0 : 1;
	bool again = passing;
	sigset_t open;

	sigemptyset(&open);
	add_traps(&open);
	passing = true;
	sdtkit_disposition_pass_on(again ? &previous[i].first :
				   &previous[i].last, number, info, context,
				   &open);
	passing = again;
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

void sdtkit_tap_blocked_signals(sigset_t *blocked)
{
	static const int faults[] = { SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE,
				      SIGSYS, SIGABRT };
	size_t i;

	sigfillset(blocked);
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(blocked, faults[i]);
}

/* Signals other than faults are blocked until the handler has returned. */
static void install(size_t i)
{
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART,
	};
	struct sigaction present;

	sdtkit_tap_blocked_signals(&action.sa_mask);
	if (!sdtkit_disposition_take(&previous[i].last,
				     sdtkit_tap_machine.signals[i], &action,
				     sigaction) || previous[i].was_installed)
		return;
	sdtkit_disposition_get(&previous[i].last, &present);
	sdtkit_disposition_set(&previous[i].first, &present, NULL);
	previous[i].was_installed = true;
}

/*
 * A trap whose signal is blocked kills the process. If another thread has
 * installed a handler meanwhile, that one is put back.
 */
static void unblock_in_handler(int number, int trap)
{
	struct sigaction action, replaced;
	bool is_same;

	if (sigaction(number, NULL, &action) < 0 ||
	    action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN ||
	    sigismember(&action.sa_mask, trap) != 1)
		return;
	do {
		sigdelset(&action.sa_mask, trap);
		sigaction(number, &action, &replaced);
		is_same = replaced.sa_handler == action.sa_handler;
		action = replaced;
	} while (!is_same);
}

static void unblock_in_handlers(int trap)
{
	int number;

	for (number = 1; number < NSIG; number++)
		unblock_in_handler(number, trap);
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
