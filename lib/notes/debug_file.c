/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the debug file of a program that has lost its notes.  Notes survive
 * strip(1), but not llvm-strip --strip-all; the debug file that a package's
 * build has made before that still has them.  It is searched for where gdb
 * looks: for a program in /usr/sbin with the build ID 3f1c22.. and the debug
 * link smbd.debug, these are
 *
 *	/usr/lib/debug/.build-id/3f/1c22...debug
 *	/usr/sbin/smbd.debug
 *	/usr/sbin/.debug/smbd.debug
 *	/usr/lib/debug/usr/sbin/smbd.debug
 *
 * Invariant: a file is taken only if it belongs to the program: it has the same
 * build ID, or if the program has none, its checksum is that of the debug link.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "build_id.h"
#include "debug_file.h"
#include "fail.h"
#include "note.h"

#define DEBUG_ROOT "/usr/lib/debug"

enum {
	BLOCK = 64 << 10,
};

/* What the debug file must have: the build ID, or else the checksum. */
struct wanted {
	struct sdtkit_bytes build_id;
	/* NULL if there is no debug link. */
	const char *link;
	uint32_t checksum;
};

/* .gnu_debuglink: a name, its NUL, padding to 4, a CRC-32. */
static void read_link(const struct sdtkit_elf *elf, struct wanted *wanted)
{
	struct sdtkit_note_reader reader = {
		.big_endian = elf->info.big_endian,
	};
	struct sdtkit_bytes bytes;
	size_t position = 0, length;

	if (sdtkit_elf_next(elf, SDTKIT_SECTION_DEBUG_LINK, &position,
			    &bytes) <= 0)
		return;
	length = strnlen((const char *)bytes.data, bytes.size);
	position = (length + 4) & ~(size_t)3;
	if (length == 0 || position + 4 > bytes.size ||
	    memchr(bytes.data, '/', length) != NULL)
		return;
	reader.data = bytes.data;
	wanted->link = (const char *)bytes.data;
	wanted->checksum = (uint32_t)sdtkit_note_number(&reader, position, 4);
}

static bool has_checksum(const struct sdtkit_source *source, uint32_t wanted)
{
	unsigned char *block = malloc(BLOCK);
	uLong sum = crc32(0, NULL, 0);
	uint64_t at = 0;

	while (block != NULL && at < source->size) {
		size_t size = source->size - at < BLOCK ?
			      (size_t)(source->size - at) : BLOCK;

		if (sdtkit_source_read(source, at, block, size) < 0)
			break;
		sum = crc32(sum, block, (uInt)size);
		at += size;
	}
	free(block);
	return at == source->size && sum == wanted;
}

static bool belongs(const struct sdtkit_debug_file *file,
		    const struct wanted *wanted)
{
	struct sdtkit_bytes id;

	if (file->elf.found[SDTKIT_SECTION_PROBES] == 0)
		return false;
	if (wanted->build_id.size == 0)
		return has_checksum(&file->source, wanted->checksum);
	return sdtkit_build_id(&file->elf, &id) > 0 &&
	       id.size == wanted->build_id.size &&
	       memcmp(id.data, wanted->build_id.data, id.size) == 0;
}

/* Returns 1 if this is the file; errors of other files do not matter. */
static int try_file(struct sdtkit_debug_file *file,
		    const struct wanted *wanted)
{
	Elf *handle;

	if (sdtkit_source_open(&file->source, file->path) < 0)
		return 0;
	if (sdtkit_source_elf(&file->source, &handle) < 0)
		goto close_source;
	if (elf_kind(handle) != ELF_K_ELF) {
		elf_end(handle);
		goto close_source;
	}
	if (sdtkit_elf_open(&file->elf, handle, file->source.size) < 0)
		goto close_source;
	if (belongs(file, wanted))
		return 1;
	sdtkit_elf_close(&file->elf);
close_source:
	sdtkit_source_close(&file->source);
	return 0;
}

__attribute__((format(printf, 3, 4)))
static int try_path(struct sdtkit_debug_file *file,
		    const struct wanted *wanted, const char *format, ...)
{
	va_list ap;
	int ret;

	va_start(ap, format);
	ret = vasprintf(&file->path, format, ap);
	va_end(ap);
	if (ret < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	ret = try_file(file, wanted);
	if (ret <= 0) {
		free(file->path);
		file->path = NULL;
	}
	return ret;
}

static int try_build_id(struct sdtkit_debug_file *file,
			const struct wanted *wanted, const char *root)
{
	char hex[2 * SDTKIT_BUILD_ID_MAX + 1];
	size_t i;

	for (i = 0; i < wanted->build_id.size; i++)
		sprintf(hex + 2 * i, "%02x", wanted->build_id.data[i]);
	return try_path(file, wanted,
			"%s" DEBUG_ROOT "/.build-id/%.2s/%s.debug",
			root, hex, hex + 2);
}

static int try_link(struct sdtkit_debug_file *file,
		    const struct wanted *wanted, const char *root,
		    const char *directory)
{
	static const struct {
		const char *before, *behind;
	} ways[] = {
		{ "", "" },
		{ "", "/.debug" },
		{ DEBUG_ROOT, "" },
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]) && ret == 0; i++)
		ret = try_path(file, wanted, "%s%s%s%s/%s", root,
			       ways[i].before, directory, ways[i].behind,
			       wanted->link);
	return ret;
}

/* The directory of the program, without links, to be freed; NULL if unknown. */
static char *find_directory(const struct sdtkit_origin *origin)
{
	char *path = NULL;

	if (origin->path != NULL)
		/* The path of a mapping has no links. */
		path = origin->root[0] != '\0' ? strdup(origin->path) :
						 realpath(origin->path, NULL);
	if (path != NULL && strrchr(path, '/') != NULL)
		*strrchr(path, '/') = '\0';
	return path;
}

int sdtkit_debug_file_find(const struct sdtkit_elf *elf,
			   const struct sdtkit_origin *origin,
			   struct sdtkit_debug_file *file)
{
	struct wanted wanted = { .link = NULL };
	char *directory;
	int ret = 0;

	/* The first byte names a directory, the others name the file. */
	if (sdtkit_build_id(elf, &wanted.build_id) > 0 &&
	    wanted.build_id.size > 1)
		ret = try_build_id(file, &wanted, origin->root);
	if (ret != 0)
		return ret;
	read_link(elf, &wanted);
	directory = find_directory(origin);
	if (wanted.link != NULL && directory != NULL)
		ret = try_link(file, &wanted, origin->root, directory);
	free(directory);
	return ret;
}

void sdtkit_debug_file_close(struct sdtkit_debug_file *file)
{
	sdtkit_elf_close(&file->elf);
	sdtkit_source_close(&file->source);
	free(file->path);
}
