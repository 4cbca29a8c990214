/* SPDX-License-Identifier: BSD-2-Clause */

/* Names of values. */
enum tevent_req_state {
	REQ_DONE = 2, REQ_ERROR, REQ_TIMED_OUT, REQ_NO_MEMORY
};
#pragma sdtkit names tevent_req_state state

/* A round of an event loop. */
#pragma sdtkit span loop start=loop_once_begin end=loop_once_end key=tid
/* The loop waits in the kernel. */
#pragma sdtkit span wait start=wait_begin end=wait_end key=tid parent=loop
/* The handler of a file descriptor runs. */
#pragma sdtkit span fd start=fd_begin end=fd_end key=fde name=handler \
	parent=loop
/* The handler of a timer runs. */
#pragma sdtkit span timer start=timer_begin end=timer_end key=te name=handler \
	parent=loop
/* The handler of an immediate event runs. */
#pragma sdtkit span immediate start=immediate_begin end=immediate_end key=im \
	name=handler parent=loop
/* An immediate event waits for its handler. */
#pragma sdtkit span scheduled start=immediate_schedule end=immediate_begin \
	key=im name=handler
/* The handler of a signal runs. */
#pragma sdtkit span signal start=signal_begin end=signal_end key=se \
	name=handler parent=loop
/* An asynchronous request. */
#pragma sdtkit span req start=req_create end=req_done key=req name=type \
	error=state ok=REQ_DONE

/*
 * The event loop of libtevent: waiting, handlers, asynchronous requests.
 *
 * One round of the loop fires loop_once_begin, perhaps wait_begin and wait_end,
 * the begin and end of each handler that runs (fd, timer, immediate, signal),
 * and loop_once_end. A handler may run a loop of its own, in the same thread:
 * rounds nest like brackets, and the time of the inner one is inside the
 * handler.
 *
 * Keys: a handler pairs by (pid, tid) and the address of its event, fde, te, im
 * or se. Do not use ev: begin has the context of the event, end may have a
 * wrapper around it. An event can be freed by its own handler: at the end use
 * its address as a key only. If a program runs loops in one thread only, pid
 * suffices instead of tid.
 *
 * handler and location are literals in the program: the name of the function
 * and the "file:line" where the event was made.
 *
 * bpftrace before 0.24 reads arg0 to arg5 only (on x86-64); no probe here has
 * more arguments.
 */
provider tevent {
	/*
	 * A round of an event loop begins.
	 * Partner: loop_once_end, by (pid, tid, ev); rounds nest. In tevent:
	 * around the loop_once of the backend, in tevent_loop_once() and
	 * tevent_loop_until().
	 */
	probe loop_once_begin(
		void *ev);		/* the event context */

	/*
	 * A round of an event loop is over.
	 * Partner: loop_once_begin, by (pid, tid, ev).
	 */
	probe loop_once_end(
		void *ev);		/* the event context */

	/*
	 * The loop has nothing to run and waits in the kernel.
	 * Does not fire in a round that finds an immediate event or a timer
	 * that is due, and does not wait. Partner: wait_end, by (pid, tid);
	 * waits do not nest.
	 */
	probe wait_begin(
		void *ev);		/* the event context */

	/*
	 * The wait is over: an event, a timeout or a signal.
	 * Partner: wait_begin, by (pid, tid).
	 */
	probe wait_end(
		void *ev);		/* the event context */

	/*
	 * The handler of a file descriptor is called.
	 * Partner: fd_end, by (pid, tid, fde).
	 */
	probe fd_begin(
		void *ev,		/* the event context */
		void *fde,		/* the event: pairing key */
		int fd,			/* file descriptor */
		uint16_t flags,		/* what it is ready for: 1 read, 2
					 * write, 4 error */
		sdtkit_str_t handler,	/* name of the handler */
		sdtkit_str_t location);	/* where the event was made:
					 * "file:line" */

	/*
	 * The handler of a file descriptor has returned.
	 * Partner: fd_begin, by (pid, tid, fde).
	 */
	probe fd_end(
		void *ev,		/* the event context, or a wrapper */
		void *fde);		/* the event: pairing key */

	/*
	 * The handler of a timer is called.
	 * Partner: timer_end, by (pid, tid, te). To learn how late it is,
	 * compare due_usec with the time of day.
	 */
	probe timer_begin(
		void *ev,		/* the event context */
		void *te,		/* the timer: pairing key */
		uint64_t due_usec,	/* when it was due, microseconds since
					 * 1970 UTC; 0 at once */
		sdtkit_str_t handler,	/* name of the handler */
		sdtkit_str_t location);	/* where the timer was made:
					 * "file:line" */

	/*
	 * The handler of a timer has returned.
	 * Partner: timer_begin, by (pid, tid, te).
	 */
	probe timer_end(
		void *ev,		/* the event context, or a wrapper */
		void *te);		/* the timer: pairing key */

	/*
	 * The handler of an immediate event is called.
	 * Partner: immediate_end, by (pid, tid, im). To learn how long it had
	 * to wait, pair it with the immediate_schedule before it, by (pid, im).
	 */
	probe immediate_begin(
		void *ev,		/* the event context */
		void *im,		/* the event: pairing key */
		sdtkit_str_t handler,	/* name of the handler */
		sdtkit_str_t location);	/* where it was scheduled:
					 * "file:line" */

	/*
	 * The handler of an immediate event has returned.
	 * It may have scheduled the same event again. Partner: immediate_begin,
	 * by (pid, tid, im).
	 */
	probe immediate_end(
		void *ev,		/* the event context, or a wrapper */
		void *im);		/* the event: pairing key */

	/*
	 * The handler of a signal is called, by the loop and not by the signal.
	 * Partner: signal_end, by (pid, tid, se).
	 */
	probe signal_begin(
		void *ev,		/* the event context */
		void *se,		/* the event: pairing key */
		int signum,		/* signal */
		sdtkit_str_t handler,	/* name of the handler */
		sdtkit_str_t location);	/* where the event was made:
					 * "file:line" */

	/*
	 * The handler of a signal has returned.
	 * Partner: signal_begin, by (pid, tid, se).
	 */
	probe signal_end(
		void *ev,		/* the event context, or a wrapper */
		void *se);		/* the event: pairing key */

	/*
	 * An immediate event is put in the queue of the loop.
	 * Partner: immediate_begin, by (pid, im); it is missing if the event is
	 * cancelled or freed. If the event is scheduled again, this replaces
	 * the first time.
	 */
	probe immediate_schedule(
		void *ev,		/* the event context */
		void *im,		/* the event: pairing key */
		sdtkit_str_t handler,	/* name of the handler to be called */
		sdtkit_str_t location);	/* where it is scheduled: "file:line" */

	/*
	 * An asynchronous request (struct tevent_req) begins.
	 * Partner: req_done, by (pid, req); it is missing if the request is
	 * freed before its end.
	 */
	probe req_create(
		void *req,		/* the request: pairing key with pid */
		sdtkit_str_t type,	/* name of the type of its state, a
					 * literal */
		sdtkit_str_t location);	/* where it was made: "file:line" */

	/*
	 * An asynchronous request has its result and informs its maker.
	 * The callback runs during or after this probe. A request that ended
	 * before its maker could set a callback fires twice, the second time
	 * from the loop: count the first. Partner: req_create, by (pid, req).
	 */
	probe req_done(
		void *req,		/* the request: pairing key with pid */
		int state,		/* 2 done, 3 error, 4 timed out, 5 no
					 * memory */
		uint64_t error,		/* error of the program if state is 3:
					 * an errno or an NTSTATUS, by type;
					 * else 0 */
		sdtkit_str_t type,	/* name of the type of its state */
		sdtkit_str_t create_location,	/* where it was made:
						 * "file:line" */
		sdtkit_str_t finish_location);	/* where it ended:
						 * "file:line" */
};
