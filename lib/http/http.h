/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small HTTP server (libmicrohttpd) with a thread of its own.
 *
 *	http_page("/metrics", get_metrics);
 *	http_open(options);	before the privileges are given up
 *	http_start();		after that: the thread begins
 *	http_tick();		every second: ends connections that take long
 *	http_stop();
 */
#ifndef TSMBD_HTTP_H
#define TSMBD_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "options.h"

/* What a page is asked for with; NULL if the request has no such header. */
struct http_request;
const char *http_header(const struct http_request *request, const char *name);

/* What a page fills in; all is 0 or NULL before, and status 200. */
struct http_reply {
	unsigned int status;
	const char *type;		/* as in "text/html; charset=utf-8" */
	const char *security;		/* Content-Security-Policy, or NULL */
	char *body;			/* of malloc(); NULL: status 503 */
	size_t size;

	/*
	 * Instead of a body: reads the next of size bytes, at least one;
	 * returns how many, or -1 to end the connection. Both are called in
	 * the thread of the server.
	 */
	ssize_t (*read)(void *context, char *to, size_t room);
	void (*release)(void *context);
	void *context;
	const char *encoding;		/* of the bytes: "gzip", or NULL */
};

/* Whether who asks can read an answer that gzip has made smaller. */
bool http_takes_gzip(const struct http_request *request);

/*
 * Runs in the thread of the server, one at a time. It must not exit, wait for
 * long, or read what the main thread changes, except under a lock.
 */
typedef void http_get(const struct http_request *request,
		      struct http_reply *reply);

/* Adds or replaces a page; there may be 8. The path has to stay valid. */
void http_page(const char *path, http_get *get);

/*
 * Listens, and reads the files of keys and passwords. Exits with a message if
 * that fails.
 */
void http_open(const struct http_options *options);

/*
 * Exits with a message if the files of keys and passwords are wrong. For a
 * process that ends after it.
 */
void http_check(const struct http_options *options);

/*
 * Takes these files again, if they have changed. If one is wrong by now, it
 * says so, and goes on with what it has.
 */
void http_reread(const struct http_options *options);

/*
 * Where it listens, as in "https://[::1]:10445/", or "" for a UNIX socket. The
 * text is valid until the next call.
 */
const char *http_url(void);

void http_start(void);
void http_tick(void);
void http_stop(void);

#endif /* TSMBD_HTTP_H */
