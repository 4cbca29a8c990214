/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data streams of a trace: packets of events, a file for each thread.
 *
 *	packet	header: magic, uuid of the trace, class of the stream
 *		context: first and last time, sizes, lost hits, thread
 *		event	header: class, time
 *			fields
 *		event	...
 *
 * Invariants:
 * 1. A file consists of whole packets at any time, so that there is a trace to
 *    read when this process is killed: readers refuse a file that ends with a
 *    part of a packet. A packet is a page of the file, because the kernel
 *    writes that whole even for a process that is killed. Only an event that is
 *    larger than a page has a larger packet.
 * 2. Time never goes back within a file: readers refuse that. A hit that comes
 *    late gets the time of the one before it; this concerns threads whose
 *    numbers are not known, which have one file together.
 * 3. If there are many threads, those that come later share files: readers open
 *    all files at a time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "trace/bytes.h"
#include "trace/ctf_directory.h"
#include "trace/ctf_form.h"
#include "trace/ctf_stream.h"

#define MAGIC		UINT32_C(0xc1fc1fc1)

enum {
	PAGE = 4096,
	/* A packet is written when it is full, or so old; nanoseconds. */
	PACKET_AGE = 1000 * 1000 * 1000,
	/* How often to look for those; nanoseconds. */
	LOOK_INTERVAL = 250 * 1000 * 1000,
	/* So many threads have a file of their own. */
	OWN_FILES = 250,
	/* The files of so many of them stay open. */
	OPEN_FILES = 64,
	RECENT = 256,
	/* A thread that fired nothing for so long gives up a shared file. */
	SHARED_IDLE = 100 * 1000 * 1000,
	BITS = 8,
};

/* Header and context of a packet. */
struct packet {
	uint32_t magic;
	unsigned char uuid[CTF_UUID_SIZE];
	uint32_t stream_class;
	uint64_t begin;
	uint64_t end;
	/* In bits; what follows the content to the end of the page is 0. */
	uint64_t content_size;
	uint64_t packet_size;
	/* How many hits were lost until the end of this packet. */
	uint64_t lost;
	uint32_t pid;
	uint32_t tid;
};

_Static_assert(sizeof(struct packet) == 72, "as the metadata have it");

struct stream {
	pid_t pid;
	pid_t tid;
	/* Open for writing, or negative. */
	int fd;
	/* The packet that is being filled; it is empty without events. */
	struct tracing_bytes packet;
	uint64_t events;
	/* The time of its first event, and of the last one of the file. */
	uint64_t begin;
	uint64_t end;
	/* Before its last event: the size of the packet, and that time. */
	size_t size_before;
	uint64_t end_before;
	uint64_t lost;
	bool is_shared;
	/* A packet has been written. */
	bool has_begun;
	char name[sizeof("thread-4294967295-4294967295")];
};

unsigned char ctf_uuid[CTF_UUID_SIZE];

static struct stream **streams;
static size_t stream_count, stream_capacity, shared_count;
/* The streams by their threads. */
static void *tree;
/* The one of the last event. */
static struct stream *last;
static uint64_t lost_before_next, unwritten;
static int failure;

static int by_thread(const void *first, const void *second)
{
	const struct stream *a = first, *b = second;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static int append(struct stream *stream)
{
	int ret;

	if (stream->fd < 0)
		stream->fd = ctf_directory_file(stream->name);
	if (stream->fd < 0)
		return stream->fd;
	ret = ctf_directory_append(stream->fd, stream->packet.data,
				   stream->packet.size);
	if (stream_count <= OPEN_FILES)
		return ret;
	/* Some file systems report here what they could not store. */
	if (close(stream->fd) < 0 && ret == 0)
		ret = -errno;
	stream->fd = -1;
	return ret;
}

static void fill_page(struct tracing_bytes *packet)
{
	size_t rest = -packet->size % PAGE;

	memset(tracing_bytes_add(packet, rest), 0, rest);
	packet->size += rest;
}

/* Writes the packet to the file, and makes it empty. */
static void write_packet(struct stream *stream)
{
	struct packet packet = {
		.magic = MAGIC,
		.stream_class = CTF_STREAM_CLASS,
		.begin = stream->begin,
		.end = stream->end,
		.content_size = stream->packet.size * BITS,
		.lost = stream->lost,
		.pid = (uint32_t)stream->pid,
		.tid = (uint32_t)stream->tid,
	};
	int ret;

	fill_page(&stream->packet);
	packet.packet_size = stream->packet.size * BITS;
	memcpy(packet.uuid, ctf_uuid, sizeof(packet.uuid));
	memcpy(stream->packet.data, &packet, sizeof(packet));
	ret = append(stream);
	if (ret < 0)
		unwritten += stream->events;
	if (failure == 0 && ret < 0)
		failure = ret;
	stream->has_begun = true;
	stream->events = 0;
	stream->packet.size = 0;
}

static void begin_packet(struct stream *stream, uint64_t time)
{
	tracing_bytes_add(&stream->packet, sizeof(struct packet));
	stream->packet.size = sizeof(struct packet);
	stream->begin = time;
}

static void flush(struct stream *stream)
{
	if (stream->events > 0)
		write_packet(stream);
}

/* Writes a packet without events, from the last event to this time. */
static void write_empty_packet(struct stream *stream, uint64_t time)
{
	begin_packet(stream, stream->has_begun ? stream->end : time);
	stream->end = time;
	write_packet(stream);
}

/*
 * A packet without events says where hits were lost: between the event before
 * it and its end. Readers take the difference between two packets, so there is
 * one before it too.
 */
static void write_loss(struct stream *stream, uint64_t time)
{
	flush(stream);
	if (!stream->has_begun)
		write_empty_packet(stream, time);
	stream->lost += lost_before_next;
	lost_before_next = 0;
	write_empty_packet(stream, time);
}

static struct stream *add_stream(bool is_shared)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (stream == NULL)
		tool_no_memory();
	TOOL_GROW(streams, stream_count, stream_capacity);
	streams[stream_count++] = stream;
	stream->fd = -1;
	stream->is_shared = is_shared;
	if (is_shared)
		snprintf(stream->name, sizeof(stream->name), "threads-%zu",
			 ++shared_count);
	return stream;
}

/* Finds a shared file whose thread is idle, and takes it from that. */
static struct stream *idle_stream(uint64_t time)
{
	size_t i;

	for (i = 0; i < stream_count; i++) {
		struct stream *stream = streams[i];

		if (!stream->is_shared || stream->end + SHARED_IDLE > time)
			continue;
		tdelete(stream, &tree, by_thread);
		return stream;
	}
	return NULL;
}

static struct stream *new_stream(pid_t pid, pid_t tid, uint64_t time)
{
	bool is_shared = stream_count >= OWN_FILES;
	struct stream *stream = is_shared ? idle_stream(time) : NULL;

	if (stream == NULL)
		stream = add_stream(is_shared);
	else
		flush(stream);
	stream->pid = pid;
	stream->tid = tid;
	if (!is_shared)
		snprintf(stream->name, sizeof(stream->name), "thread-%u-%u",
			 (unsigned int)pid, (unsigned int)tid);
	if (tsearch(stream, &tree, by_thread) == NULL)
		tool_no_memory();
	return stream;
}

/* Threads take turns: those of late are found without the tree. */
static struct stream *stream_of(pid_t pid, pid_t tid, uint64_t time)
{
	static struct stream *recent[RECENT];
	const struct stream key = { .pid = pid, .tid = tid };
	struct stream **here = &recent[(unsigned int)tid % RECENT];
	struct stream *const *found;

	/* Another thread may have got its file since. */
	if (*here != NULL && (*here)->pid == pid && (*here)->tid == tid)
		return *here;
	found = tfind(&key, &tree, by_thread);
	*here = found != NULL ? *found : new_stream(pid, tid, time);
	return *here;
}

void ctf_stream_lose(uint64_t lost)
{
	lost_before_next += lost;
}

struct tracing_bytes *ctf_stream_event(pid_t pid, pid_t tid, uint64_t time,
				   uint32_t class_id)
{
	struct stream *stream = stream_of(pid, tid, time);

	if (time < stream->end)
		time = stream->end;
	if (lost_before_next > 0)
		write_loss(stream, time);
	if (stream->events++ == 0)
		begin_packet(stream, time);
	stream->size_before = stream->packet.size;
	stream->end_before = stream->end;
	stream->end = time;
	tracing_bytes_put(&stream->packet, &class_id, sizeof(class_id));
	tracing_bytes_put(&stream->packet, &time, sizeof(time));
	last = stream;
	return &stream->packet;
}

/* Writes the packet without its last event, which begins the next one. */
static void write_all_but_last(struct stream *stream)
{
	static char *event;
	static size_t capacity;
	size_t size = stream->packet.size - stream->size_before;
	uint64_t time = stream->end;

	if (size > capacity)
		event = realloc(event, capacity = size);
	if (event == NULL)
		tool_no_memory();
	memcpy(event, stream->packet.data + stream->size_before, size);
	stream->packet.size = stream->size_before;
	stream->end = stream->end_before;
	stream->events--;
	write_packet(stream);
	begin_packet(stream, time);
	tracing_bytes_put(&stream->packet, event, size);
	stream->end = time;
	stream->events = 1;
}

void ctf_stream_event_end(void)
{
	if (last->packet.size > PAGE && last->events > 1)
		write_all_but_last(last);
	if (last->packet.size > PAGE)
		flush(last);
}

void ctf_streams_settle(uint64_t now)
{
	static uint64_t looked;
	size_t i;

	if (now - looked < LOOK_INTERVAL)
		return;
	looked = now;
	for (i = 0; i < stream_count; i++) {
		if (streams[i]->begin + PACKET_AGE > now)
			continue;
		flush(streams[i]);
		/* Threads that are gone need no memory. */
		free(streams[i]->packet.data);
		streams[i]->packet = (struct tracing_bytes) { .data = NULL };
	}
}

void ctf_streams_end(uint64_t now)
{
	size_t i;

	if (lost_before_next > 0 && last == NULL)
		last = new_stream(0, 0, now);
	if (lost_before_next > 0)
		write_loss(last, now > last->end ? now : last->end);
	for (i = 0; i < stream_count; i++)
		flush(streams[i]);
}

int ctf_streams_error(void)
{
	return failure;
}

uint64_t ctf_streams_unwritten(void)
{
	return unwritten;
}
