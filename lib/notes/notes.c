/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The handle of sdtkit/notes.h: joins the parts.
 *
 *	path --elf--> sections --note--> records --operand--> sites
 *	                  \___ addresses, offsets ___/
 *
 * The operands of the present site are kept in the handle, so that going over
 * the sites allocates nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "elf_file.h"
#include "fail.h"
#include "note.h"
#include "operand.h"
#include "sdtkit/notes.h"

enum {
	/* Tracers read 12 at most; dtrace has been seen to accept 33. */
	OPERANDS_MAX = 64,
};

struct sdtkit_notes {
	struct sdtkit_elf elf;
	/* NULL for a machine without tables. */
	const struct sdtkit_arch *arch;
	struct sdtkit_note_reader reader;
	struct sdtkit_site site;
	struct sdtkit_operand operands[OPERANDS_MAX];
};

int sdtkit_notes_open(const char *path, struct sdtkit_notes **notes)
{
	struct sdtkit_notes *n = calloc(1, sizeof(*n));
	int ret;

	if (n == NULL)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	ret = sdtkit_elf_open(&n->elf, path);
	if (ret < 0) {
		free(n);
		return ret;
	}
	n->arch = sdtkit_arch_find(n->elf.info.machine);
	if (n->arch != NULL)
		n->elf.info.machine_name = n->arch->name;
	n->reader.address_size = n->elf.info.bits / 8;
	n->reader.big_endian = n->elf.info.big_endian;
	*notes = n;
	return 0;
}

/* The next record of this section, or of one that follows. */
static int next_note(struct sdtkit_notes *notes, struct sdtkit_note *note)
{
	struct sdtkit_note_reader *reader = &notes->reader;
	int ret;

	for (;;) {
		ret = sdtkit_note_read(reader, note);
		if (ret != 0)
			return ret;
		ret = sdtkit_elf_next_notes(&notes->elf, &reader->data,
					    &reader->size);
		if (ret <= 0)
			return ret;
		reader->position = 0;
	}
}

/* Addresses of an object file wait for relocation: they are left out. */
static void set_places(struct sdtkit_site *site, const struct sdtkit_elf *elf,
		       const struct sdtkit_note *note)
{
	site->offset = SDTKIT_NO_OFFSET;
	site->semaphore_offset = SDTKIT_NO_OFFSET;
	if (elf->info.relocatable)
		return;
	site->address = sdtkit_elf_adjust(elf, note->base, note->location);
	site->offset = sdtkit_elf_offset(elf, site->address, PF_X);
	if (note->semaphore == 0)
		return;
	site->semaphore = sdtkit_elf_adjust(elf, note->base, note->semaphore);
	site->semaphore_offset = sdtkit_elf_offset(elf, site->semaphore, PF_W);
}

int sdtkit_notes_next(struct sdtkit_notes *notes,
		      const struct sdtkit_site **site)
{
	struct sdtkit_note note;
	int ret;

	ret = next_note(notes, &note);
	if (ret <= 0)
		return ret;
	ret = sdtkit_operands_parse(notes->arch, note.arguments,
				    notes->operands, OPERANDS_MAX);
	if (ret < 0)
		return ret;
	notes->site = (struct sdtkit_site) {
		.provider = note.provider,
		.probe = note.probe,
		.arguments = note.arguments,
		.operand_count = (size_t)ret,
		.operands = notes->operands,
	};
	set_places(&notes->site, &notes->elf, &note);
	*site = &notes->site;
	return 1;
}

const struct sdtkit_notes_info *
sdtkit_notes_info(const struct sdtkit_notes *notes)
{
	return &notes->elf.info;
}

void sdtkit_notes_close(struct sdtkit_notes *notes)
{
	if (notes == NULL)
		return;
	sdtkit_elf_close(&notes->elf);
	free(notes);
}
