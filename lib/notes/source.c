/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files as bytes, before anybody looks at what is in them.
 *
 *	path, descriptor, memory --> struct sdtkit_source --> Elf of libelf
 *
 * Invariants:
 * 1. regular files only, and opening cannot block;
 * 2. a file is read, not mapped: truncating it meanwhile is an error, not a
 *    SIGBUS, and what is held of it is only what was asked for;
 * 3. the position of a descriptor is neither used nor changed.
 */
#define _POSIX_C_SOURCE 200809L
#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "note.h"
#include "source.h"

enum {
	/* A section for each function of a whole browser is below it. */
	SECTIONS_MAX = 1 << 20,
};

static int check_regular(struct sdtkit_source *source)
{
	struct stat st;

	if (source->fd < 0 || fstat(source->fd, &st) < 0)
		return sdtkit_fail(errno, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return sdtkit_fail(EISDIR, "%s", strerror(EISDIR));
	if (!S_ISREG(st.st_mode))
		return sdtkit_fail(EINVAL, "not a regular file");
	source->size = (uint64_t)st.st_size;
	return 0;
}

/* Takes over the descriptor, which may be -1 with errno set. */
static int take_descriptor(struct sdtkit_source *source, int fd)
{
	struct sdtkit_source s = { .fd = fd };
	int ret = check_regular(&s);

	if (ret < 0)
		sdtkit_source_close(&s);
	else
		*source = s;
	return ret;
}

int sdtkit_source_open(struct sdtkit_source *source, const char *path)
{
	/* O_NONBLOCK: a FIFO without a writer must not hold us up. */
	return take_descriptor(source, open(path, O_RDONLY | O_CLOEXEC |
					    O_NOCTTY | O_NONBLOCK));
}

int sdtkit_source_dup(struct sdtkit_source *source, int fd)
{
	return take_descriptor(source, fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

void sdtkit_source_memory(struct sdtkit_source *source, const void *data,
			  size_t size)
{
	*source = (struct sdtkit_source) {
		.fd = -1,
		.memory = data,
		.size = size,
	};
}

/*
 * Returns 0 if the source begins like a file that libelf reads.  Checked first,
 * because most files of a directory are not ELF and libelf is slow to say so.
 */
static int check_magic(const struct sdtkit_source *source)
{
	static const char archive[SARMAG + 1] = ARMAG;
	static const char thin[SARMAG + 1] = "!<thin>\n";
	char magic[SARMAG] = "";
	size_t size = source->size < SARMAG ? source->size : SARMAG;
	int ret;

	if (size == 0)
		return sdtkit_fail(ENOEXEC, "not an ELF file: it is empty");
	ret = sdtkit_source_read(source, 0, magic, size);
	if (ret < 0)
		return ret;
	if (memcmp(magic, ELFMAG, SELFMAG) == 0 ||
	    memcmp(magic, archive, SARMAG) == 0)
		return 0;
	if (memcmp(magic, thin, SARMAG) == 0)
		return sdtkit_fail(EOPNOTSUPP, "a thin archive, which only "
				   "names object files (ar t): read those "
				   "instead");
	return sdtkit_fail(ENOEXEC, "not an ELF file");
}

/* Where the fields are that tell the number of sections. */
static const struct layout {
	unsigned int word;
	size_t sections, count, section_size;
} layouts[] = {
	{ 4, offsetof(Elf32_Ehdr, e_shoff), offsetof(Elf32_Ehdr, e_shnum),
	  offsetof(Elf32_Shdr, sh_size) },
	{ 8, offsetof(Elf64_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_shnum),
	  offsetof(Elf64_Shdr, sh_size) },
};

int sdtkit_source_check_sections(const struct sdtkit_source *source,
				 uint64_t offset)
{
	unsigned char header[sizeof(Elf64_Ehdr)];
	struct sdtkit_note_reader reader = { .data = header };
	const struct layout *layout;
	uint64_t sections;

	if (sdtkit_source_read(source, offset, header, sizeof(header)) < 0 ||
	    memcmp(header, ELFMAG, SELFMAG) != 0)
		return 0;
	reader.big_endian = header[EI_DATA] == ELFDATA2MSB;
	layout = &layouts[header[EI_CLASS] == ELFCLASS64];
	sections = sdtkit_note_number(&reader, layout->sections, layout->word);
	/* 0 stands for none, or for a number in the first of them. */
	if (sections == 0 || sections > source->size ||
	    sdtkit_note_number(&reader, layout->count, 2) != 0)
		return 0;
	if (sdtkit_source_read(source,
			       offset + sections + layout->section_size,
			       header, layout->word) < 0 ||
	    sdtkit_note_number(&reader, 0, layout->word) <= SECTIONS_MAX)
		return 0;
	return sdtkit_fail(EFBIG, "more than %d sections", SECTIONS_MAX);
}

int sdtkit_source_elf(const struct sdtkit_source *source, Elf **elf)
{
	int ret = check_magic(source);
	Elf *e;

	if (ret < 0)
		return ret;
	ret = sdtkit_source_check_sections(source, 0);
	if (ret < 0)
		return ret;
	elf_version(EV_CURRENT);
	if (source->fd >= 0)
		e = elf_begin(source->fd, ELF_C_READ, NULL);
	else
		/* Its type is not const, but it is for reading only. */
		e = elf_memory((char *)(uintptr_t)source->memory,
			       source->size);
	if (e == NULL ||
	    (elf_kind(e) != ELF_K_ELF && elf_kind(e) != ELF_K_AR)) {
		elf_end(e);
		return sdtkit_fail(EBADMSG, "damaged or truncated: its ELF "
				   "header is not valid");
	}
	*elf = e;
	return 0;
}

int sdtkit_source_read(const struct sdtkit_source *source, uint64_t offset,
		       void *to, size_t size)
{
	ssize_t got;

	if (offset > source->size || size > source->size - offset)
		return sdtkit_fail(ENODATA, "the file ends before offset %#llx",
				   (unsigned long long)offset);
	if (source->fd < 0) {
		memcpy(to, source->memory + offset, size);
		return 0;
	}
	while (size > 0) {
		got = pread(source->fd, to, size, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return sdtkit_fail(errno, "%s", strerror(errno));
		if (got == 0)
			return sdtkit_fail(ENODATA, "the file was truncated "
					   "while it was read");
		to = (char *)to + got;
		size -= (size_t)got;
		offset += (uint64_t)got;
	}
	return 0;
}

void sdtkit_source_close(struct sdtkit_source *source)
{
	if (source->fd >= 0)
		close(source->fd);
}
