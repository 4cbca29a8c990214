/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ELF side of reading probes, by means of libelf's class-independent
 * gelf functions.  What matters of a program (readelf -SlW):
 *
 *	[14] .text          PROGBITS  0000000000001050 001050 ..  AX
 *	[16] .stapsdt.base  PROGBITS  0000000000002004 002004 ..   A
 *	[25] .probes        PROGBITS  0000000000004010 003010 ..  WA
 *	[28] .note.stapsdt  NOTE      0000000000000000 00303c ..
 *	LOAD  0x001000 0x0000000000001000 .. R E
 *	LOAD  0x002db8 0x0000000000003db8 .. RW
 *
 * The notes are found by the name of their section, which is in no segment:
 * a file without section headers has lost them.  Object files have several
 * such sections, one per group.
 *
 * Invariants:
 * 1. what is held of a file is its tables and the sections asked for;
 * 2. tables are checked against the size of the file before libelf is asked
 *    for them, so that damage is named rather than read as absence.
 */
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"
#include "elf_file.h"
#include "fail.h"

enum {
	/* The kernel loads no program with more than 64 KiB of headers. */
	SEGMENTS_MAX = 2048,
	/* A core dump has one for each mapping: /proc/sys/vm/max_map_count. */
	CORE_SEGMENTS_MAX = 1 << 20,
	/* Some 10,000 sites make one MiB. */
	SECTION_MAX = 256 << 20,
};

static const struct {
	const char *name;
	/* SHT_NOTE where it must be that, else 0. */
	uint32_t type;
} kinds[SDTKIT_SECTION_KINDS] = {
	[SDTKIT_SECTION_PROBES] = { ".note.stapsdt", SHT_NOTE },
	[SDTKIT_SECTION_DESCRIPTIONS] = { ".note.sdtkit", SHT_NOTE },
	[SDTKIT_SECTION_BASE] = { ".stapsdt.base", 0 },
	[SDTKIT_SECTION_BUILD_ID] = { ".note.gnu.build-id", SHT_NOTE },
	[SDTKIT_SECTION_DEBUG_LINK] = { ".gnu_debuglink", 0 },
	[SDTKIT_SECTION_SEMAPHORES] = { ".probes", 0 },
};

/* True if a table of count entries lies inside of the file. */
static bool inside(const struct sdtkit_elf *elf, uint64_t offset,
		   uint64_t count, uint64_t entry)
{
	return offset <= elf->size && count <= (elf->size - offset) / entry;
}

/*
 * If a table lies outside of the file, libelf says that there is none.  If the
 * header gives a place for it, that is damage: even an empty table has section
 * 0, which counts the others if they are more than 0xfeff.
 */
static bool sections_are_there(struct sdtkit_elf *elf, const GElf_Ehdr *header)
{
	size_t entry = gelf_fsize(elf->elf, ELF_T_SHDR, 1, EV_CURRENT);

	if (header->e_shoff == 0)
		return true;
	return header->e_shentsize == entry &&
	       inside(elf, header->e_shoff, 1, entry) &&
	       elf_getshdrnum(elf->elf, &elf->section_count) == 0 &&
	       elf->section_count > 0 &&
	       (header->e_shnum == 0 ||
		header->e_shnum == elf->section_count) &&
	       inside(elf, header->e_shoff, elf->section_count, entry);
}

static bool segments_are_there(struct sdtkit_elf *elf, const GElf_Ehdr *header)
{
	size_t entry = gelf_fsize(elf->elf, ELF_T_PHDR, 1, EV_CURRENT);

	if (header->e_phnum == 0)
		return true;
	elf->segment_count = header->e_phnum;
	/* libelf makes the number smaller if they do not fit into the file. */
	if (header->e_phnum == PN_XNUM &&
	    elf_getphdrnum(elf->elf, &elf->segment_count) < 0)
		return false;
	return header->e_phentsize == entry &&
	       inside(elf, header->e_phoff, elf->segment_count, entry);
}

static int read_header(struct sdtkit_elf *elf)
{
	GElf_Ehdr header;

	if (gelf_getehdr(elf->elf, &header) == NULL)
		return sdtkit_fail(EBADMSG, "damaged or truncated: its ELF "
				   "header is not valid");

	elf->info.machine = header.e_machine;
	elf->info.bits = gelf_getclass(elf->elf) == ELFCLASS64 ? 64 : 32;
	elf->info.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	elf->info.relocatable = header.e_type == ET_REL;
	elf->info.core = header.e_type == ET_CORE;

	if (!sections_are_there(elf, &header))
		return sdtkit_fail(EBADMSG, "damaged or truncated: section "
				   "headers are missing");
	/* 0xffff stands for more than that, which is too many anyway. */
	if (header.e_phnum > SEGMENTS_MAX && !elf->info.core)
		return sdtkit_fail(EFBIG, "more than %d program headers",
				   SEGMENTS_MAX);
	if (!segments_are_there(elf, &header))
		return sdtkit_fail(EBADMSG, "damaged or truncated: program "
				   "headers are missing");
	if (elf->segment_count > CORE_SEGMENTS_MAX)
		return sdtkit_fail(EFBIG, "more than %d program headers",
				   CORE_SEGMENTS_MAX);
	/* Section 0 stands for none. */
	elf->info.has_sections = elf->section_count > 1;
	return 0;
}

static int read_segments(struct sdtkit_elf *elf)
{
	size_t total = elf->segment_count;
	GElf_Phdr header;
	size_t i;

	elf->segment_count = 0;
	if (total == 0)
		return 0;
	elf->segments = calloc(total, sizeof(elf->segments[0]));
	if (elf->segments == NULL)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < total; i++) {
		if (gelf_getphdr(elf->elf, (int)i, &header) == NULL)
			return sdtkit_fail(EBADMSG, "program header %zu: %s",
					   i, elf_errmsg(-1));
		if (header.p_type == PT_DYNAMIC || header.p_type == PT_INTERP)
			elf->info.dynamic = true;
		if (header.p_type == PT_GNU_RELRO) {
			elf->info.relro_address = header.p_vaddr;
			elf->info.relro_size = header.p_memsz;
		}
		if (header.p_type != PT_LOAD && header.p_type != PT_NOTE)
			continue;
		elf->segments[elf->segment_count++] = (struct sdtkit_segment) {
			.address = header.p_vaddr,
			.offset = header.p_offset,
			.size = header.p_filesz,
			.memory_size = header.p_memsz,
			.type = header.p_type,
			.flags = header.p_flags,
		};
	}
	return 0;
}

/* Returns which of those it is that are looked for, or KINDS. */
static enum sdtkit_section_kind find_kind(const char *name)
{
	enum sdtkit_section_kind kind;

	for (kind = 0; kind < SDTKIT_SECTION_KINDS; kind++) {
		if (strcmp(kinds[kind].name, name) == 0)
			break;
	}
	return kind;
}

static int add_section(struct sdtkit_elf *elf, enum sdtkit_section_kind kind,
		       size_t index)
{
	if (sdtkit_grow(&elf->sections, elf->found_count, &elf->capacity,
			sizeof(*elf->sections)) < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	elf->sections[elf->found_count++] = (struct sdtkit_section) {
		.kind = kind,
		.index = index,
	};
	elf->found[kind]++;
	return 0;
}

static int scan_section(struct sdtkit_elf *elf, size_t names, size_t index)
{
	enum sdtkit_section_kind kind;
	GElf_Shdr header;
	const char *name;

	if (gelf_getshdr(elf_getscn(elf->elf, index), &header) == NULL)
		return sdtkit_fail(EBADMSG, "section header %zu: %s", index,
				   elf_errmsg(-1));
	if (header.sh_type == SHT_NOBITS && header.sh_flags & SHF_EXECINSTR)
		elf->info.debug_only = true;
	name = elf_strptr(elf->elf, names, header.sh_name);
	kind = find_kind(name != NULL ? name : "");
	if (kind == SDTKIT_SECTION_KINDS)
		return 0;
	if (kind == SDTKIT_SECTION_BASE && !elf->info.has_base) {
		elf->info.has_base = true;
		elf->base = header.sh_addr;
	}
	if (kind == SDTKIT_SECTION_SEMAPHORES &&
	    elf->info.semaphores_size == 0) {
		elf->info.semaphores_address = header.sh_addr;
		elf->info.semaphores_size = header.sh_size;
	}
	/* What a tool leaves that moved the contents elsewhere. */
	if (header.sh_type == SHT_NOBITS || header.sh_size == 0)
		return 0;
	return add_section(elf, kind, index);
}

static int scan_sections(struct sdtkit_elf *elf)
{
	GElf_Shdr header;
	size_t names, i;
	int ret;

	if (!elf->info.has_sections)
		return 0;
	/* Without names we could not tell "no notes" from "not found". */
	if (elf_getshdrstrndx(elf->elf, &names) < 0 ||
	    gelf_getshdr(elf_getscn(elf->elf, names), &header) == NULL ||
	    header.sh_flags & SHF_COMPRESSED || header.sh_size > SECTION_MAX ||
	    elf_strptr(elf->elf, names, 0) == NULL)
		return sdtkit_fail(EBADMSG, "damaged: the names of its "
				   "sections cannot be read");
	for (i = 1; i < elf->section_count; i++) {
		ret = scan_section(elf, names, i);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int sdtkit_elf_open(struct sdtkit_elf *elf, Elf *handle, uint64_t size)
{
	int ret;

	*elf = (struct sdtkit_elf) { .elf = handle, .size = size };
	ret = read_header(elf);
	if (ret < 0)
		goto fail;
	ret = read_segments(elf);
	if (ret < 0)
		goto fail;
	ret = scan_sections(elf);
	if (ret < 0)
		goto fail;
	return 0;
fail:
	sdtkit_elf_close(elf);
	return ret;
}

static int read_section(const struct sdtkit_elf *elf,
			const struct sdtkit_section *section,
			struct sdtkit_bytes *bytes)
{
	const char *name = kinds[section->kind].name;
	uint32_t type = kinds[section->kind].type;
	Elf_Scn *scn = elf_getscn(elf->elf, section->index);
	GElf_Shdr header;
	Elf_Data *raw;

	if (gelf_getshdr(scn, &header) == NULL)
		return sdtkit_fail(EBADMSG, "section %s: %s", name,
				   elf_errmsg(-1));
	if (type != 0 && header.sh_type != type)
		return sdtkit_fail(EBADMSG, "section %s has type %#x instead "
				   "of SHT_NOTE", name, header.sh_type);
	if (!inside(elf, header.sh_offset, header.sh_size, 1))
		return sdtkit_fail(EBADMSG, "section %s reaches beyond the end "
				   "of the file", name);
	if (header.sh_size > SECTION_MAX)
		return sdtkit_fail(EFBIG, "section %s has %llu bytes, of which "
				   "at most %d are read", name,
				   (unsigned long long)header.sh_size,
				   SECTION_MAX);
	raw = elf_rawdata(scn, NULL);
	if (raw == NULL || raw->d_buf == NULL)
		return sdtkit_fail(EIO, "section %s: %s", name,
				   elf_errmsg(-1));
	bytes->data = raw->d_buf;
	bytes->size = raw->d_size;
	bytes->address = header.sh_addr;
	return 1;
}

int sdtkit_elf_next(const struct sdtkit_elf *elf,
		    enum sdtkit_section_kind kind, size_t *position,
		    struct sdtkit_bytes *bytes)
{
	while (*position < elf->found_count) {
		const struct sdtkit_section *section =
			&elf->sections[(*position)++];

		if (section->kind == kind)
			return read_section(elf, section, bytes);
	}
	return 0;
}

int sdtkit_elf_segment(const struct sdtkit_elf *elf,
		       const struct sdtkit_segment *segment,
		       struct sdtkit_bytes *bytes)
{
	Elf_Data *raw;

	if (segment->size > SECTION_MAX ||
	    !inside(elf, segment->offset, segment->size, 1))
		return sdtkit_fail(EBADMSG, "the segment at %#llx reaches "
				   "beyond the end of the file",
				   (unsigned long long)segment->offset);
	raw = elf_getdata_rawchunk(elf->elf, (int64_t)segment->offset,
				   (size_t)segment->size, ELF_T_BYTE);
	if (raw == NULL || raw->d_buf == NULL)
		return sdtkit_fail(EIO, "the segment at %#llx: %s",
				   (unsigned long long)segment->offset,
				   elf_errmsg(-1));
	bytes->data = raw->d_buf;
	bytes->size = raw->d_size;
	bytes->address = segment->address;
	return 1;
}

/*
 * prelink moves a library, but leaves sections alone that are not loaded: the
 * notes.  How far it went shows in .stapsdt.base, which is loaded: its address
 * now against its address in the note.
 */
uint64_t sdtkit_elf_adjust(const struct sdtkit_elf *elf, uint64_t note_base,
			   uint64_t address)
{
	if (elf->info.has_base && note_base != 0)
		address += elf->base - note_base;
	return elf->info.bits == 32 ? (uint32_t)address : address;
}

uint64_t sdtkit_elf_offset(const struct sdtkit_elf *elf, uint64_t address,
			   uint32_t flags)
{
	const struct sdtkit_segment *segment;
	size_t i;

	if (elf->info.debug_only)
		return SDTKIT_NO_OFFSET;
	for (i = 0; i < elf->segment_count; i++) {
		segment = &elf->segments[i];
		if (segment->type != PT_LOAD || !(segment->flags & flags) ||
		    address < segment->address ||
		    address - segment->address >= segment->size)
			continue;
		address -= segment->address;
		if (!inside(elf, segment->offset, address + 1, 1))
			break;
		return segment->offset + address;
	}
	return SDTKIT_NO_OFFSET;
}

void sdtkit_elf_close(struct sdtkit_elf *elf)
{
	free(elf->sections);
	free(elf->segments);
	elf_end(elf->elf);
	*elf = (struct sdtkit_elf) { .elf = NULL };
}
