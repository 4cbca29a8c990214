/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See disposition.h. Signals are blocked, and the default action is restored,
 * by system calls: the names of libc's functions may be those of the preloaded
 * library, which would leave out the signals of hits.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "disposition.h"

enum {
	/* The kernel's sigset_t, at the beginning of libc's. */
	SET_SIZE = _NSIG / 8,
	SET_WORDS = SET_SIZE / sizeof(long),
};

struct set {
	unsigned long words[SET_WORDS];
};

static struct set set_of(const void *from)
{
	struct set set;

	memcpy(&set, from, sizeof(set));
	return set;
}

static void change_mask(int how, const struct set *new, struct set *old)
{
	syscall(SYS_rt_sigprocmask, how, new, old, SET_SIZE);
}

/* ------------------------------------------------- two copies, one valid */

static void copy_out(atomic_ulong *from, struct sigaction *action)
{
	unsigned long words[SDTKIT_DISPOSITION_WORDS];
	size_t i;

	for (i = 0; i < SDTKIT_DISPOSITION_WORDS; i++)
		words[i] = atomic_load(&from[i]);
	memcpy(action, words, sizeof(*action));
}

/* If it is set twice meanwhile, the copy may be another one's in part. */
void sdtkit_disposition_get(struct sdtkit_disposition *disposition,
			    struct sigaction *action)
{
	unsigned int version;

	do {
		version = atomic_load(&disposition->version);
		copy_out(disposition->copies[version % 2], action);
	} while (atomic_load(&disposition->version) != version);
}

/* The thread that had the lock at a fork() does not exist in the child. */
static void lock(struct sdtkit_disposition *disposition)
{
	pid_t self = getpid(), owner = 0;

	while (!atomic_compare_exchange_strong(&disposition->setter, &owner,
					       self)) {
		if (owner == self) {
			owner = 0;
			sched_yield();
		}
	}
}

static void put(struct sdtkit_disposition *disposition,
		const struct sigaction *action)
{
	unsigned int next = atomic_load(&disposition->version) + 1;
	unsigned long words[SDTKIT_DISPOSITION_WORDS];
	size_t i;

	memcpy(words, action, sizeof(words));
	for (i = 0; i < SDTKIT_DISPOSITION_WORDS; i++)
		atomic_store(&disposition->copies[next % 2][i], words[i]);
	atomic_store(&disposition->version, next);
}

void sdtkit_disposition_set(struct sdtkit_disposition *disposition,
			    const struct sigaction *new, struct sigaction *old)
{
	struct sigaction before, after;
	struct set all, mask;

	sdtkit_disposition_get(disposition, &before);
	if (new != NULL) {
		/* A fault here is the program's, and the lock is not held. */
		after = *new;
		/* A handler that sets it must not find the lock taken. */
		memset(&all, 0xff, sizeof(all));
		change_mask(SIG_BLOCK, &all, &mask);
		lock(disposition);
		sdtkit_disposition_get(disposition, &before);
		put(disposition, &after);
		atomic_store(&disposition->setter, 0);
		change_mask(SIG_SETMASK, &mask, NULL);
	}
	if (old != NULL)
		*old = before;
}

/* -------------------------------------------------------------- installing */

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_handler == b->sa_handler &&
	       (a->sa_flags & SA_SIGINFO) == (b->sa_flags & SA_SIGINFO);
}

bool sdtkit_disposition_take(struct sdtkit_disposition *disposition, int number,
			     const struct sigaction *ours,
			     sdtkit_sigaction_function *set)
{
	struct sigaction present, replaced;

	if (set(number, NULL, &present) < 0 || is_same(&present, ours))
		return false;
	/* Set first: a signal may come as soon as ours is installed. */
	sdtkit_disposition_set(disposition, &present, NULL);
	if (set(number, ours, &replaced) < 0)
		return false;
	if (!is_same(&replaced, &present) && !is_same(&replaced, ours))
		sdtkit_disposition_set(disposition, &replaced, NULL);
	return true;
}

/* ------------------------------------------------------------- passing on */

/*
 * Ends the program as the signal would have. An instruction that faulted is
 * executed again, so that a core dump shows it; behind a trap, the program
 * counter has moved on already.
 */
static void die(int number, const siginfo_t *info)
{
	/* Zeros are SIG_DFL, whatever the order of the kernel's struct is. */
	static const unsigned long action[8];
	struct set only = { { 0 } };

	syscall(SYS_rt_sigaction, number, action, NULL, SET_SIZE);
	if (info->si_code > 0 && number != SIGTRAP && number != SIGABRT)
		return;
	raise(number);
	only.words[(size_t)(number - 1) / (8 * sizeof(long))] =
		1UL << ((size_t)(number - 1) % (8 * sizeof(long)));
	change_mask(SIG_UNBLOCK, &only, NULL);
}

/* What was blocked when the signal came, and what its handler blocks. */
static void block(const struct sigaction *action, int number,
		  const void *context, const sigset_t *open)
{
	const ucontext_t *interrupted = context;
	struct set before = set_of(&interrupted->uc_sigmask), of, never, mask;
	sigset_t blocked = action->sa_mask;
	size_t i;

	if (!(action->sa_flags & SA_NODEFER))
		sigaddset(&blocked, number);
	of = set_of(&blocked);
	never = set_of(open);
	for (i = 0; i < SET_WORDS; i++)
		mask.words[i] = before.words[i] |
				(of.words[i] & ~never.words[i]);
	change_mask(SIG_SETMASK, &mask, NULL);
}

void sdtkit_disposition_pass_on(struct sdtkit_disposition *disposition,
				int number, siginfo_t *info, void *context,
				const sigset_t *open)
{
	struct sigaction action, reset;

	sdtkit_disposition_get(disposition, &action);
	/* The kernel ignores what was sent, not what an instruction raised. */
	if (action.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
		die(number, info);
		return;
	}
	if (action.sa_flags & (int)SA_RESETHAND) {
		reset = action;
		reset.sa_handler = SIG_DFL;
		sdtkit_disposition_set(disposition, &reset, NULL);
	}
	block(&action, number, context, open);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
}
