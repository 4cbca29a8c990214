/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The message of the last failure, one per thread.  It is not part of a handle,
 * because an open that fails leaves none.  A message that is too long is cut.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"

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

const char *sdtkit_fail_message(void)
{
	return message;
}
