/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg.h - marshals values into arguments that tracers can read.
 *
 * A tracer reads integers, and C strings that are in memory. A server has
 * counted strings, socket addresses, GUIDs and status codes. Its C strings may
 * be NULL, or lie on a page that was never touched: a tracer reads such a
 * string as "", because it reads from inside the kernel with page faults off.
 * The functions here turn these values into arguments that a tracer can read.
 *
 * There are two ways to use them. By declaration: an argument in the .d has a
 * type from the table in docs/arg.md, the site passes what the program has, and
 * probegen's header does the rest:
 *
 *	probe connection_start(sdtkit_sockaddr_t remote, sdtkit_counted_t name);
 *
 *	SMBNET_CONNECTION_START(&ss, key.dptr, key.dsize);
 *
 * By hand: the program calls a function in the argument of any probe, whichever
 * tool has made its header:
 *
 *	SMBNET_CONNECTION_TERMINATE(conn, sdtkit_arg_sockaddr(&ss),
 *				    sdtkit_arg_ntstatus(status));
 *
 * Invariants
 * 1. A probe's arguments are evaluated only while it is on. While it is off,
 *    marshalling costs nothing, with the exception in invariant 5.
 * 2. The functions allocate nothing, take no lock, do not change errno, have no
 *    static state and call nothing of libc, so they may be called in signal
 *    handlers. Their work is bounded, whatever the input.
 * 3. Text is made in a struct sdtkit_text on the stack. The one that
 *    sdtkit_arg_NAME() returns lives until the expression around it ends,
 *    which is after the probe has fired.
 * 4. Text ends in a zero byte and never passes its buffer. Text that did not
 *    fit ends in "..."; no UTF-8 character and no \x00 is cut in two.
 * 5. On x86-64 the functions change no register and no vector state, so that
 *    the code around a probe is compiled as if there was no call. In a call by
 *    hand, the text lies in the frame of the calling function, so a function
 *    without a frame gets one; by declaration it does not.
 *
 * Link with libsdtkit (pkg-config sdtkit-arg), a static library, or compile
 * with -DSDTKIT_ARG_INLINE to have the functions in each file that uses them.
 * The functions of arg-value.h need neither.
 */
#ifndef SDTKIT_ARG_H
#define SDTKIT_ARG_H

#include <sdtkit/arg-address.h>
#include <sdtkit/arg-bytes.h>
#include <sdtkit/arg-clock.h>
#include <sdtkit/arg-id.h>
#include <sdtkit/arg-name.h>
#include <sdtkit/arg-status.h>
#include <sdtkit/arg-value.h>

#endif /* SDTKIT_ARG_H */
