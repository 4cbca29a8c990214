/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the C library that block signals, for this thread, a new one, or
 * while they wait: handlers run with such a mask, and may hit probes. What a
 * hit raises must not be blocked, because the kernel would end the program.
 *
 *	sigsuspend(all but SIGCHLD)	all but SIGCHLD and the signals of hits
 *
 * These functions replace the C library's by their names. Those of BSD and
 * System V (sigblock, sigsetmask, sighold, sigset, sigpause), setcontext(), and
 * system calls that are made without the C library, are not replaced.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "replace.h"

SDTKIT_PRELOAD_NEXT(sigprocmask)
SDTKIT_PRELOAD_NEXT(pthread_sigmask)
SDTKIT_PRELOAD_NEXT(sigsuspend)
SDTKIT_PRELOAD_NEXT(ppoll)
SDTKIT_PRELOAD_NEXT(pselect)
SDTKIT_PRELOAD_NEXT(epoll_pwait)
SDTKIT_PRELOAD_NEXT(pthread_attr_setsigmask_np)

SDTKIT_PRELOAD_REPLACED
int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	return next_sigprocmask()(how, how == SIG_UNBLOCK ? set :
				  sdtkit_preload_without(set, &copy), old);
}

SDTKIT_PRELOAD_REPLACED
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	return next_pthread_sigmask()(how, how == SIG_UNBLOCK ? set :
				      sdtkit_preload_without(set, &copy), old);
}

/* The following block signals while they wait. */
SDTKIT_PRELOAD_REPLACED
int sigsuspend(const sigset_t *set)
{
	sigset_t copy;

	return next_sigsuspend()(sdtkit_preload_without(set, &copy));
}

SDTKIT_PRELOAD_REPLACED
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	  const sigset_t *set)
{
	sigset_t copy;

	return next_ppoll()(fds, count, timeout,
			    sdtkit_preload_without(set, &copy));
}

/* The name of ppoll() in programs built with _FORTIFY_SOURCE. */
int __ppoll_chk(struct pollfd *fds, nfds_t count,
		const struct timespec *timeout, const sigset_t *set,
		size_t size);
SDTKIT_PRELOAD_NEXT(__ppoll_chk)

SDTKIT_PRELOAD_REPLACED
int __ppoll_chk(struct pollfd *fds, nfds_t count,
		const struct timespec *timeout, const sigset_t *set,
		size_t size)
{
	sigset_t copy;

	return next___ppoll_chk()(fds, count, timeout,
				  sdtkit_preload_without(set, &copy), size);
}

SDTKIT_PRELOAD_REPLACED
int pselect(int count, fd_set *readable, fd_set *writable, fd_set *other,
	    const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	return next_pselect()(count, readable, writable, other, timeout,
			     sdtkit_preload_without(set, &copy));
}

SDTKIT_PRELOAD_REPLACED
int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout,
		const sigset_t *set)
{
	sigset_t copy;

	return next_epoll_pwait()(fd, events, count, timeout,
				 sdtkit_preload_without(set, &copy));
}

/* Since glibc 2.35. */
int epoll_pwait2(int fd, struct epoll_event *events, int count,
		 const struct timespec *timeout, const sigset_t *set);
SDTKIT_PRELOAD_NEXT(epoll_pwait2)

SDTKIT_PRELOAD_REPLACED
int epoll_pwait2(int fd, struct epoll_event *events, int count,
		 const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	return next_epoll_pwait2()(fd, events, count, timeout,
				  sdtkit_preload_without(set, &copy));
}

SDTKIT_PRELOAD_REPLACED
int pthread_attr_setsigmask_np(pthread_attr_t *attributes,
			       const sigset_t *set)
{
	sigset_t copy;

	set = sdtkit_preload_without(set, &copy);
	return next_pthread_attr_setsigmask_np()(attributes, set);
}
