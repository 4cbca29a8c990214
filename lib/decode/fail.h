/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How every function of lib/decode and lib/notes fails: in one line, by the
 * function that knows what happened.
 *
 *	return sdtkit_fail(EBADMSG, "note at %#zx overruns", start);
 */
#ifndef SDTKIT_DECODE_FAIL_PRIV_H
#define SDTKIT_DECODE_FAIL_PRIV_H

/* Keeps the message for sdtkit_fail_message() and returns -error. */
__attribute__((format(printf, 2, 3)))
int sdtkit_fail(int error, const char *format, ...);

/* Puts "WHERE: " before the message that ret, which it returns, came with. */
int sdtkit_fail_in(int ret, const char *where);

/*
 * The last message of this thread, never NULL.  lib/notes hands it to its users
 * as sdtkit_notes_error(), lib/attach puts it into its own errors.
 */
const char *sdtkit_fail_message(void);

#endif /* SDTKIT_DECODE_FAIL_PRIV_H */
