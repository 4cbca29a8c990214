/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits.c - who waited for whom, from the steps of a broken oplock:
 *
 *	1659 break_request inode=0xb45fea holder=1658	asks for it
 *	1659 open_defer req=0x5593 inode=0xb45fea	and waits
 *	1658 break_received, oplock_break, oplock_ack
 *	1659 open_retry req=0x5593			waits no longer
 *
 * An open that is refused by a share mode is deferred as well, and nobody is
 * asked. The file is the one that the holder has open under that inode, with
 * its whole path, or what it says in oplock_break, which is below the share.
 * Invariant: what does not fit replaces the oldest or is counted as others.
 */
#include <dirent.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tally.h"
#include "text.h"
#include "waits.h"

enum { MAX_WAITS = 1024, MAX_PAIRS = 256, MAX_FDS = 4096 };

/* All waits of a client for another one and a file. */
struct pair {
	char client[TSMBD_NAME];
	char holder[TSMBD_NAME];
	char *file;
	unsigned long long count;
	unsigned long long ns;
	unsigned long long most;
};

/* Rings: the oldest is given up. Nobody waits if since is 0. */
static struct wait asked[MAX_WAITS];
static struct wait waiting[MAX_WAITS];
static unsigned int num_asked, num_waiting;
static struct pair pairs[MAX_PAIRS];
static int num_pairs;

static bool is_inode(int directory, const char *name,
		     unsigned long long inode)
{
	struct stat st;

	return fstatat(directory, name, &st, 0) == 0 && st.st_ino == inode &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* What a process has open under an inode. */
static void find_file(unsigned int pid, unsigned long long inode,
		      char file[PATH_MAX])
{
	struct dirent *entry;
	char path[32];
	ssize_t length;
	int fds = 0;
	DIR *dir;

	file[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	if (dir == NULL)
		return;
	while (fds++ < MAX_FDS && (entry = readdir(dir)) != NULL) {
		if (!is_inode(dirfd(dir), entry->d_name, inode) ||
		    entry->d_name[0] == '.')
			continue;
		length = readlinkat(dirfd(dir), entry->d_name, file,
				    PATH_MAX - 1);
		file[length > 0 ? length : 0] = '\0';
		break;
	}
	closedir(dir);
}

static void ask(const struct tsmbd_event *e)
{
	struct wait *w = &asked[num_asked++ % MAX_WAITS];

	memset(w, 0, sizeof(*w));
	w->pid = e->pid;
	w->since = e->time;
	w->inode = e->number[0];
	w->holder = (unsigned int)e->number[2];
	client_name(w->holder, "", w->holder_client);
	find_file(w->holder, w->inode, w->file);
}

/*
 * Who was asked last, even if for another open: then that is not asked again.
 * smbd gives up after the time that is number[2], in microseconds.
 */
static void begin(const struct tsmbd_event *e, const char *client)
{
	struct wait *w = &waiting[num_waiting++ % MAX_WAITS];
	int i;

	memset(w, 0, sizeof(*w));
	w->inode = e->number[1];
	for (i = 0; i < MAX_WAITS; i++) {
		if (asked[i].since > w->since && asked[i].pid == e->pid &&
		    asked[i].inode == w->inode &&
		    asked[i].since + e->number[2] * 1000 > e->time)
			*w = asked[i];
	}
	w->pid = e->pid;
	w->req = e->number[0];
	w->since = e->time;
	snprintf(w->client, sizeof(w->client), "%s", client);
}

/* The holder may have closed it before we looked: it knows the name. */
static void name_file(const struct tsmbd_text_event *e)
{
	int i;

	for (i = 0; i < MAX_WAITS; i++) {
		if (waiting[i].since != 0 && waiting[i].file[0] == '\0' &&
		    waiting[i].holder == e->event.pid)
			snprintf(waiting[i].file, sizeof(waiting[i].file),
				 "%s", e->text);
	}
}

static void fill_pair(struct pair *p, const char *client, const char *holder,
		      const char *file)
{
	snprintf(p->client, sizeof(p->client), "%s", client);
	snprintf(p->holder, sizeof(p->holder), "%s", holder);
	p->file = strdup(file);
	if (p->file == NULL)
		err(1, NULL);
}

/* The last place is for all that do not fit. */
static struct pair *find_pair(const struct wait *w)
{
	struct pair *p;

	for (p = pairs; p < pairs + num_pairs; p++) {
		if (strcmp(p->client, w->client) == 0 &&
		    strcmp(p->holder, w->holder_client) == 0 &&
		    strcmp(p->file, w->file) == 0)
			return p;
	}
	if (num_pairs == MAX_PAIRS)
		return &pairs[MAX_PAIRS - 1];
	if (num_pairs++ == MAX_PAIRS - 1)
		fill_pair(p, "(others)", "", "");
	else
		fill_pair(p, w->client, w->holder_client, w->file);
	return p;
}

static bool end(const struct tsmbd_event *e, struct wait *wait)
{
	struct pair *p;
	int i;

	for (i = 0; i < MAX_WAITS; i++) {
		if (waiting[i].since != 0 && waiting[i].pid == e->pid &&
		    waiting[i].req == e->number[0])
			break;
	}
	if (i == MAX_WAITS)
		return false;
	*wait = waiting[i];
	waiting[i].since = 0;
	wait->ns = e->time - wait->since;
	p = find_pair(wait);
	p->count++;
	p->ns += wait->ns;
	if (wait->ns > p->most)
		p->most = wait->ns;
	return true;
}

bool waits_event(const struct tsmbd_event *e, const char *client,
		 struct wait *wait)
{
	switch (e->kind) {
	case TSMBD_EVENT_BREAK_REQUEST:
		ask(e);
		return false;
	case TSMBD_EVENT_DEFER:
		begin(e, client);
		return false;
	case TSMBD_EVENT_OPLOCK_BREAK:
		name_file((const void *)e);
		return false;
	case TSMBD_EVENT_RETRY:
		return end(e, wait);
	default:
		return false;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct pair *x = a;
	const struct pair *y = b;

	return x->ns < y->ns ? 1 : -(x->ns > y->ns);
}

void waits_print(void)
{
	struct pair *p;

	if (num_pairs == 0)
		return;
	qsort(pairs, (size_t)num_pairs, sizeof(pairs[0]), by_time);
	printf("\n%10s %10s %10s  %-26s %-26s %s\n", "Waits", "Total us",
	       "Max us", "Client", "waited for", "File");
	for (p = pairs; p < pairs + num_pairs; p++) {
		printf("%10llu %10llu %10llu  %-26s %-26s ", p->count,
		       (p->ns + 500) / 1000, (p->most + 500) / 1000,
		       p->client, p->holder[0] != '\0' ? p->holder : "-");
		text_print(p->file, "");
		putchar('\n');
	}
}

json_t *waits_json(void)
{
	json_t *list = json_array();
	struct pair *p;

	qsort(pairs, (size_t)num_pairs, sizeof(pairs[0]), by_time);
	for (p = pairs; p < pairs + num_pairs; p++)
		json_array_append_new(list, json_pack(
			"{so so so sI sI sI}", "client", text_json(p->client),
			"holder", text_json(p->holder),
			"file", text_json(p->file),
			"count", (json_int_t)p->count,
			"total_us", (json_int_t)(p->ns + 500) / 1000,
			"max_us", (json_int_t)(p->most + 500) / 1000));
	return list;
}

void waits_reset(void)
{
	struct pair *p;

	for (p = pairs; p < pairs + num_pairs; p++)
		free(p->file);
	memset(pairs, 0, sizeof(pairs));
	num_pairs = 0;
}
