/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Static libraries.  What is in one (ar t libsmb2.a):
 *
 *	/		the symbol table; libelf hands it out as a member
 *	smb2.o		an ELF file
 *	README		something else
 *
 * Members that have notes stay open until the archive is closed, since their
 * strings were handed out; all others are closed at once.
 *
 * Invariant: each member begins behind the one before it, so that the walk
 * ends whatever the sizes say.
 */
#define _POSIX_C_SOURCE 200809L
#include <ar.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "fail.h"

static int no_member(uint64_t at)
{
	return sdtkit_fail(EBADMSG, "damaged or truncated: no member of the "
			   "archive begins at %#llx", (unsigned long long)at);
}

/*
 * Checks the sizes in all headers of members before libelf uses them without a
 * check.  The field has ten digits at most, and blanks.
 */
static int check_members(const struct sdtkit_source *source)
{
	uint64_t at = SARMAG;
	struct ar_hdr header;
	int ret;

	while (at < source->size) {
		char digits[sizeof(header.ar_size) + 1] = "";
		unsigned long long size;
		char *end;

		if (sdtkit_source_read(source, at, &header,
				       sizeof(header)) < 0)
			return no_member(at);
		memcpy(digits, header.ar_size, sizeof(header.ar_size));
		size = strtoull(digits, &end, 10);
		if (digits[0] < '0' || digits[0] > '9' ||
		    strspn(end, " ") != strlen(end) ||
		    memcmp(header.ar_fmag, ARFMAG, sizeof(header.ar_fmag)) ||
		    size > source->size - at - sizeof(header))
			return no_member(at);
		ret = sdtkit_source_check_sections(source,
						   at + sizeof(header));
		if (ret < 0)
			return ret;
		/* They begin at even offsets. */
		at += sizeof(header) + size + (size & 1);
	}
	return 0;
}

int sdtkit_archive_open(struct sdtkit_archive *archive,
			const struct sdtkit_source *source, Elf *handle)
{
	int ret = check_members(source);

	if (ret < 0) {
		elf_end(handle);
		return ret;
	}
	*archive = (struct sdtkit_archive) {
		.source = source,
		.elf = handle,
		/* What is in memory counts as mapped. */
		.command = source->fd >= 0 ? ELF_C_READ : ELF_C_READ_MMAP,
		.position = SARMAG,
	};
	return 0;
}

/* What follows is not a member, so the next member cannot be found. */
static int damaged(struct sdtkit_archive *archive)
{
	int64_t at = archive->position;

	archive->position = INT64_MAX;
	return no_member((uint64_t)at);
}

static void free_member(struct sdtkit_member *member)
{
	sdtkit_elf_close(&member->elf);
	free(member->name);
	free(member);
}

/*
 * Takes the handle over.  Returns 1 if the member is of interest, 0 if not, or
 * -errno.  The name is from the header, and not for long.
 */
static int open_member(struct sdtkit_member *member, Elf *elf, uint64_t size)
{
	int ret;

	if (elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return 0;
	}
	ret = sdtkit_elf_open(&member->elf, elf, size);
	if (ret < 0)
		return sdtkit_fail_in(ret, member->name);
	return member->elf.found[SDTKIT_SECTION_PROBES] +
	       member->elf.found[SDTKIT_SECTION_DESCRIPTIONS] > 0;
}

static int next_member(struct sdtkit_archive *archive)
{
	int fd = archive->source->fd;
	Elf *elf = elf_begin(fd, archive->command, archive->elf);
	const Elf_Arhdr *header = elf != NULL ? elf_getarhdr(elf) : NULL;
	struct sdtkit_member *member;
	uint64_t size;
	int ret;

	if (header == NULL || elf_getbase(elf) < archive->position) {
		elf_end(elf);
		return damaged(archive);
	}
	member = calloc(1, sizeof(*member));
	size = (uint64_t)header->ar_size;
	if (member != NULL)
		member->name = strdup(header->ar_name);
	/* From here on, the header is that of the next member. */
	archive->position = elf_getbase(elf) + (int64_t)size;
	archive->position += archive->position & 1;
	archive->command = elf_next(elf);
	if (member == NULL || member->name == NULL) {
		elf_end(elf);
		free(member);
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	}
	ret = open_member(member, elf, size);
	if (ret <= 0) {
		free_member(member);
		return ret;
	}
	member->older = archive->newest;
	archive->newest = member;
	return 1;
}

int sdtkit_archive_next(struct sdtkit_archive *archive)
{
	int ret;

	while ((uint64_t)archive->position < archive->source->size) {
		ret = next_member(archive);
		if (ret != 0)
			return ret;
	}
	return 0;
}

void sdtkit_archive_close(struct sdtkit_archive *archive)
{
	while (archive->newest != NULL) {
		struct sdtkit_member *member = archive->newest;

		archive->newest = member->older;
		free_member(member);
	}
	elf_end(archive->elf);
}
