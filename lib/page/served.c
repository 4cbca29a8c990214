/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * served.c - serves the page by HTTP.
 *
 *	main thread:	report -> store -> page, every five seconds
 *	HTTP's thread:	GET / -> the page, GET /data.json -> its data
 *
 * The store belongs to the main thread, so the other one sends what was made
 * last. If nobody has asked for a minute, it is made once a minute only; the
 * page asks for new data as soon as it is shown.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "sampled.h"
#include "served.h"
#include "zipped.h"

enum { REFRESH_S = 5, IDLE_S = 60 };

#define SECOND 1000000000ULL

/* Frames of others must not show it: a meta element cannot say so. */
static const char security[] = "frame-ancestors 'none'";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zipped *page;		/* under the lock; NULL: none */
static bool asked;			/* likewise: since the last tick */
static unsigned long long made, last_asked;
static bool is_watched;

static void get(const struct http_request *request, enum zipped_part part,
		const char *type, struct http_reply *reply)
{
	pthread_mutex_lock(&lock);
	asked = true;
	if (page != NULL)
		zipped_reply(page, part, http_takes_gzip(request), reply);
	else
		reply->status = 404;
	pthread_mutex_unlock(&lock);
	reply->type = type;
	reply->security = security;
	if (reply->status == 404)
		reply->body = strdup("");
}

static void get_page(const struct http_request *request,
		     struct http_reply *reply)
{
	get(request, ZIPPED_PAGE, "text/html; charset=utf-8", reply);
}

static void get_data(const struct http_request *request,
		     struct http_reply *reply)
{
	get(request, ZIPPED_DATA, "application/json", reply);
}

static void replace(struct zipped *new_page)
{
	struct zipped *old;

	pthread_mutex_lock(&lock);
	old = page;
	page = new_page;
	pthread_mutex_unlock(&lock);
	zipped_release(old);
}

static void make(const struct sink_setup *setup)
{
	struct zipped *new_page = zipped_new();
	struct page_view view;

	view_begin(&view, setup, REFRESH_S);
	view.flame = sampled(setup);
	html_write(zipped_begin(new_page), &view, zipped_mark, new_page);
	zipped_end(new_page);
	view_end(&view);
	replace(new_page);
}

void served_open(const struct sink_setup *setup)
{
	http_page("/", get_page);
	http_page("/data.json", get_data);
	make(setup);
}

bool served_is_watched(void)
{
	return is_watched;
}

void served_close(void)
{
	is_watched = false;
	replace(NULL);
}

void served_tick(const struct sink_setup *setup, unsigned long long now)
{
	pthread_mutex_lock(&lock);
	if (asked)
		last_asked = now;
	asked = false;
	pthread_mutex_unlock(&lock);
	is_watched = last_asked != 0 && now < last_asked + IDLE_S * SECOND;
	if (now < made + REFRESH_S * SECOND)
		return;
	if (!is_watched && now < made + IDLE_S * SECOND)
		return;
	made = now;
	make(setup);
}
