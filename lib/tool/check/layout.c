/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The layout of a file in memory, as far as tracers depend on it. lld and mold
 * let segments share a page of the file, which is then mapped more than once:
 *
 *	Type   Offset   VirtAddr FileSiz  Flg
 *	LOAD   0x000000 0x000000 0x000758 R
 *	LOAD   0x000758 0x001758 0x000198 R E	a site: address != offset
 *	LOAD   0x0008f0 0x0028f0 0x0001e8 RW	RELRO: writable at first
 *	LOAD   0x000ad8 0x003ad8 0x000012 RW	semaphores, of the same page
 */
#include <elf.h>

#include "check/layout.h"

enum {
	/* The smallest page size; larger pages make it no better. */
	PAGE = 4096,
};

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

uint64_t layout_writable_address(const struct sdtkit_notes *notes,
				 uint64_t offset)
{
	const struct sdtkit_segment *segment;
	size_t count = sdtkit_notes_segments(notes, &segment), i;

	for (i = 0; i < count; i++, segment++) {
		uint64_t last = segment->offset + segment->size - 1;

		if (segment->type != PT_LOAD || segment->size == 0 ||
		    (segment->flags & PF_W) == 0)
			continue;
		if (page_of(offset) >= page_of(segment->offset) &&
		    page_of(offset) <= page_of(last))
			return segment->address + (offset - segment->offset);
	}
	return 0;
}

uint64_t layout_perf_offset(const struct sdtkit_notes *notes,
			    uint64_t address)
{
	const struct sdtkit_segment *segment;
	size_t count = sdtkit_notes_segments(notes, &segment), i;

	for (i = 0; i < count; i++, segment++) {
		if (segment->type == PT_LOAD)
			return address - (page_of(segment->address) -
					  page_of(segment->offset));
	}
	return address;
}
