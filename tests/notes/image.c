/* SPDX-License-Identifier: BSD-2-Clause */
/* See image.h. If there is no memory or disk space, the test program ends. */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"

static const char names[] =
	"\0.text\0.stapsdt.base\0.probes\0.note.stapsdt\0.note.sdtkit\0"
	".shstrtab";

void image_put(struct image *image, size_t at, uint64_t value,
	       unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++) {
		unsigned int byte = image->big_endian ? size - 1 - i : i;

		image->data[at + byte] = (unsigned char)(value >> (8 * i));
	}
}

void image_add_bytes(struct image *image, const void *bytes, size_t size)
{
	while (image->size + size > image->capacity) {
		image->capacity = image->capacity == 0 ?
				  4096 : image->capacity * 2;
		image->data = realloc(image->data, image->capacity);
		if (image->data == NULL)
			abort();
	}
	if (bytes != NULL)
		memcpy(image->data + image->size, bytes, size);
	else
		memset(image->data + image->size, 0, size);
	image->size += size;
}

void image_add_number(struct image *image, uint64_t value, unsigned int size)
{
	image_add_bytes(image, NULL, size);
	image_put(image, image->size - size, value, size);
}

static void add_padding(struct image *image)
{
	image_add_bytes(image, NULL, -image->size % 4);
}

/*
 * The size of an address, and of each field that has another size in Elf32 than
 * in Elf64.
 */
static unsigned int word(const struct image *image)
{
	return image->bits / 8;
}

void image_put_segment(struct image *image, size_t index,
		       const struct image_segment *segment)
{
#define PUT(member, value, size) \
	image_put(image, image_segment_field(image, index, member), value, size)
	PUT(p_type, segment->type, 4);
	PUT(p_flags, segment->flags, 4);
	PUT(p_offset, segment->offset, word(image));
	PUT(p_vaddr, segment->address, word(image));
	PUT(p_filesz, segment->size, word(image));
	PUT(p_memsz, segment->memory, word(image));
#undef PUT
}

static void put_load(struct image *image, size_t index, uint32_t flags,
		     size_t offset, size_t size, uint64_t bias)
{
	const struct image_segment segment = {
		.type = PT_LOAD,
		.flags = flags,
		.address = bias + offset,
		.offset = offset,
		.size = size,
		.memory = size,
	};

	image_put_segment(image, index, &segment);
}

void image_begin(struct image *image)
{
	bool wide = image->bits == 64;
	size_t header = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t segment = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	image_add_bytes(image, NULL, header);
	image->program_headers = image->size;
	image_add_bytes(image, NULL, 2 * segment);
	image->text = image->size;
	image_add_bytes(image, NULL, IMAGE_TEXT_SIZE);
	image->probes = image->size;
	image_add_bytes(image, NULL, IMAGE_PROBES_SIZE);
	add_padding(image);
	image->notes = image->size;
	put_load(image, 0, PF_R | PF_X, image->text, IMAGE_TEXT_SIZE,
		 IMAGE_TEXT_BIAS);
	put_load(image, 1, PF_R | PF_W, image->probes, IMAGE_PROBES_SIZE,
		 IMAGE_DATA_BIAS);
}

void image_add_note(struct image *image, const struct image_note *note)
{
	static const char owner[] = "stapsdt";

	image_add_number(image, sizeof(owner), 4);
	image_add_number(image, 3 * word(image) + note->length, 4);
	image_add_number(image, 3, 4);
	image_add_bytes(image, owner, sizeof(owner));
	image_add_number(image, note->location, word(image));
	image_add_number(image, note->base, word(image));
	image_add_number(image, note->semaphore, word(image));
	image_add_bytes(image, note->strings, note->length);
	add_padding(image);
}

void image_descriptions(struct image *image)
{
	image->descriptions = image->size;
}

void image_add_description(struct image *image, const char *strings,
			   size_t length)
{
	static const char owner[] = "sdtkit";

	image_add_number(image, sizeof(owner), 4);
	image_add_number(image, length, 4);
	image_add_number(image, 1, 4);
	image_add_bytes(image, owner, sizeof(owner));
	add_padding(image);
	image_add_bytes(image, strings, length);
	add_padding(image);
}

static void put_header(struct image *image)
{
	bool wide = image->bits == 64;

#define PUT(member, value, size) \
	image_put(image, image_header_field(image, member), value, size)
	memcpy(image->data, ELFMAG, SELFMAG);
	image->data[EI_CLASS] = wide ? ELFCLASS64 : ELFCLASS32;
	image->data[EI_DATA] = image->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	image->data[EI_VERSION] = EV_CURRENT;
	PUT(e_type, image->type, 2);
	PUT(e_machine, image->machine, 2);
	PUT(e_version, EV_CURRENT, 4);
	PUT(e_phoff, image->program_headers, word(image));
	PUT(e_shoff, image->section_headers, word(image));
	PUT(e_ehsize, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
	PUT(e_phentsize, wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
	PUT(e_phnum, 2, 2);
	PUT(e_shentsize, wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	PUT(e_shnum, SECTION_COUNT, 2);
	PUT(e_shstrndx, SECTION_NAMES, 2);
#undef PUT
}

static uint32_t name_offset(const char *name)
{
	const char *at;

	for (at = names + 1; strcmp(at, name) != 0; at += strlen(at) + 1)
		continue;
	return (uint32_t)(at - names);
}

static void put_sections(struct image *image)
{
	const struct {
		const char *name;
		uint32_t type, flags;
		uint64_t address;
		size_t offset, size;
	} section[SECTION_COUNT] = {
		[SECTION_TEXT] = {
			".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
			IMAGE_TEXT_BIAS + image->text, image->text,
			IMAGE_TEXT_SIZE },
		[SECTION_BASE] = {
			".stapsdt.base", SHT_PROGBITS, SHF_ALLOC,
			IMAGE_BASE, image->text, 1 },
		[SECTION_PROBES] = {
			".probes", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
			IMAGE_DATA_BIAS + image->probes, image->probes,
			IMAGE_PROBES_SIZE },
		[SECTION_NOTES] = {
			".note.stapsdt", SHT_NOTE, 0, 0,
			image->notes, image->descriptions - image->notes },
		[SECTION_DESCRIPTIONS] = {
			".note.sdtkit", SHT_NOTE, 0, 0,
			image->descriptions,
			image->names - image->descriptions },
		[SECTION_NAMES] = {
			".shstrtab", SHT_STRTAB, 0, 0,
			image->names, sizeof(names) },
	};
	size_t i;

#define PUT(member, value, size) \
	image_put(image, image_section_field(image, i, member), value, size)
	for (i = 1; i < SECTION_COUNT; i++) {
		PUT(sh_name, name_offset(section[i].name), 4);
		PUT(sh_type, section[i].type, 4);
		PUT(sh_flags, section[i].flags, word(image));
		PUT(sh_addr, section[i].address, word(image));
		PUT(sh_offset, section[i].offset, word(image));
		PUT(sh_size, section[i].size, word(image));
		PUT(sh_addralign, 1, word(image));
	}
#undef PUT
}

void image_end(struct image *image)
{
	size_t section = image->bits == 64 ? sizeof(Elf64_Shdr) :
					     sizeof(Elf32_Shdr);

	image->names = image->size;
	if (image->descriptions == 0)
		image->descriptions = image->size;
	image_add_bytes(image, names, sizeof(names));
	image_add_bytes(image, NULL, -image->size % 8);
	image->section_headers = image->size;
	image_add_bytes(image, NULL, SECTION_COUNT * section);
	put_header(image);
	put_sections(image);
}

void image_free(struct image *image)
{
	free(image->data);
}

void image_write(const void *data, size_t size, char *path)
{
	const char *directory = getenv("TMPDIR");
	ssize_t written;
	int fd;

	snprintf(path, 64, "%s/sdtkit-image-XXXXXX",
		 directory != NULL && strlen(directory) < 40 ? directory :
							       "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		abort();
	written = size > 0 ? write(fd, data, size) : 0;
	if (written < 0 || (size_t)written != size || close(fd) < 0)
		abort();
}
