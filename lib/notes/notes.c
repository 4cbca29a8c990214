/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The handle of sdtkit/notes.h: joins the parts.
 *
 *	path --source--> bytes --elf--> sections --note--> notes --operand-->
 *	   archive: members --^  \___ addresses, offsets ___/      sites
 *	                             description, by name  _________/
 *
 * One ELF file is read at a time, the "present" one: the file itself, or the
 * member that the walk through an archive has reached.  The operands of the
 * present site are kept in the handle, so that no memory is allocated per site.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "archive.h"
#include "build_id.h"
#include "debug_file.h"
#include "describe.h"
#include "elf_file.h"
#include "fail.h"
#include "handle.h"
#include "note.h"
#include "operand.h"
#include "sdtkit/notes.h"
#include "site_set.h"
#include "source.h"

enum {
	/* Tracers read 12 at most; dtrace has been seen to accept 33. */
	OPERANDS_MAX = 64,
};

/* Where the walk over the note sections of one kind is. */
struct walk {
	enum sdtkit_section_kind kind;
	size_t position;
	struct sdtkit_note_reader reader;
};

struct sdtkit_notes {
	struct sdtkit_source source;
	struct sdtkit_notes_info info;
	/* The file, unless it is an archive. */
	struct sdtkit_elf elf;
	struct sdtkit_archive archive;
	/* Where its notes are, unless they are its own: path is not NULL. */
	struct sdtkit_debug_file debug;

	/* Whose addresses are meant, and whose sections are read. */
	const struct sdtkit_elf *present;
	const struct sdtkit_elf *noted;
	const char *member;
	/* NULL for a machine without tables. */
	const struct sdtkit_arch *arch;

	struct walk sites;
	struct walk described;
	bool all_described;
	struct sdtkit_descriptions descriptions;
	size_t next_description;
	size_t next_span;

	/* The notes of sites that have been returned. */
	struct sdtkit_site_set sites_seen;
	struct sdtkit_site site;
	struct sdtkit_operand operands[OPERANDS_MAX];
};

static void begin_walk(struct walk *walk, const struct sdtkit_elf *elf,
		       enum sdtkit_section_kind kind, const char *section)
{
	*walk = (struct walk) {
		.kind = kind,
		.reader = {
			.section = section,
			.address_size = elf->info.bits / 8,
			.big_endian = elf->info.big_endian,
		},
	};
}

/* Goes to the next section: 1, 0 behind the last, or -errno. */
static int walk_on(struct walk *walk, const struct sdtkit_elf *elf)
{
	struct sdtkit_bytes bytes;
	int ret;

	ret = sdtkit_elf_next(elf, walk->kind, &walk->position, &bytes);
	if (ret <= 0)
		return ret;
	walk->reader.data = bytes.data;
	walk->reader.size = bytes.size;
	walk->reader.position = 0;
	return 1;
}

/* Makes elf the present file; noted, which has its notes, may be another. */
static void set_present(struct sdtkit_notes *notes,
			const struct sdtkit_elf *elf,
			const struct sdtkit_elf *noted, const char *member)
{
	bool archive = notes->info.archive;

	notes->info = elf->info;
	notes->info.archive = archive;
	notes->info.debug_file = notes->debug.path;
	notes->arch = sdtkit_arch_find(elf->info.machine);
	if (notes->arch != NULL)
		notes->info.machine_name = notes->arch->name;
	notes->present = elf;
	notes->noted = noted;
	notes->member = member;
	begin_walk(&notes->sites, noted, SDTKIT_SECTION_PROBES,
		   ".note.stapsdt");
	begin_walk(&notes->described, noted, SDTKIT_SECTION_DESCRIPTIONS,
		   ".note.sdtkit");
	sdtkit_descriptions_restart(&notes->descriptions);
	notes->all_described = false;
	notes->next_description = 0;
	notes->next_span = 0;
}

static int begin_elf(struct sdtkit_notes *notes, Elf *handle,
		     const struct sdtkit_origin *origin)
{
	const struct sdtkit_elf *noted = &notes->elf;
	int ret;

	ret = sdtkit_elf_open(&notes->elf, handle, notes->source.size);
	if (ret < 0)
		return ret;
	/* It has sites but no notes: they were stripped. */
	if (notes->elf.info.has_base && !notes->elf.info.debug_only &&
	    !notes->elf.info.relocatable &&
	    notes->elf.found[SDTKIT_SECTION_PROBES] == 0) {
		ret = sdtkit_debug_file_find(&notes->elf, origin,
					     &notes->debug);
		if (ret < 0)
			return ret;
		if (ret > 0)
			noted = &notes->debug.elf;
	}
	set_present(notes, &notes->elf, noted, NULL);
	return 0;
}

static int begin_archive(struct sdtkit_notes *notes, Elf *handle)
{
	static const struct sdtkit_elf nothing = {
		.info = { .relocatable = true },
	};
	int ret;

	ret = sdtkit_archive_open(&notes->archive, &notes->source, handle);
	if (ret < 0)
		return ret;
	notes->info.archive = true;
	set_present(notes, &nothing, &nothing, NULL);
	return 0;
}

int sdtkit_notes_begin(const struct sdtkit_source *source,
		       const struct sdtkit_origin *origin,
		       struct sdtkit_notes **notes)
{
	struct sdtkit_source s = *source;
	struct sdtkit_notes *n;
	Elf *handle;
	int ret;

	/* In a directory full of files, most are refused here. */
	ret = sdtkit_source_elf(&s, &handle);
	if (ret < 0) {
		sdtkit_source_close(&s);
		return ret;
	}
	n = calloc(1, sizeof(*n));
	if (n == NULL) {
		elf_end(handle);
		sdtkit_source_close(&s);
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	}
	n->source = s;
	if (elf_kind(handle) == ELF_K_AR)
		ret = begin_archive(n, handle);
	else
		ret = begin_elf(n, handle, origin);
	if (ret < 0)
		sdtkit_notes_close(n);
	else
		*notes = n;
	return ret;
}

int sdtkit_notes_open(const char *path, struct sdtkit_notes **notes)
{
	const struct sdtkit_origin origin = { .root = "", .path = path };
	struct sdtkit_source source;
	int ret = sdtkit_source_open(&source, path);

	return ret < 0 ? ret : sdtkit_notes_begin(&source, &origin, notes);
}

int sdtkit_notes_open_fd(int fd, struct sdtkit_notes **notes)
{
	const struct sdtkit_origin origin = { .root = "" };
	struct sdtkit_source source;
	int ret = sdtkit_source_dup(&source, fd);

	return ret < 0 ? ret : sdtkit_notes_begin(&source, &origin, notes);
}

int sdtkit_notes_open_memory(const void *data, size_t size,
			     struct sdtkit_notes **notes)
{
	const struct sdtkit_origin origin = { .root = "" };
	struct sdtkit_source source;

	sdtkit_source_memory(&source, data, size);
	return sdtkit_notes_begin(&source, &origin, notes);
}

/* Reads all descriptions of the present file, going on after an error. */
static int index_descriptions(struct sdtkit_notes *notes)
{
	int ret;

	while (!notes->all_described) {
		ret = sdtkit_descriptions_add(&notes->descriptions,
					      &notes->described.reader);
		if (ret < 0)
			return ret;
		ret = walk_on(&notes->described, notes->noted);
		if (ret < 0)
			return ret;
		notes->all_described = ret == 0;
		if (ret == 0)
			sdtkit_descriptions_sort(&notes->descriptions);
	}
	return 0;
}

/* Reads the next note of the present file. */
static int next_here(struct sdtkit_notes *notes, struct sdtkit_site_note *note)
{
	int ret = index_descriptions(notes);

	if (ret < 0)
		return ret;
	do {
		ret = sdtkit_site_note_next(&notes->sites.reader, note);
		if (ret != 0)
			return ret;
		ret = walk_on(&notes->sites, notes->noted);
	} while (ret > 0);
	return ret;
}

static int next_member(struct sdtkit_notes *notes)
{
	const struct sdtkit_member *member;
	int ret;

	if (!notes->info.archive)
		return 0;
	ret = sdtkit_archive_next(&notes->archive);
	if (ret <= 0)
		return ret;
	member = notes->archive.newest;
	set_present(notes, &member->elf, &member->elf, member->name);
	return 1;
}

/* The addresses of an object file are not known before it is linked. */
static void set_addresses(struct sdtkit_site *site,
			  const struct sdtkit_elf *elf,
			  const struct sdtkit_site_note *note)
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

/* Puts the name of the member before the message, if it is an archive. */
static int fail_here(const struct sdtkit_notes *notes, int ret)
{
	return notes->member != NULL ? sdtkit_fail_in(ret, notes->member) : ret;
}

/*
 * Returns 1 for the first note of a site, 0 for another one, or -ENOMEM.
 * Without an address, every note is of a site of its own.
 */
static int is_new(struct sdtkit_notes *notes,
		  const struct sdtkit_site_note *note)
{
	if (notes->present->info.relocatable || note->location == 0)
		return 1;
	return sdtkit_site_set_add(&notes->sites_seen, note);
}

int sdtkit_notes_next(struct sdtkit_notes *notes,
		      const struct sdtkit_site **site)
{
	struct sdtkit_site_note note;
	int ret;

	do {
		while ((ret = next_here(notes, &note)) == 0) {
			ret = next_member(notes);
			if (ret <= 0)
				return ret;
		}
		if (ret > 0)
			ret = is_new(notes, &note);
	} while (ret == 0);
	if (ret < 0)
		return fail_here(notes, ret);
	ret = sdtkit_operands_parse(notes->arch, note.arguments,
				    notes->operands, OPERANDS_MAX);
	if (ret < 0)
		return fail_here(notes, ret);
	notes->site = (struct sdtkit_site) {
		.provider = note.provider,
		.probe = note.probe,
		.arguments = note.arguments,
		.member = notes->member,
		.operand_count = (size_t)ret,
		.operands = notes->operands,
		.description = sdtkit_descriptions_find(&notes->descriptions,
							note.provider,
							note.probe),
	};
	set_addresses(&notes->site, notes->present, &note);
	*site = &notes->site;
	return 1;
}

int sdtkit_notes_next_description(struct sdtkit_notes *notes,
				  const struct sdtkit_description **desc)
{
	const struct sdtkit_description *next;
	int ret = index_descriptions(notes);

	if (ret < 0)
		return fail_here(notes, ret);
	next = sdtkit_descriptions_next(&notes->descriptions, SDTKIT_OF_PROBE,
					&notes->next_description);
	if (next != NULL)
		*desc = next;
	return next != NULL;
}

int sdtkit_notes_next_span(struct sdtkit_notes *notes,
			   const struct sdtkit_span **span)
{
	const struct sdtkit_span *next;
	int ret = index_descriptions(notes);

	if (ret < 0)
		return fail_here(notes, ret);
	next = sdtkit_descriptions_next(&notes->descriptions, SDTKIT_OF_SPAN,
					&notes->next_span);
	if (next != NULL)
		*span = next;
	return next != NULL;
}

const struct sdtkit_notes_info *
sdtkit_notes_info(const struct sdtkit_notes *notes)
{
	return &notes->info;
}

size_t sdtkit_notes_segments(const struct sdtkit_notes *notes,
			     const struct sdtkit_segment **segments)
{
	/* A linked file may be a member of an archive, but is not loaded. */
	*segments = notes->info.archive ? NULL : notes->present->segments;
	return notes->info.archive ? 0 : notes->present->segment_count;
}

size_t sdtkit_notes_build_id(const struct sdtkit_notes *notes,
			     const unsigned char **id)
{
	struct sdtkit_bytes bytes;

	/* An archive is not linked, and neither are its members. */
	if (notes->info.archive ||
	    sdtkit_build_id(notes->present, &bytes) <= 0)
		return 0;
	*id = bytes.data;
	return bytes.size;
}

int sdtkit_notes_fd(const struct sdtkit_notes *notes)
{
	return notes->source.fd;
}

const struct sdtkit_elf *sdtkit_notes_elf(const struct sdtkit_notes *notes)
{
	return notes->info.archive ? NULL : notes->present;
}

void sdtkit_notes_set_bias(struct sdtkit_notes *notes, uint64_t bias)
{
	notes->info.bias = bias;
}

const char *sdtkit_notes_error(void)
{
	return sdtkit_fail_message();
}

void sdtkit_notes_close(struct sdtkit_notes *notes)
{
	if (notes == NULL)
		return;
	sdtkit_descriptions_clear(&notes->descriptions);
	sdtkit_site_set_clear(&notes->sites_seen);
	if (notes->debug.path != NULL)
		sdtkit_debug_file_close(&notes->debug);
	if (notes->info.archive)
		sdtkit_archive_close(&notes->archive);
	sdtkit_elf_close(&notes->elf);
	sdtkit_source_close(&notes->source);
	free(notes);
}
