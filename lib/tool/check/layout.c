/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a file is laid out in memory: what tracers trip over.  lld and mold let
 * segments share a page of the file, which is then mapped more than once:
 *
 *	Type   Offset   VirtAddr FileSiz  Flg
 *	LOAD   0x000000 0x000000 0x000758 R
 *	LOAD   0x000758 0x001758 0x000198 R E	a site: address != offset
 *	LOAD   0x0008f0 0x0028f0 0x0001e8 RW	RELRO: writable at first
 *	LOAD   0x000ad8 0x003ad8 0x000012 RW	semaphores, of the same page
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/layout.h"
#include "common/tool.h"

enum {
	/* The smallest there is; larger ones make it no better. */
	PAGE = 4096,
	/* As many as the kernel would map. */
	SEGMENTS_MAX = 2048,
};

static void add_segment(struct layout *layout, const GElf_Phdr *header)
{
	layout->segment = tool_grow(layout->segment, layout->count,
				    &layout->room,
				    sizeof(layout->segment[0]));
	layout->segment[layout->count++] = (struct segment) {
		.address = header->p_vaddr,
		.offset = header->p_offset,
		.size_in_file = header->p_filesz,
		.writable = (header->p_flags & PF_W) != 0,
	};
}

static void read_build_id(struct layout *layout, Elf *elf,
			  const GElf_Phdr *header)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)header->p_offset,
					      header->p_filesz,
					      header->p_align == 8 ?
					      ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, next, name, description;
	GElf_Nhdr note;

	while (data != NULL && (next = gelf_getnote(data, at, &note, &name,
						    &description)) > 0) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp((char *)data->d_buf + name, "GNU", 4) == 0)
			layout->build_id_size = note.n_descsz;
		at = next;
	}
}

static void read_segments(struct layout *layout, Elf *elf)
{
	size_t count, i;

	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (i = 0; i < count && i < SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) == NULL)
			continue;
		if (header.p_type == PT_LOAD)
			add_segment(layout, &header);
		else if (header.p_type == PT_NOTE)
			read_build_id(layout, elf, &header);
	}
}

bool layout_read(struct layout *layout, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	*layout = (struct layout) { .segment = NULL };
	if (fd < 0) {
		tool_complain("%s: %s", path, strerror(errno));
		return false;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
		read_segments(layout, elf);
	elf_end(elf);
	close(fd);
	return true;
}

void layout_free(struct layout *layout)
{
	free(layout->segment);
}

static uint64_t page_of(uint64_t place)
{
	return place & ~(uint64_t)(PAGE - 1);
}

uint64_t layout_writable_address(const struct layout *layout, uint64_t offset)
{
	size_t i;

	for (i = 0; i < layout->count; i++) {
		const struct segment *segment = &layout->segment[i];
		uint64_t last = segment->offset + segment->size_in_file - 1;

		if (!segment->writable || segment->size_in_file == 0)
			continue;
		if (page_of(offset) >= page_of(segment->offset) &&
		    page_of(offset) <= page_of(last))
			return segment->address + (offset - segment->offset);
	}
	return 0;
}

uint64_t layout_perf_offset(const struct layout *layout, uint64_t address)
{
	if (layout->count == 0)
		return address;
	return address - (page_of(layout->segment[0].address) -
			  page_of(layout->segment[0].offset));
}
