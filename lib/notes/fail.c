/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The message of the last failure, one per thread.  Not part of the handle,
 * because a failed open leaves none.  Too long a message is cut, never lost.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "sdtkit/notes.h"

static _Thread_local char message[256] = "no error";

int sdtkit_fail(int error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(message, sizeof(message), format, ap);
	va_end(ap);
	return -error;
}

int sdtkit_fail_in(int ret, const char *where)
{
	char inner[sizeof(message)];

	memcpy(inner, message, sizeof(inner));
	return sdtkit_fail(-ret, "%s: %s", where, inner);
}

const char *sdtkit_notes_error(void)
{
	return message;
}
