/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of the last failure, one per thread; too long a text is cut. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../text/message.h"
#include "error.h"
#include "sdtkit/tap.h"

static struct sdtkit_message last;

/* Names in it are of files, which may be hostile to a terminal. */
static void make_harmless(char *text)
{
	for (; *text != '\0'; text++) {
		bool line = *text == '\n' || *text == '\t';

		if (((unsigned char)*text < ' ' && !line) || *text == 0x7f)
			*text = '?';
	}
}

int sdtkit_tap_fail(int error, const char *format, ...)
{
	char *message = sdtkit_message_text(&last);
	va_list ap;

	va_start(ap, format);
	vsnprintf(message, SDTKIT_MESSAGE_SIZE, format, ap);
	va_end(ap);
	make_harmless(message);
	return -error;
}

int sdtkit_tap_no_memory(void)
{
	return sdtkit_tap_fail(ENOMEM, "%s", strerror(ENOMEM));
}

int sdtkit_tap_fail_in(int ret, const char *where)
{
	char inner[SDTKIT_MESSAGE_SIZE];

	memcpy(inner, sdtkit_message_text(&last), sizeof(inner));
	return sdtkit_tap_fail(-ret, "%s: %s", where, inner);
}

void sdtkit_tap_add(const char *format, ...)
{
	char *message = sdtkit_message_text(&last);
	size_t length = strlen(message);
	va_list ap;

	va_start(ap, format);
	vsnprintf(message + length, SDTKIT_MESSAGE_SIZE - length, format, ap);
	va_end(ap);
	make_harmless(message + length);
}

const char *sdtkit_tap_error(void)
{
	const char *message = sdtkit_message_text(&last);

	return message[0] != '\0' ? message : "no error";
}
