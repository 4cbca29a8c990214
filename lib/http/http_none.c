/* SPDX-License-Identifier: BSD-2-Clause */
/* http_none.c - instead of http.c, where libmicrohttpd was not found. */
#include <err.h>

#include "http.h"

void http_page(const char *path, http_get *get)
{
}

void http_open(const struct http_options *options)
{
	errx(1, "--listen=%s: this program was built without libmicrohttpd",
	     options->listen);
}

void http_check(const struct http_options *options)
{
	http_open(options);
}

void http_reread(const struct http_options *options)
{
}

const char *http_header(const struct http_request *request, const char *name)
{
	return NULL;
}

bool http_takes_gzip(const struct http_request *request)
{
	return false;
}

const char *http_url(void)
{
	return "";
}

void http_start(void)
{
}

void http_tick(void)
{
}

void http_stop(void)
{
}
