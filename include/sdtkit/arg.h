/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg.h - makes values fit to be handed to a probe.
 *
 * A tracer reads integers, and C strings that are in memory. What a server
 * has is counted strings, socket addresses, GUIDs and status codes; and its C
 * strings may be NULL, or lie on a page that was never touched, which a tracer
 * reads as "", because it looks from inside the kernel with page faults off.
 * The functions here turn the one into the other.
 *
 * By declaration: an argument in the .d has a type of docs/arg.md's table, the
 * site passes what it has, and probegen's header does the rest:
 *
 *	probe connection_start(sdtkit_sockaddr_t remote, sdtkit_counted_t name);
 *
 *	SMBNET_CONNECTION_START(&ss, key.dptr, key.dsize);
 *
 * By hand, in the argument of any probe, whatever made its header:
 *
 *	SMBNET_CONNECTION_TERMINATE(conn, sdtkit_arg_sockaddr(&ss),
 *				    sdtkit_arg_ntstatus(status));
 *
 * Invariants
 * 1. A probe's arguments are evaluated only while somebody traces it. When
 *    nobody does, none of this costs anything but what 5. says.
 * 2. No allocation, no lock, no change of errno, no static state, no call of
 *    libc: fit for signal handlers. Work is bounded, whatever the input.
 * 3. Text is made in a struct sdtkit_text on the stack. The one that
 *    sdtkit_arg_NAME() returns lives until the expression around it ends,
 *    which is after the probe has fired.
 * 4. Text ends in a zero byte and never passes its buffer. What did not fit is
 *    shown by "..." at its end; no UTF-8 character and no \x00 is cut in two.
 * 5. On x86-64 the functions change no register and no vector state, so that the
 *    code around a probe is compiled as if there was no call. By hand, the
 *    text's place is in the frame of the calling function, and a function that
 *    had no frame gets one; by declaration it is not.
 *
 * Link with libsdtkit (pkg-config sdtkit-arg), a static library, or compile
 * with -DSDTKIT_ARG_INLINE and have the functions in each file that uses them.
 * What is in arg-value.h needs neither.
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
