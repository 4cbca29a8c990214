/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files that a core dump names, from its note NT_FILE (readelf -n CORE):
 *
 *	CORE  0x000001d5  NT_FILE (mapped files)
 *	  Page size: 1
 *	                 Start                 End         Page Offset
 *	    0x00005581e0a00000  0x00005581e0a04000  0x0000000000000000
 *	        /usr/sbin/smbd
 *
 * In bytes, all numbers as wide as an address: how many there are, the size of
 * a page; start, end and page of each; then a string for each.  Which of them
 * were executed is not said there: it is in the program headers of the dump,
 * which are sorted by address as the files are.  gdb leaves code out of the
 * dumps that it makes, program header and all.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "maps.h"
#include "note.h"

#ifndef NT_FILE
#define NT_FILE 0x46494c45
#endif

enum {
	/* Threads have their registers in there: 10 KiB each at the most. */
	NOTES_MAX = 256 << 20,
};

/* Goes to the segment of the address; without one, it may have been code. */
static bool may_be_code(const struct sdtkit_elf *core, size_t *cursor,
			uint64_t address)
{
	const struct sdtkit_segment *segment;

	for (; *cursor < core->segment_count; ++*cursor) {
		segment = &core->segments[*cursor];
		if (segment->type != PT_LOAD)
			continue;
		if (address < segment->address)
			break;
		if (address - segment->address < segment->memory_size)
			return segment->flags & PF_X;
	}
	return true;
}

static int add_files(struct sdtkit_maps *maps, const struct sdtkit_elf *core,
		     const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note raw)
{
	unsigned int word = reader->address_size;
	uint64_t count, page, i;
	size_t at = raw.at, cursor = 0;
	int ret;

	if (raw.end - at < 2 * word)
		goto damaged;
	count = sdtkit_note_number(reader, at, word);
	page = sdtkit_note_number(reader, at + word, word);
	at += 2 * word;
	if (count > (raw.end - at) / (3 * word))
		goto damaged;
	raw.at = at + count * 3 * word;
	for (i = 0; i < count; i++, at += 3 * word) {
		struct sdtkit_map map = {
			.object = {
				.path = sdtkit_note_string(reader, &raw),
				.start = sdtkit_note_number(reader, at, word),
				.end = sdtkit_note_number(reader, at + word,
							  word),
			},
			.offset = page * sdtkit_note_number(reader,
							    at + 2 * word,
							    word),
		};

		if (map.object.path == NULL)
			goto damaged;
		/* What the kernel names is absolute. */
		map.executable = map.object.path[0] == '/' &&
				 may_be_code(core, &cursor, map.object.start);
		ret = sdtkit_maps_add(maps, &map);
		if (ret < 0)
			return ret;
	}
	sdtkit_maps_finish(maps);
	return 1;
damaged:
	return sdtkit_fail(EBADMSG, "damaged: the note of the mapped files "
			   "(NT_FILE) is not complete");
}

/* 1 if the names were among these notes. */
static int search_notes(struct sdtkit_maps *maps, const struct sdtkit_elf *core,
			struct sdtkit_note_reader *reader)
{
	struct sdtkit_raw_note raw;
	int ret;

	while ((ret = sdtkit_raw_note_next(reader, "CORE", &raw)) > 0) {
		if (raw.type == NT_FILE)
			return add_files(maps, core, reader, raw);
	}
	return ret;
}

static int search_segment(struct sdtkit_maps *maps,
			  const struct sdtkit_source *source,
			  const struct sdtkit_elf *core,
			  const struct sdtkit_segment *segment)
{
	struct sdtkit_note_reader reader = {
		.section = "its notes",
		.size = (size_t)segment->size,
		.address_size = core->info.bits / 8,
		.big_endian = core->info.big_endian,
	};
	unsigned char *data;
	int ret;

	if (segment->size > NOTES_MAX || segment->size > source->size)
		return sdtkit_fail(EFBIG, "its notes have %llu bytes, of which "
				   "at most %d are read",
				   (unsigned long long)segment->size,
				   NOTES_MAX);
	data = malloc(reader.size + 1);
	if (data == NULL)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	ret = sdtkit_source_read(source, segment->offset, data, reader.size);
	reader.data = data;
	if (ret == 0)
		ret = search_notes(maps, core, &reader);
	free(data);
	return ret;
}

int sdtkit_maps_read_core(struct sdtkit_maps *maps,
			  const struct sdtkit_source *source,
			  const struct sdtkit_elf *core)
{
	size_t i;
	int ret;

	for (i = 0; i < core->segment_count; i++) {
		if (core->segments[i].type != PT_NOTE)
			continue;
		ret = search_segment(maps, source, core, &core->segments[i]);
		if (ret != 0)
			return ret < 0 ? ret : 0;
	}
	return sdtkit_fail(ENODATA, "the core dump does not name the files "
			   "that were mapped: it has no note NT_FILE");
}
