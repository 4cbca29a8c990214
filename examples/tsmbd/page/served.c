/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * served.c - serves the page by HTTP.
 *
 *	main thread:	report -> store -> texts, every five seconds
 *	HTTP's thread:	GET / -> a copy of the text
 *
 * The store belongs to the main thread, so the other one sends what was made
 * last. If nobody has asked for a minute, texts are made once a minute only;
 * the page asks for new data as soon as it is shown.
 */
#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../metrics/http.h"
#include "data.h"
#include "html.h"
#include "served.h"

enum { REFRESH_S = 5, IDLE_S = 60 };

#define SECOND 1000000000ULL

/* Frames of others must not show it: a meta element cannot say so. */
static const char security[] = "frame-ancestors 'none'";

struct text {
	char *text;
	size_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct text page, data;		/* under the lock */
static bool asked;			/* likewise: since the last tick */
static unsigned long long made, last_asked;

static void copy(const struct text *from, const char *type,
		 struct http_reply *reply)
{
	pthread_mutex_lock(&lock);
	asked = true;
	reply->type = type;
	reply->security = security;
	reply->body = malloc(from->size + 1);
	reply->size = from->size;
	if (reply->body != NULL && from->text != NULL)
		memcpy(reply->body, from->text, from->size);
	if (from->text == NULL)
		reply->status = 404;
	pthread_mutex_unlock(&lock);
}

static void get_page(const struct http_request *request,
		     struct http_reply *reply)
{
	(void)request;
	copy(&page, "text/html; charset=utf-8", reply);
}

static void get_data(const struct http_request *request,
		     struct http_reply *reply)
{
	(void)request;
	copy(&data, "application/json", reply);
}

static void replace(struct text new_page, struct text new_data)
{
	pthread_mutex_lock(&lock);
	free(page.text);
	free(data.text);
	page = new_page;
	data = new_data;
	pthread_mutex_unlock(&lock);
}

static void make(const struct options *options)
{
	struct text new_page = { 0 }, new_data = { 0 };
	FILE *file = open_memstream(&new_page.text, &new_page.size);
	json_t *object;

	if (file == NULL)
		err(1, NULL);
	object = page_data(options, REFRESH_S, &new_data.text);
	new_data.size = strlen(new_data.text);
	html_write(file, object, new_data.text);
	json_decref(object);
	if (fclose(file) != 0)
		err(1, NULL);
	replace(new_page, new_data);
}

void served_open(const struct options *options)
{
	http_page("/", get_page);
	http_page("/data.json", get_data);
	make(options);
}

void served_close(void)
{
	replace((struct text){ 0 }, (struct text){ 0 });
}

void served_tick(const struct options *options, unsigned long long now)
{
	pthread_mutex_lock(&lock);
	if (asked)
		last_asked = now;
	asked = false;
	pthread_mutex_unlock(&lock);
	if (now < made + REFRESH_S * SECOND)
		return;
	if (now > last_asked + IDLE_S * SECOND && now < made + IDLE_S * SECOND)
		return;
	made = now;
	make(options);
}
