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

/* Bytes of the file, until the image is closed. */
struct sdtkit_tap_piece {
	struct sdtkit_tap_piece *next;
	_Alignas(ElfW(Shdr)) unsigned char bytes[];
};

/*
 * Copies a part of the file. It is not mapped, because somebody may truncate
 * it, which would be a SIGBUS here. NULL: it is not in the file, or there is no
 * memory.
 */
static const void *load(struct sdtkit_tap_image *image, uint64_t offset,
			uint64_t size)
{
	struct sdtkit_tap_piece *piece;
	size_t done = 0;

	if (offset > image->size || size > image->size - offset)
		return NULL;
	piece = malloc(sizeof(*piece) + (size_t)size);
	if (piece == NULL)
		return NULL;
	piece->next = image->pieces;
	image->pieces = piece;
	while (done < size) {
		ssize_t got = pread(image->fd, piece->bytes + done,
				    (size_t)size - done,
				    (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return NULL;
		done += (size_t)got;
	}
	return piece->bytes;
}

static int open_file(struct sdtkit_tap_image *image, const char *path)
{
	struct stat st;

	image->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (image->fd < 0)
		return sdtkit_tap_fail(errno, "%s", strerror(errno));
	if (fstat(image->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size <= 0)
		return sdtkit_tap_fail(ENOEXEC, "not a regular file");
	image->size = (uint64_t)st.st_size;
	return 0;
}

/* Whether a segment's bytes are in memory: PT_NOTE alone loads nothing. */
static bool is_loaded(const struct dl_phdr_info *info,
		      const ElfW(Phdr) *segment)
{
	return sdtkit_tap_image_segment(info, (uintptr_t)(info->dlpi_addr +
					segment->p_vaddr),
					segment->p_filesz) != NULL;
}

/* Compares the file with what the loader has read of it. */
static int check_headers(struct sdtkit_tap_image *image)
{
	const struct dl_phdr_info *info = image->info;
	size_t size = info->dlpi_phnum * sizeof(info->dlpi_phdr[0]), i;
	const void *bytes;

	image->header = load(image, 0, sizeof(*image->header));
	if (image->header == NULL ||
	    memcmp(image->header->e_ident, ELFMAG, SELFMAG) != 0)
		return sdtkit_tap_fail(ENOEXEC, "not an ELF file");
	bytes = load(image, image->header->e_phoff, size);
	if (bytes == NULL || memcmp(bytes, info->dlpi_phdr, size) != 0)
		goto stale;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_NOTE || !is_loaded(info, segment))
			continue;
		bytes = load(image, segment->p_offset, segment->p_filesz);
		if (bytes == NULL ||
		    memcmp(bytes, (const void *)(info->dlpi_addr +
						 segment->p_vaddr),
			   segment->p_filesz) != 0)
			goto stale;
	}
	return 0;
stale:
	return sdtkit_tap_fail(ESTALE, "not the file that was loaded: it was "
			       "replaced since; start the program again");
}

/*
 * Reads the table of sections. If there are too many for the header, which has
 * 16 bits for them, the first section has the numbers.
 */
static bool load_sections(struct sdtkit_tap_image *image, size_t *names)
{
	const ElfW(Ehdr) *header = image->header;
	const ElfW(Shdr) *first;
	uint64_t count = header->e_shnum;

	*names = header->e_shstrndx;
	if (header->e_shoff == 0 || header->e_shentsize != sizeof(*first))
		return false;
	first = load(image, header->e_shoff, sizeof(*first));
	if (first == NULL)
		return false;
	if (count == 0)
		count = first->sh_size;
	if (*names == SHN_XINDEX)
		*names = first->sh_link;
	if (count > image->size / sizeof(*first) || *names >= count)
		return false;
	image->sections = load(image, header->e_shoff, count * sizeof(*first));
	image->section_count = (size_t)count;
	return image->sections != NULL;
}

static int find_sections(struct sdtkit_tap_image *image)
{
	const ElfW(Shdr) *names;
	size_t index;

	if (!load_sections(image, &index))
		return sdtkit_tap_fail(ENOEXEC, "its section headers, and with "
				       "them the notes, were stripped");
	names = &image->sections[index];
	image->names = load(image, names->sh_offset, names->sh_size);
	if (image->names == NULL)
		return sdtkit_tap_fail(ENOEXEC, "the names of its sections "
				       "cannot be read");
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
	struct sdtkit_tap_image i = {
		.info = info, .path = path_of(info), .fd = -1,
	};
	const ElfW(Shdr) *base;
	size_t position = 0;
	int ret;

	if (i.path == NULL)
		return sdtkit_tap_no_memory();
	ret = open_file(&i, info->dlpi_name == NULL ||
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

bool sdtkit_tap_image_next(struct sdtkit_tap_image *image,
			   const char *name, size_t *position,
			   struct sdtkit_note_reader *reader)
{
	const ElfW(Shdr) *section;
	const void *bytes = NULL;

	do {
		section = find_section(image, name, position);
		if (section == NULL)
			return false;
		if (section->sh_type == SHT_NOTE)
			bytes = load(image, section->sh_offset,
				     section->sh_size);
	} while (bytes == NULL);
	*reader = (struct sdtkit_note_reader) {
		.section = name,
		.data = bytes,
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

		if (segment->p_type == PT_NOTE && is_loaded(info, segment))
			mark = add_bytes(mark, (const void *)
					 (info->dlpi_addr + segment->p_vaddr),
					 segment->p_filesz);
	}
	return mark;
}

void sdtkit_tap_image_close(struct sdtkit_tap_image *image)
{
	struct sdtkit_tap_piece *next;

	for (; image->pieces != NULL; image->pieces = next) {
		next = image->pieces->next;
		free(image->pieces);
	}
	if (image->fd >= 0)
		close(image->fd);
	free(image->path);
}
