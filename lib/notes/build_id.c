/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See build_id.h.  It is a note (readelf -n):
 *
 *	GNU  0x00000014  NT_GNU_BUILD_ID (unique build ID bitstring)
 *	  Build ID: 3f1c22d1c7a9f0c2a9be8a1fd2d3d0d8f8f0a1c4
 *
 * in a section .note.gnu.build-id, or, where a linker script gave that section
 * another name or section headers were stripped, in a segment of notes.
 */
#include <elf.h>

#include "build_id.h"
#include "note.h"

enum {
	/*
	 * For all segments of notes together: libelf copies what it reads of
	 * them, and a hostile file has thousands that are all of the file.
	 */
	SEGMENTS_SIZE_MAX = 1 << 20,
};

static bool find_in(const struct sdtkit_elf *elf,
		    const struct sdtkit_bytes *bytes, struct sdtkit_bytes *id)
{
	struct sdtkit_note_reader reader = {
		.section = ".note.gnu.build-id",
		.data = bytes->data,
		.size = bytes->size,
		.big_endian = elf->info.big_endian,
	};
	struct sdtkit_raw_note raw;

	while (sdtkit_raw_note_next(&reader, "GNU", &raw) > 0) {
		if (raw.type != NT_GNU_BUILD_ID || raw.end == raw.at ||
		    raw.end - raw.at > SDTKIT_BUILD_ID_MAX)
			continue;
		id->data = bytes->data + raw.at;
		id->size = raw.end - raw.at;
		id->address = bytes->address + raw.at;
		return true;
	}
	return false;
}

int sdtkit_build_id(const struct sdtkit_elf *elf, struct sdtkit_bytes *id)
{
	uint64_t left = SEGMENTS_SIZE_MAX;
	struct sdtkit_bytes bytes;
	size_t position = 0, i;

	if (elf->info.core)
		return 0;
	if (sdtkit_elf_next(elf, SDTKIT_SECTION_BUILD_ID, &position,
			    &bytes) > 0 && find_in(elf, &bytes, id))
		return 1;
	for (i = 0; i < elf->segment_count; i++) {
		const struct sdtkit_segment *segment = &elf->segments[i];

		if (segment->type != PT_NOTE || segment->size > left)
			continue;
		left -= segment->size;
		if (sdtkit_elf_segment(elf, segment, &bytes) > 0 &&
		    find_in(elf, &bytes, id))
			return 1;
	}
	return 0;
}
