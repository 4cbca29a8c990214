/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See image.h.  The sections that are read of a program (readelf -SW):
 *
 *	[16] .stapsdt.base  PROGBITS  0000000000002004 002004 ..   A
 *	[28] .note.stapsdt  NOTE      0000000000000000 00303c ..
 *	[29] .note.sdtkit   NOTE      0000000000000000 003134 ..
 *
 * They are read with <link.h> and not with libelf: all files of a process have
 * the class and the byte order that the compiler knows.  So neither a test,
 * which may be cross-compiled, nor the library that sdtkit trace preloads needs
 * another library.
 *
 * Invariants:
 * 1. no byte outside of the file is read, whatever its tables say;
 * 2. a file is used only if its program headers, and notes such as its
 *    build-id, are those in memory.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "image.h"

/* Emulators know the first name; it has no target if the main thread ended. */
static const char *self(void)
{
	static const char usual[] = "/proc/self/exe";
	char target;

	return readlink(usual, &target, 1) > 0 ? usual :
						 "/proc/thread-self/exe";
}

static bool inside(const struct sdtkit_tap_image *image, uint64_t offset,
		   uint64_t size)
{
	return offset <= image->size && size <= image->size - offset;
}

static int map_file(struct sdtkit_tap_image *image, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *data;
	int ret = 0;

	if (fd < 0)
		return sdtkit_tap_fail(errno, "%s", strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0) {
		close(fd);
		return sdtkit_tap_fail(ENOEXEC, "not a regular file");
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		ret = sdtkit_tap_fail(errno, "%s", strerror(errno));
	close(fd);
	if (ret == 0) {
		image->data = data;
		image->size = (size_t)st.st_size;
	}
	return ret;
}

/* Compares the file with what the loader has read of it. */
static int check_headers(const struct sdtkit_tap_image *image)
{
	const struct dl_phdr_info *info = image->info;
	const ElfW(Ehdr) *header = (const void *)image->data;
	size_t size = info->dlpi_phnum * sizeof(info->dlpi_phdr[0]);
	size_t i;

	if (!inside(image, 0, sizeof(*header)) ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return sdtkit_tap_fail(ENOEXEC, "not an ELF file");
	if (!inside(image, header->e_phoff, size) ||
	    memcmp(image->data + header->e_phoff, info->dlpi_phdr, size) != 0)
		goto stale;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_NOTE)
			continue;
		if (!inside(image, segment->p_offset, segment->p_filesz) ||
		    memcmp(image->data + segment->p_offset,
			   (const void *)(info->dlpi_addr + segment->p_vaddr),
			   segment->p_filesz) != 0)
			goto stale;
	}
	return 0;
stale:
	return sdtkit_tap_fail(ESTALE, "not the file that was loaded: it was "
			       "replaced since; start the program again");
}

static int find_sections(struct sdtkit_tap_image *image)
{
	const ElfW(Ehdr) *header = (const void *)image->data;
	const ElfW(Shdr) *names;

	if (header->e_shoff == 0 || header->e_shnum == 0 ||
	    header->e_shoff % sizeof(ElfW(Addr)) != 0 ||
	    header->e_shentsize != sizeof(ElfW(Shdr)) ||
	    !inside(image, header->e_shoff,
		    header->e_shnum * sizeof(ElfW(Shdr))) ||
	    header->e_shstrndx >= header->e_shnum)
		return sdtkit_tap_fail(ENOEXEC, "its section headers, and with "
				       "them the notes, were stripped");
	image->sections = (const void *)(image->data + header->e_shoff);
	image->section_count = header->e_shnum;
	names = &image->sections[header->e_shstrndx];
	if (!inside(image, names->sh_offset, names->sh_size))
		return sdtkit_tap_fail(ENOEXEC, "the names of its sections "
				       "cannot be read");
	image->names = (const char *)image->data + names->sh_offset;
	image->names_size = names->sh_size;
	return 0;
}

static const ElfW(Shdr) *find_section(const struct sdtkit_tap_image *image,
				      const char *name, size_t *position)
{
	size_t length = strlen(name) + 1;

	while (*position < image->section_count) {
		const ElfW(Shdr) *section = &image->sections[(*position)++];

		if (section->sh_name < image->names_size &&
		    length <= image->names_size - section->sh_name &&
		    memcmp(image->names + section->sh_name, name, length) == 0)
			return section;
	}
	return NULL;
}

/* The path of the object; for the program, where /proc/self/exe leads to. */
static char *path_of(const struct dl_phdr_info *info)
{
	char target[4096];
	ssize_t length;

	if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0')
		return strdup(info->dlpi_name);
	length = readlink(self(), target, sizeof(target) - 1);
	if (length < 0)
		return strdup(self());
	target[length] = '\0';
	return strdup(target);
}

int sdtkit_tap_image_open(const struct dl_phdr_info *info,
			  struct sdtkit_tap_image *image)
{
	struct sdtkit_tap_image i = { .info = info, .path = path_of(info) };
	const ElfW(Shdr) *base;
	size_t position = 0;
	int ret;

	if (i.path == NULL)
		return sdtkit_tap_fail(ENOMEM, "%s", strerror(ENOMEM));
	ret = map_file(&i, info->dlpi_name == NULL ||
		       info->dlpi_name[0] == '\0' ? self() : info->dlpi_name);
	if (ret == 0)
		ret = check_headers(&i);
	if (ret == 0)
		ret = find_sections(&i);
	if (ret < 0) {
		ret = sdtkit_tap_fail_in(ret, i.path);
		sdtkit_tap_image_close(&i);
		return ret;
	}
	base = find_section(&i, ".stapsdt.base", &position);
	i.base = base != NULL ? base->sh_addr : 0;
	*image = i;
	return 0;
}

bool sdtkit_tap_image_next(const struct sdtkit_tap_image *image,
			   const char *name, size_t *position,
			   struct sdtkit_note_reader *reader)
{
	const ElfW(Shdr) *section;

	do {
		section = find_section(image, name, position);
		if (section == NULL)
			return false;
	} while (section->sh_type != SHT_NOTE ||
		 !inside(image, section->sh_offset, section->sh_size));
	*reader = (struct sdtkit_note_reader) {
		.section = name,
		.data = image->data + section->sh_offset,
		.size = section->sh_size,
		.address_size = sizeof(ElfW(Addr)),
		.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	};
	return true;
}

uintptr_t sdtkit_tap_image_address(const struct sdtkit_tap_image *image,
				   uint64_t base, uint64_t address)
{
	if (image->base != 0)
		address += image->base - base;
	return (uintptr_t)(image->info->dlpi_addr + address);
}

const ElfW(Phdr) *sdtkit_tap_image_segment(const struct dl_phdr_info *info,
					   uintptr_t address, size_t size)
{
	size_t i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t at = address - (info->dlpi_addr + segment->p_vaddr);

		if (segment->p_type == PT_LOAD && at < segment->p_memsz &&
		    size <= segment->p_memsz - at)
			return segment;
	}
	return NULL;
}

/* FNV-1a, by D. Eastlake and others. */
static uint64_t add_bytes(uint64_t mark, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	while (size-- > 0)
		mark = (mark ^ *at++) * UINT64_C(0x100000001b3);
	return mark;
}

uint64_t sdtkit_tap_image_mark(const struct dl_phdr_info *info)
{
	uint64_t mark = UINT64_C(0xcbf29ce484222325);
	size_t i;

	mark = add_bytes(mark, info->dlpi_phdr,
			 info->dlpi_phnum * sizeof(info->dlpi_phdr[0]));
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE)
			mark = add_bytes(mark, (const void *)
					 (info->dlpi_addr + segment->p_vaddr),
					 segment->p_memsz);
	}
	return mark;
}

void sdtkit_tap_image_close(struct sdtkit_tap_image *image)
{
	if (image->data != NULL)
		munmap((void *)(uintptr_t)image->data, image->size);
	free(image->path);
}
