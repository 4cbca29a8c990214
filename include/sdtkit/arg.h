/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg.h - makes values fit to be handed to a probe.
 *
 * A tracer follows a pointer from inside the kernel, with page faults off. A
 * page which the process has mapped but never touched cannot be read there,
 * and the string on it arrives as "". Literals suffer most: nobody reads the
 * text of an error message before it is traced. NULL is no better: bpftrace
 * prints "", SystemTap ends the script.
 *
 * So a string goes through sdtkit_arg_str() on its way into a probe:
 *
 *	SMBNET_CONNECTION_TERMINATE(conn, sdtkit_arg_str(conn->remote),
 *				    sdtkit_arg_str("bad protocol id"), ...);
 *
 * The arguments of a probe are evaluated only while somebody traces it; when
 * nobody does, this costs nothing.
 */
#ifndef SDTKIT_ARG_H
#define SDTKIT_ARG_H

#include <stddef.h>
#include <sdtkit/probe.h>

/* More than any tracer copies: bpftrace 200 bytes, SystemTap 512. */
#define SDTKIT_ARG_STR_MAX 1024

/*
 * Returns text with every page of it present, or "" for NULL. Reads up to and
 * including the terminating zero, and never more than SDTKIT_ARG_STR_MAX
 * bytes; the rest of a longer string is left alone. The text is not copied.
 *
 * Inlined, though it loops: a call in the traced block would make the
 * compiler save registers in the block that runs untraced.
 */
SDTKIT_INLINE const char *sdtkit_arg_str(const char *text)
{
	const volatile char *byte;
	size_t i;

	if (text == NULL) {
		return "";
	}
	byte = text;
	for (i = 0; i < SDTKIT_ARG_STR_MAX; i++) {
		if (byte[i] == '\0') {
			break;
		}
	}
	return text;
}

#endif /* SDTKIT_ARG_H */
