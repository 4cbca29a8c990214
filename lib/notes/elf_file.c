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
 * 1. regular files only, and opening cannot block;
 * 2. the file is read, not mapped: truncating it meanwhile is an error, not
 *    a SIGBUS; what is held of it is its tables and its note sections;
 * 3. tables are checked against the size of the file before libelf is asked
 *    for them, so that damage is named rather than read as absence.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_file.h"
#include "fail.h"

enum {
	/* The kernel loads no program with more than 64 KiB of headers. */
	SEGMENTS_MAX = 2048,
	/* Some 10,000 sites make one MiB. */
	SECTION_MAX = 256 << 20,
};

static int open_regular(struct sdtkit_elf *elf, const char *path)
{
	struct stat st;

	/* O_NONBLOCK: a FIFO without a writer must not hold us up. */
	elf->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (elf->fd < 0 || fstat(elf->fd, &st) < 0)
		return sdtkit_fail(errno, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return sdtkit_fail(EISDIR, "%s", strerror(EISDIR));
	if (!S_ISREG(st.st_mode))
		return sdtkit_fail(EINVAL, "not a regular file");
	elf->size = (uint64_t)st.st_size;
	return 0;
}

static int not_elf(const struct sdtkit_elf *elf)
{
	char magic[SELFMAG];

	if (elf->size == 0)
		return sdtkit_fail(ENOEXEC, "not an ELF file: it is empty");
	if (pread(elf->fd, magic, SELFMAG, 0) == SELFMAG &&
	    memcmp(magic, ELFMAG, SELFMAG) == 0)
		return sdtkit_fail(EBADMSG, "damaged or cut off: its ELF "
				   "header makes no sense");
	return sdtkit_fail(ENOEXEC, "not an ELF file");
}

/* True if a table of count entries lies inside of the file. */
static bool inside(const struct sdtkit_elf *elf, uint64_t offset,
		   uint64_t count, uint64_t entry)
{
	return offset <= elf->size && count <= (elf->size - offset) / entry;
}

/*
 * libelf says of a table that lies outside of the file that there is none.
 * Where the header gives a place for it, that is damage: even an empty table
 * has section 0, which counts the others if they are more than 0xfeff.
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
	return header->e_phentsize == entry &&
	       inside(elf, header->e_phoff, elf->segment_count, entry);
}

static int read_header(struct sdtkit_elf *elf)
{
	GElf_Ehdr header;

	if (elf_kind(elf->elf) == ELF_K_AR)
		return sdtkit_fail(EOPNOTSUPP, "an archive (static library): "
				   "look into its objects, or into the "
				   "program linked with it");
	if (elf_kind(elf->elf) != ELF_K_ELF ||
	    gelf_getehdr(elf->elf, &header) == NULL)
		return not_elf(elf);

	elf->info.machine = header.e_machine;
	elf->info.bits = gelf_getclass(elf->elf) == ELFCLASS64 ? 64 : 32;
	elf->info.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	elf->info.relocatable = header.e_type == ET_REL;

	if (!sections_are_there(elf, &header))
		return sdtkit_fail(EBADMSG, "damaged or cut off: its section "
				   "headers are not all there");
	/* 0xffff stands for more than that, which is too many anyway. */
	if (header.e_phnum > SEGMENTS_MAX)
		return sdtkit_fail(EFBIG, "more than %d program headers",
				   SEGMENTS_MAX);
	if (!segments_are_there(elf, &header))
		return sdtkit_fail(EBADMSG, "damaged or cut off: its program "
				   "headers are not all there");
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
		if (header.p_type != PT_LOAD)
			continue;
		elf->segments[elf->segment_count++] = (struct sdtkit_segment) {
			.address = header.p_vaddr,
			.offset = header.p_offset,
			.size = header.p_filesz,
			.flags = header.p_flags,
		};
	}
	return 0;
}

/* Sets the header and returns the name, "" if there is none; NULL: -EBADMSG. */
static const char *read_section(const struct sdtkit_elf *elf, size_t index,
				GElf_Shdr *header)
{
	const char *name;

	if (gelf_getshdr(elf_getscn(elf->elf, index), header) == NULL) {
		sdtkit_fail(EBADMSG, "section header %zu: %s", index,
			    elf_errmsg(-1));
		return NULL;
	}
	name = elf_strptr(elf->elf, elf->section_names, header->sh_name);
	return name != NULL ? name : "";
}

static int scan_sections(struct sdtkit_elf *elf)
{
	GElf_Shdr header;
	const char *name;
	size_t i;

	if (!elf->info.has_sections)
		return 0;
	/* Without names we could not tell "no notes" from "not found". */
	if (elf_getshdrstrndx(elf->elf, &elf->section_names) < 0 ||
	    elf_strptr(elf->elf, elf->section_names, 0) == NULL)
		return sdtkit_fail(EBADMSG, "damaged: its section names are "
				   "not there");
	for (i = 1; i < elf->section_count; i++) {
		name = read_section(elf, i, &header);
		if (name == NULL)
			return -EBADMSG;
		if (header.sh_type == SHT_NOBITS &&
		    header.sh_flags & SHF_EXECINSTR)
			elf->info.debug_only = true;
		if (elf->info.has_base || strcmp(name, ".stapsdt.base") != 0)
			continue;
		elf->info.has_base = true;
		elf->base = header.sh_addr;
	}
	return 0;
}

int sdtkit_elf_open(struct sdtkit_elf *elf, const char *path)
{
	int ret;

	*elf = (struct sdtkit_elf) { .fd = -1 };
	elf_version(EV_CURRENT);
	ret = open_regular(elf, path);
	if (ret < 0)
		goto fail;
	elf->elf = elf_begin(elf->fd, ELF_C_READ, NULL);
	if (elf->elf == NULL) {
		ret = not_elf(elf);
		goto fail;
	}
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

static int read_notes(const struct sdtkit_elf *elf, size_t index,
		      const GElf_Shdr *header, const unsigned char **data,
		      size_t *size)
{
	Elf_Data *raw;

	if (header->sh_type != SHT_NOTE)
		return sdtkit_fail(EBADMSG, "section .note.stapsdt has type "
				   "%#x, which is not that of notes",
				   header->sh_type);
	if (!inside(elf, header->sh_offset, header->sh_size, 1))
		return sdtkit_fail(EBADMSG, "section .note.stapsdt reaches "
				   "beyond the end of the file");
	if (header->sh_size > SECTION_MAX)
		return sdtkit_fail(EFBIG, "section .note.stapsdt has %llu "
				   "bytes, which is too many",
				   (unsigned long long)header->sh_size);
	raw = elf_rawdata(elf_getscn(elf->elf, index), NULL);
	if (raw == NULL || raw->d_buf == NULL)
		return sdtkit_fail(EIO, "section .note.stapsdt: %s",
				   elf_errmsg(-1));
	*data = raw->d_buf;
	*size = raw->d_size;
	return 1;
}

int sdtkit_elf_next_notes(struct sdtkit_elf *elf, const unsigned char **data,
			  size_t *size)
{
	GElf_Shdr header;
	const char *name;

	while (elf->section + 1 < elf->section_count) {
		elf->section++;
		name = read_section(elf, elf->section, &header);
		if (name == NULL)
			return -EBADMSG;
		if (strcmp(name, ".note.stapsdt") != 0 ||
		    header.sh_type == SHT_NOBITS || header.sh_size == 0)
			continue;
		return read_notes(elf, elf->section, &header, data, size);
	}
	return 0;
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
		if (!(segment->flags & flags) ||
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
	free(elf->segments);
	elf_end(elf->elf);
	if (elf->fd >= 0)
		close(elf->fd);
}
