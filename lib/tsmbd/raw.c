/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw.c - converts names in packets, UTF-16LE, to the form that smbd uses.
 *
 *	d\0i\0r\0\\0f\0		dir/f
 *	\\server\data		data
 */
#include <err.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "raw.h"

/* An unpaired surrogate, or a cut one, becomes a question mark. */
static void skip(char **in, size_t *left, char **out, size_t *out_left)
{
	size_t length = *left < 2 ? *left : 2;

	*in += length;
	*left -= length;
	*(*out)++ = '?';
	(*out_left)--;
}

static void to_text(const char *utf16, size_t length, char *text, size_t size)
{
	iconv_t converter = iconv_open("UTF-8", "UTF-16LE");
	char *in = (char *)utf16;
	size_t out_left = size - 1;
	size_t left = length;

	if (converter == (iconv_t)-1)
		err(1, "cannot convert UTF-16");
	while (left > 0 && out_left > 4) {
		if (iconv(converter, &in, &left, &text, &out_left) ==
		    (size_t)-1 && left > 0 && out_left > 4)
			skip(&in, &left, &text, &out_left);
	}
	*text = '\0';
	iconv_close(converter);
}

static void turn_slashes(char *text)
{
	while ((text = strchr(text, '\\')) != NULL)
		*text = '/';
}

/* Appends three dots to a name that was cut. */
static void mark_cut(char *text, size_t size)
{
	static const char mark[] = "...";
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", mark);
}

unsigned int raw_from_text(const char *text, char utf16[TSMBD_FILE])
{
	iconv_t converter = iconv_open("UTF-16LE", "UTF-8");
	size_t left = strlen(text);
	size_t out_left = TSMBD_FILE;
	char *in = (char *)text;
	char *out = utf16;

	if (converter == (iconv_t)-1)
		err(1, "cannot convert UTF-16");
	iconv(converter, &in, &left, &out, &out_left);
	iconv_close(converter);
	return left == 0 ? (unsigned int)(TSMBD_FILE - out_left) : 0;
}

bool raw_is_cut(unsigned int raw, const char file[TSMBD_FILE],
		unsigned int length)
{
	if (raw == TSMBD_RAW_FILE)
		return length >= TSMBD_FILE - 2;
	return raw == TSMBD_RAW_NONE &&
	       strnlen(file, TSMBD_FILE) >= TSMBD_FILE - 1;
}

const char *raw_file(unsigned int raw, const char file[TSMBD_FILE],
		     unsigned int length, char *text)
{
	*text = '\0';
	if (raw == TSMBD_RAW_FILE) {
		to_text(file, length, text, TSMBD_TEXT - 4);
		turn_slashes(text);
	} else if (raw == TSMBD_RAW_NONE) {
		snprintf(text, TSMBD_TEXT, "%.*s", TSMBD_FILE - 1, file);
	}
	if (raw_is_cut(raw, file, length))
		mark_cut(text, TSMBD_TEXT);
	return text;
}

const char *raw_name(unsigned int raw, const char file[TSMBD_FILE],
		     unsigned int length, char *text)
{
	char *last;

	*text = '\0';
	if (raw != TSMBD_RAW_SHARE && raw != TSMBD_RAW_USER)
		return text;
	to_text(file, length, text, TSMBD_TEXT);
	last = strrchr(text, '\\');
	if (raw == TSMBD_RAW_SHARE && last != NULL)
		memmove(text, last + 1, strlen(last + 1) + 1);
	return text;
}

void raw_resolve(struct tsmbd_detail *d, char *text)
{
	char name[TSMBD_TEXT];

	raw_file(d->raw, d->file, d->file_length, text);
	raw_name(d->raw, d->file, d->file_length, name);
	if (*name == '\0')
		return;
	snprintf(d->raw == TSMBD_RAW_SHARE ? d->share : d->user, TSMBD_NAME,
		 "%.*s", TSMBD_NAME - 1, name);
}
