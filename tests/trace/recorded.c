/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorded FILE THREADS HITS [LOST [SIGNAL]]: writes a recorder's file as if so
 * many threads had hit act:step(int n) and act:text(char *text) in turns. Each
 * thread has lost so many hits in the middle. With a signal, the file is a dump.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/base/clock.h"
#include "file.h"

enum {
	PID = 4711,
	SLOT_SPACE = 4096,
	TEXT_SPACE = 4096,
};

static struct sdtkit_record_file *file;
static char *texts;

static uint64_t now(clockid_t clock)
{
	return sdtkit_nanoseconds(clock);
}

static void put(const void *data, size_t size)
{
	memcpy(texts + file->texts_used, data, size);
	file->texts_used += size;
}

static void put_text(const char *text)
{
	put(text, strlen(text) + 1);
}

static void describe(uint32_t id, const char *name, uint8_t kind, uint8_t size,
		     const char *wire, const char *type, const char *argument)
{
	struct sdtkit_record_slot *slots = (void *)((char *)file +
						    file->slots_at);
	const struct sdtkit_record_probe probe = {
		.site_count = 1, .field_count = 1, .described = 1,
	};
	const struct sdtkit_record_field field = {
		.kind = kind, .size = size,
	};

	slots[id].at = file->texts_used;
	put(&probe, sizeof(probe));
	put_text("act");
	put_text(name);
	put_text("It was hit.");
	put_text("/bin/server");
	put(&field, sizeof(field));
	put_text(wire);
	put_text(type);
	put_text(argument);
	put_text("");
	slots[id].size = (uint32_t)(file->texts_used - slots[id].at);
	slots[id].ready = 1;
	file->slots_used = id + 1;
}

/* An entry of this size at the head, behind a PAD if it would not fit. */
static struct sdtkit_record_entry *entry(struct sdtkit_record_ring *ring,
					 char *data, uint32_t id,
					 uint32_t words)
{
	struct sdtkit_record_entry *e;
	uint64_t left = file->ring_size - ring->head % file->ring_size;

	if (left < words * 8) {
		e = (void *)(data + ring->head % file->ring_size);
		e->id = SDTKIT_RECORD_ID_PAD;
		e->words = (uint32_t)(left / 8);
		ring->head += left;
	}
	e = (void *)(data + ring->head % file->ring_size);
	e->id = (uint16_t)id;
	e->words = words;
	ring->head += words * 8;
	ring->limit = ring->head;
	return e;
}

static void write_ring(uint32_t index, uint64_t hits, uint64_t lost)
{
	struct sdtkit_record_ring *ring = (void *)((char *)file +
						   file->rings_at);
	char *data = (char *)file + file->data_at +
		     (uint64_t)index * file->ring_size;
	uint64_t *words, time, i;

	ring += index;
	ring->state = SDTKIT_RECORD_USED;
	ring->pid = PID;
	ring->tid = PID + index;
	for (i = 0; i < hits; i++) {
		/* Threads take turns. */
		time = file->start_monotonic + 1000 + i * file->ring_count +
		       index;
		if (i == 0) {
			struct sdtkit_record_entry *owner =
				entry(ring, data, SDTKIT_RECORD_ID_OWNER, 5);

			owner->time = time;
			words = (uint64_t *)(owner + 1);
			words[0] = (uint64_t)PID << 32 | (PID + index);
			memcpy(&words[1], "server", 7);
		}
		if (i == hits / 2 && lost > 0) {
			struct sdtkit_record_entry *gap =
				entry(ring, data, SDTKIT_RECORD_ID_LOST, 3);

			gap->time = time;
			*(uint64_t *)(gap + 1) = lost;
			ring->lost = lost;
		}
		if (i % 2 == 0) {
			struct sdtkit_record_entry *step =
				entry(ring, data, 0, 3);

			step->time = time;
			*(uint64_t *)(step + 1) = i;
		} else {
			struct sdtkit_record_entry *text =
				entry(ring, data, 1, 5);

			text->time = time;
			words = (uint64_t *)(text + 1);
			words[0] = 0x1000;
			words[1] = 5;
			memcpy((char *)&words[1] + 4, "a.txt", 6);
		}
		ring->events++;
	}
}

static uint32_t ring_size(uint64_t hits)
{
	uint32_t size = SDTKIT_RECORD_RING_MIN;

	while (size < hits * 40 + 256)
		size *= 2;
	return size;
}

int main(int argc, char **argv)
{
	uint32_t threads = argc > 2 ? (uint32_t)atoi(argv[2]) : 1, i;
	uint64_t hits = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	uint64_t lost = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	uint64_t rings_at = (sizeof(*file) + 63) / 64 * 64, data_at, size;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) :
			    -1;

	rings_at += SLOT_SPACE + TEXT_SPACE;
	data_at = rings_at + threads * sizeof(struct sdtkit_record_ring);
	data_at = (data_at + 4095) / 4096 * 4096;
	size = data_at + (uint64_t)threads * ring_size(hits);
	if (fd < 0 || ftruncate(fd, (off_t)size) < 0)
		err(1, "cannot make the file");
	file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		err(1, "mmap");
	memcpy(file->magic, SDTKIT_RECORD_MAGIC, sizeof(file->magic));
	file->version = SDTKIT_RECORD_VERSION;
	file->byte_order = SDTKIT_RECORD_BYTE_ORDER;
	file->word_size = sizeof(long);
	file->mode = SDTKIT_RECORD_OVERWRITE;
	file->clock = SDTKIT_RECORD_MONOTONIC;
	file->slot_count = 8;
	file->texts_at = rings_at - TEXT_SPACE;
	file->texts_size = TEXT_SPACE;
	file->slots_at = file->texts_at - SLOT_SPACE;
	file->rings_at = rings_at;
	file->data_at = data_at;
	file->ring_count = file->rings_used = threads;
	file->ring_size = ring_size(hits);
	file->size = size;
	file->pid = PID;
	file->start_monotonic = now(CLOCK_MONOTONIC);
	file->start_realtime = now(CLOCK_REALTIME);
	strcpy(file->program, "server");
	strcpy(file->patterns, "act:*");
	if (argc > 5) {
		file->dump.time = file->start_monotonic + 1;
		file->dump.signal = (uint32_t)atoi(argv[5]);
		file->dump.pid = PID + 1;
	}
	texts = (char *)file + file->texts_at;
	describe(0, "step", 1, 4, "s4", "int", "n");
	describe(1, "text", 5, 8, "z", "char *", "text");
	for (i = 0; i < threads; i++)
		write_ring(i, hits, lost);
	file->closed = 1;
	return 0;
}
