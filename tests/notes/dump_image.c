/* SPDX-License-Identifier: BSD-2-Clause */
/* See dump_image.h. */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump_image.h"

enum {
	NOTE_FILE = 0x46494c45,
	/* How many mappings the note NT_FILE has. */
	STARTS = 3,
};

/* Writes the file of the program that the process ran. */
static size_t write_program(struct dump_image *dump)
{
	struct image program = {
		.bits = dump->image.bits,
		.big_endian = dump->image.big_endian,
		.machine = EM_X86_64,
		.type = ET_DYN,
	};
	struct image_note note = {
		.base = IMAGE_BASE, IMAGE_STRINGS("smb2\0end\0"),
	};
	size_t probes;

	image_begin(&program);
	probes = program.probes;
	note.location = IMAGE_TEXT_BIAS + program.text;
	note.semaphore = IMAGE_DATA_BIAS + probes + 2;
	image_add_note(&program, &note);
	image_end(&program);
	image_write(program.data, program.size, dump->program);
	image_free(&program);
	return probes;
}

/* Adds the note NT_FILE with three mappings. */
static void add_files(struct dump_image *dump)
{
	static const uint64_t starts[STARTS] = { 0x1000, 0x3000, 0x9000 };
	struct image *image = &dump->image;
	unsigned int word = image->bits / 8;
	size_t name = strlen(dump->name) + 1;
	size_t names = 2 * name + sizeof("/data");
	size_t i;

	image_add_number(image, sizeof("CORE"), 4);
	image_add_number(image, 2 * word + STARTS * 3 * word + names, 4);
	image_add_number(image, NOTE_FILE, 4);
	image_add_bytes(image, "CORE\0\0\0", 8);
	dump->count = image->size;
	image_add_number(image, STARTS, word);
	image_add_number(image, DUMP_PAGE, word);
	for (i = 0; i < STARTS; i++) {
		uint64_t start = DUMP_BIAS + starts[i];

		image_add_number(image, start, word);
		image_add_number(image, start + DUMP_PAGE, word);
		image_add_number(image, 0, word);
	}
	dump->strings = image->size;
	image_add_bytes(image, dump->name, name);
	image_add_bytes(image, dump->name, name);
	image_add_bytes(image, "/data", sizeof("/data"));
	image_add_bytes(image, NULL, -image->size % 4);
}

void dump_image_make_named(struct dump_image *dump, unsigned int bits,
			   bool big_endian, const char *name)
{
	struct image *image = &dump->image;
	size_t probes, notes, page;

	*dump = (struct dump_image) {
		.image = {
			.bits = bits,
			.big_endian = big_endian,
			.machine = EM_X86_64,
			.type = ET_CORE,
		},
	};
	probes = write_program(dump);
	snprintf(dump->name, sizeof(dump->name), name, dump->program);
	image_begin(image);
	/*
	 * The two program headers that image.c makes are overwritten, and two
	 * are added.
	 */
	notes = image->program_headers + 4 * (bits == 64 ? sizeof(Elf64_Phdr) :
					      sizeof(Elf32_Phdr));
	image_add_bytes(image, NULL, notes - image->size % notes);
	dump->note = image->size;
	/*
	 * Two other notes come first: one about a thread, and one of another
	 * owner.
	 */
	image_add_number(image, sizeof("CORE"), 4);
	image_add_number(image, 4, 4);
	image_add_number(image, 1, 4);
	image_add_bytes(image, "CORE\0\0\0" "regs", 12);
	image_add_number(image, sizeof("LINUX"), 4);
	image_add_number(image, 0, 4);
	image_add_number(image, NOTE_FILE, 4);
	image_add_bytes(image, "LINUX\0\0", 8);
	add_files(dump);
	page = image->size;
	image_add_bytes(image, NULL, DUMP_PAGE);
	image_put(image, page + probes + 2, DUMP_VALUE, 2);
	image_put_segment(image, 0, &(struct image_segment) {
			.type = PT_NOTE, .offset = dump->note,
			.size = page - dump->note });
	image_put_segment(image, 1, &(struct image_segment) {
			.type = PT_LOAD, .flags = PF_R | PF_X,
			.address = DUMP_BIAS + 0x1000, .offset = page,
			.memory = DUMP_PAGE });
	image_put_segment(image, 2, &(struct image_segment) {
			.type = PT_LOAD, .flags = PF_R | PF_W,
			.address = DUMP_BIAS + 0x3000, .offset = page,
			.size = DUMP_PAGE, .memory = DUMP_PAGE });
	image_put_segment(image, 3, &(struct image_segment) {
			.type = PT_LOAD, .flags = PF_R,
			.address = DUMP_BIAS + 0x9000, .offset = page,
			.memory = DUMP_PAGE });
	image_end(image);
	image_put(image, image_header_field(image, e_phnum), 4, 2);
	image_put(image, image_header_field(image, e_shoff), 0, bits / 8);
	image_put(image, image_header_field(image, e_shnum), 0, 2);
}

void dump_image_make(struct dump_image *dump, unsigned int bits,
		     bool big_endian)
{
	dump_image_make_named(dump, bits, big_endian, "%s");
}

void dump_image_free(struct dump_image *dump)
{
	unlink(dump->program);
	image_free(&dump->image);
}
