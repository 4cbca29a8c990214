/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps a recorder's file and checks its header; see read_parts.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../text/message.h"
#include "read_parts.h"

static struct sdtkit_message last;

int sdtkit_record_fail(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sdtkit_message_text(&last), SDTKIT_MESSAGE_SIZE, format,
		  arguments);
	va_end(arguments);
	return -error;
}

int sdtkit_record_no_memory(void)
{
	return sdtkit_record_fail(ENOMEM, "%s", strerror(ENOMEM));
}

const char *sdtkit_record_error(void)
{
	return sdtkit_message_text(&last);
}

/* Whether count things of that size lie in the file, at a word. */
static bool lies_within(const struct sdtkit_record_map *map, uint64_t at,
			uint64_t count, uint64_t size)
{
	uint64_t bytes;

	return at % 64 == 0 && at >= sizeof(struct sdtkit_record_file) &&
	       !__builtin_mul_overflow(count, size, &bytes) &&
	       at <= map->size && bytes <= map->size - at;
}

static bool is_ring_size(uint32_t size)
{
	return size >= SDTKIT_RECORD_RING_MIN &&
	       size <= SDTKIT_RECORD_RING_MAX && (size & (size - 1)) == 0;
}

static int check_version(const struct sdtkit_record_file *file)
{
	if (memcmp(file->magic, SDTKIT_RECORD_MAGIC, sizeof(file->magic)) != 0)
		return sdtkit_record_fail(ENOEXEC, "not the file of a "
					  "recorder");
	if (file->byte_order != SDTKIT_RECORD_BYTE_ORDER)
		return sdtkit_record_fail(EPROTONOSUPPORT, "written on a "
					  "machine of another byte order: "
					  "read it there");
	if (file->version != SDTKIT_RECORD_VERSION)
		return sdtkit_record_fail(EPROTONOSUPPORT, "version %u of the "
					  "format; this program reads %d",
					  file->version, SDTKIT_RECORD_VERSION);
	return 0;
}

static int check_sizes(const struct sdtkit_record_map *map)
{
	if (map->slot_count > SDTKIT_RECORD_SLOTS ||
	    map->texts_size > SDTKIT_RECORD_TEXTS ||
	    map->ring_count > SDTKIT_RECORD_RINGS_MAX ||
	    !is_ring_size(map->ring_size) ||
	    map->mode > SDTKIT_RECORD_COUNT ||
	    map->clock > SDTKIT_RECORD_TICKS ||
	    !lies_within(map, map->slots_at, map->slot_count,
			 sizeof(struct sdtkit_record_slot)) ||
	    !lies_within(map, map->texts_at, map->texts_size, 1) ||
	    !lies_within(map, map->rings_at, map->ring_count,
			 sizeof(struct sdtkit_record_ring)) ||
	    !lies_within(map, map->data_at, map->ring_count, map->ring_size))
		return sdtkit_record_fail(EBADMSG, "the file is damaged or not "
					  "complete: a part lies outside of "
					  "it");
	return 0;
}

/* Text of the file, for the terminal. */
static void copy_text(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size - 1 && from[i] != '\0'; i++)
		to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ?
			'?' : from[i];
	to[i] = '\0';
}

int sdtkit_record_read_header(struct sdtkit_record_map *map)
{
	const struct sdtkit_record_file *file = map->file;
	int ret = check_version(file);

	if (ret < 0)
		return ret;
	map->slots_at = file->slots_at;
	map->texts_at = file->texts_at;
	map->texts_size = file->texts_size;
	map->rings_at = file->rings_at;
	map->data_at = file->data_at;
	map->slot_count = file->slot_count;
	map->ring_count = file->ring_count;
	map->ring_size = file->ring_size;
	map->mode = file->mode;
	map->clock = file->clock;
	map->string_limit = file->string_limit != 0 ? file->string_limit :
						      UINT32_MAX;
	map->content = file->content;
	copy_text(map->program, file->program, sizeof(map->program));
	copy_text(map->patterns, file->patterns, sizeof(map->patterns));
	return check_sizes(map);
}

int sdtkit_record_map(int fd, bool for_writing, struct sdtkit_record_map *map)
{
	int protection = PROT_READ | (for_writing ? PROT_WRITE : 0), ret;
	struct stat status;
	void *file;

	if (fstat(fd, &status) < 0)
		return sdtkit_record_fail(errno, "fstat: %s", strerror(errno));
	if (!S_ISREG(status.st_mode) ||
	    (uint64_t)status.st_size < sizeof(*map->file))
		return sdtkit_record_fail(ENOEXEC, "not the file of a "
					  "recorder");
	file = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED, fd,
		    0);
	if (file == MAP_FAILED)
		return sdtkit_record_fail(errno, "cannot map the file: %s",
					  strerror(errno));
	map->file = file;
	map->size = (size_t)status.st_size;
	map->is_writable = for_writing;
	ret = sdtkit_record_read_header(map);
	if (ret < 0)
		sdtkit_record_unmap(map);
	return ret;
}

void sdtkit_record_unmap(struct sdtkit_record_map *map)
{
	if (map->file != NULL)
		munmap(map->file, map->size);
	map->file = NULL;
}
