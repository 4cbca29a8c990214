/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * privacy.c - names become hashes, or are left out.
 *
 *	ipv4:192.0.2.7 -> 8c5a0f1d93b2e604
 *
 * The key is made anew at each start, so a hash means something only as long as
 * this tsmbd runs. The same name has the same hash everywhere: in metrics,
 * lines and tables. The kind of the name is hashed too, so that a user and a
 * share of the same name do not tell of each other.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/siphash.h"
#include "privacy.h"

static const char hidden[] = "hidden";

static const unsigned long long *secret(void)
{
	static unsigned long long key[2];
	static bool made;

	if (!made && getrandom(key, sizeof(key), 0) != sizeof(key))
		err(1, "cannot get random bytes for --privacy");
	made = true;
	return key;
}

/* Replaces a name; an empty one stays empty. */
static void hide(const struct options *options, int kind, char *name,
		 size_t size)
{
	char text[TSMBD_TEXT + 1];
	int length;

	if (name[0] == '\0')
		return;
	if (options->metrics.privacy == PRIVACY_OMIT) {
		snprintf(name, size, "%s", hidden);
		return;
	}
	length = snprintf(text, sizeof(text), "%c%s", "cusf"[kind], name);
	if (length >= (int)sizeof(text))
		length = (int)sizeof(text) - 1;
	snprintf(name, size, "%016llx",
		 siphash(secret(), text, (size_t)length));
}

/* The port of a client is left out, as in the tables of clients. */
static void hide_client(const struct options *options, unsigned int pid,
			char *remote, size_t size)
{
	char name[TSMBD_NAME];
	char *colon;

	client_name(pid, remote, name);
	colon = strrchr(name, ':');
	if (colon != NULL && strchr(name, ':') != colon)
		*colon = '\0';
	hide(options, TSMBD_CLIENTS, name, sizeof(name));
	snprintf(remote, size, "%.*s", (int)size - 1, name);
}

static void hide_rows(const struct options *options, struct top *top, int kind)
{
	int i;

	if (options->metrics.privacy == PRIVACY_OMIT)
		top->count = 0;
	for (i = 0; i < top->count; i++) {
		struct top_row *row = &top->rows[i];

		hide(options, kind, row->name, sizeof(row->name));
		hide(options, TSMBD_SHARES, row->share, sizeof(row->share));
	}
}

void privacy_report(const struct options *options, struct smbd_report *r)
{
	int kind, i;

	if (options->metrics.privacy == PRIVACY_NONE)
		return;
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		hide_rows(options, &r->tops[kind], kind);
	hide_rows(options, &r->share_commands, TSMBD_SHARES);
	for (i = 0; i < r->num_waits; i++) {
		struct waited *w = &r->waits[i];

		hide_client(options, 0, w->client, sizeof(w->client));
		if (w->holder[0] != '\0')
			hide_client(options, 0, w->holder, sizeof(w->holder));
		hide(options, TSMBD_SHARES, w->share, sizeof(w->share));
		hide(options, TSMBD_FILES, w->file, sizeof(w->file));
	}
}

/* The name of a file becomes text before it is hidden. */
static void hide_detail(const struct options *options, struct tsmbd_detail *d)
{
	char text[TSMBD_TEXT];

	raw_resolve(d, text);
	d->raw = TSMBD_RAW_NONE;
	d->file_length = 0;
	hide(options, TSMBD_USERS, d->user, sizeof(d->user));
	hide(options, TSMBD_SHARES, d->share, sizeof(d->share));
	hide(options, TSMBD_FILES, text, sizeof(text));
	snprintf(d->file, sizeof(d->file), "%.*s", TSMBD_FILE - 1, text);
}

static void hide_wait(const struct options *options, struct tsmbd_wait_event *e)
{
	char text[TSMBD_TEXT];

	raw_file(e->wait.raw, e->wait.file, e->wait.file_length, text);
	e->wait.raw = TSMBD_RAW_NONE;
	e->wait.file_length = 0;
	hide_client(options, e->key.pid, e->wait.remote,
		    sizeof(e->wait.remote));
	if (e->key.node != 0)	/* not a process here, which has a client */
		snprintf(e->wait.holder, sizeof(e->wait.holder), "pid:%u",
			 e->key.holder);
	if (e->key.holder != 0)
		hide_client(options, e->key.holder, e->wait.holder,
			    sizeof(e->wait.holder));
	hide(options, TSMBD_SHARES, e->wait.share, sizeof(e->wait.share));
	hide(options, TSMBD_FILES, text, sizeof(text));
	snprintf(e->wait.file, sizeof(e->wait.file), "%.*s", TSMBD_FILE - 1,
		 text);
}

const struct tsmbd_event *privacy_event(const struct options *options,
					const struct tsmbd_event *event,
					size_t size)
{
	static union {
		struct tsmbd_event event;
		struct tsmbd_request_event request;
		struct tsmbd_wait_event wait;
		struct tsmbd_text_event text;
	} copy;

	if (options->metrics.privacy == PRIVACY_NONE)
		return event;
	memset(&copy, 0, sizeof(copy));
	memcpy(&copy, event, size < sizeof(copy) ? size : sizeof(copy));
	hide_client(options, event->pid, copy.event.remote,
		    sizeof(copy.event.remote));
	switch (event->kind) {
	case TSMBD_EVENT_SLOW:
	case TSMBD_EVENT_ERROR:
		hide_detail(options, &copy.request.detail);
		break;
	case TSMBD_EVENT_WAITED:
		hide_wait(options, &copy.wait);
		break;
	case TSMBD_EVENT_OPLOCK_BREAK:
	case TSMBD_EVENT_OPLOCK_ACK:
	case TSMBD_EVENT_TIMEOUT:
		hide(options, TSMBD_FILES, copy.text.text,
		     sizeof(copy.text.text));
		break;
	}
	return &copy.event;
}
