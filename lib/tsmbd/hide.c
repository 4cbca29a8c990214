/* SPDX-License-Identifier: BSD-2-Clause */
/* hide.c - hides the names of events as they come from the kernel. */
#include <stdio.h>
#include <string.h>

#include "metrics/privacy.h"
#include "hide.h"
#include "log.h"
#include "rows.h"

static void hide(const struct options *options, char kind, char *name,
		 size_t size)
{
	privacy_hide(options->metrics.privacy, kind, name, size);
}

/* The port of a client is left out, as in the tables of clients. */
static void hide_client(const struct options *options, unsigned int pid,
			char *remote, size_t size)
{
	char name[TSMBD_NAME];

	client_name(pid, remote, name);
	client_host(name);
	hide(options, SMBD_CLIENT_NAME, name, sizeof(name));
	snprintf(remote, size, "%.*s", (int)size - 1, name);
}

/* The name of a file becomes text before it is hidden. */
static void hide_detail(const struct options *options, struct tsmbd_detail *d)
{
	char text[TSMBD_TEXT];

	raw_resolve(d, text);
	d->raw = TSMBD_RAW_NONE;
	d->file_length = 0;
	hide(options, SMBD_USER_NAME, d->user, sizeof(d->user));
	hide(options, SMBD_SHARE_NAME, d->share, sizeof(d->share));
	hide(options, SMBD_FILE_NAME, text, sizeof(text));
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
	hide(options, SMBD_SHARE_NAME, e->wait.share, sizeof(e->wait.share));
	hide(options, SMBD_FILE_NAME, text, sizeof(text));
	snprintf(e->wait.file, sizeof(e->wait.file), "%.*s", TSMBD_FILE - 1,
		 text);
}

const struct tsmbd_event *hide_event(const struct options *options,
				     const struct tsmbd_event *event,
				     size_t size)
{
	static union any_event copy;

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
		hide(options, SMBD_FILE_NAME, copy.text.text,
		     sizeof(copy.text.text));
		break;
	}
	return &copy.event;
}
