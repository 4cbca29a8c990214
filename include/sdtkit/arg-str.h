/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-str.h - plain strings as arguments of a probe.
 *
 * Included by sdtkit/arg.h. The function is inlined where it is used; NULL
 * gives "".
 */
#ifndef SDTKIT_ARG_STR_H
#define SDTKIT_ARG_STR_H

#include <stddef.h>

#include <sdtkit/probe.h>

/* More than any tracer copies: bpftrace 200 bytes, SystemTap 512. */
#define SDTKIT_ARG_STR_MAX 1024

/*
 * Returns text with every page of it present, or "" for NULL. Reads up to and
 * including the terminating zero, and never more than SDTKIT_ARG_STR_MAX
 * bytes; the rest of a longer string is left alone. The text is not copied.
 */
SDTKIT_INLINE const char *sdtkit_arg_str(const char *text)
{
	const volatile char *byte;
	size_t i;

	if (!text)
		return "";
	byte = text;
	for (i = 0; i < SDTKIT_ARG_STR_MAX; i++) {
		if (byte[i] == '\0')
			break;
	}
	return text;
}

#endif /* SDTKIT_ARG_STR_H */
