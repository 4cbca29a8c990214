/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading the static probes of an ELF file.
 *
 * A program with probes has one note for each site in its section .note.stapsdt
 * (docs/format.md has the layout).  This library reads these notes from files
 * of either class, either byte order and any machine, on any host, and returns
 * the sites one by one:
 *
 *	struct sdtkit_notes *notes;
 *	const struct sdtkit_site *site;
 *	int ret;
 *
 *	ret = sdtkit_notes_open("/usr/sbin/smbd", &notes);
 *	if (ret < 0)
 *		errx(2, "%s", sdtkit_notes_error());
 *	while ((ret = sdtkit_notes_next(notes, &site)) > 0)
 *		printf("%s:%s\n", site->provider, site->probe);
 *	if (ret < 0)
 *		errx(2, "%s", sdtkit_notes_error());
 *	sdtkit_notes_close(notes);
 *
 * sdtkit/notes-site.h has what is known of a site.  A second kind of handle, in
 * sdtkit/notes-process.h, goes over the files that a process, or its core dump,
 * has mapped, and reads the semaphores of their probes, which tell how many
 * tracers are attached.  This file includes both.
 *
 * Link with: pkg-config --libs sdtkit-notes
 *
 * Conventions: a function that can fail returns 0 (or 1, if its comment says
 * so) or -errno, and leaves a sentence about the failure in
 * sdtkit_notes_error().  An out-parameter is set on success only.  Threads may
 * use different handles at the same time if the libelf in use allows that.
 */
#ifndef SDTKIT_NOTES_H
#define SDTKIT_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sdtkit/notes-site.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SDTKIT_NOTES_PUBLIC __attribute__((visibility("default")))

/* An open ELF file and a position among its probe sites. */
struct sdtkit_notes;

/* What is known of the file, or of the present member of an archive. */
struct sdtkit_notes_info {
	/* e_machine of the ELF header, e.g. 62 for x86-64. */
	uint16_t machine;
	/* Its name, or NULL if the library cannot parse its operands. */
	const char *machine_name;
	/* 32 or 64. */
	unsigned int bits;
	bool big_endian;
	/*
	 * An object file that was not linked: its sites have no addresses
	 * yet, and whether they have semaphores is not known.
	 */
	bool relocatable;
	/* Names its shared libraries or loader: PT_DYNAMIC or PT_INTERP. */
	bool dynamic;
	/* A separate debug file, which has addresses but no code. */
	bool debug_only;
	/* False if the section headers were stripped. */
	bool has_sections;
	/* It has .stapsdt.base, so it has sites even if its notes are gone. */
	bool has_base;
	/*
	 * The section .probes: some tracers find semaphores by this name only.
	 * The size is 0 if there is none.
	 */
	uint64_t semaphores_address;
	uint64_t semaphores_size;
	/*
	 * What the loader makes read-only before the program begins: the
	 * segment PT_GNU_RELRO.  The size is 0 if there is none.
	 */
	uint64_t relro_address;
	uint64_t relro_size;
	/* A static library: the sites are those of its members. */
	bool archive;
	/* A core dump, to be read with sdtkit_process_open_core(). */
	bool core;
	/*
	 * The path of the separate debug file that the notes were read from,
	 * because the file itself has none; NULL if the notes are its own.
	 */
	const char *debug_file;
	/*
	 * What the loader added to the addresses of the file; 0 except in a
	 * handle of sdtkit_process_notes().
	 */
	uint64_t bias;
};

/* A segment of an ELF file that was linked: one of its program headers. */
struct sdtkit_segment {
	/* In memory, before the loader adds its bias. */
	uint64_t address;
	/* Where its bytes begin in the file, and how many there are. */
	uint64_t offset;
	uint64_t size;
	/* In memory it may be larger: the rest is zero. */
	uint64_t memory_size;
	/* PT_LOAD or PT_NOTE, of <elf.h>; others are left out. */
	uint32_t type;
	/* PF_R, PF_W and PF_X. */
	uint32_t flags;
};

/*
 * Opens an ELF file, or an archive of ELF files.  A file without probes can be
 * opened too: the first sdtkit_notes_next() returns 0 for it.  Members of an
 * archive that are not ELF files are left out.
 *
 * If a program or library has sites but no notes, its debug file is looked for,
 * by its build ID and by its debug link, below /usr/lib/debug and beside the
 * file.  If there is one, the notes are read from it.
 *
 * Errors: those of open(2); -EISDIR, -EINVAL (not a regular file), -ENOEXEC
 * (not ELF), -EOPNOTSUPP (a thin archive), -EBADMSG (damaged ELF), -EFBIG
 * (tables larger than any real ones), -ENOMEM.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_open(const char *path, struct sdtkit_notes **notes);

/*
 * The same for a descriptor.  Its position is neither used nor changed, and it
 * may be closed afterwards: the library duplicates it.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_open_fd(int fd, struct sdtkit_notes **notes);

/*
 * The same for a file in memory, which must remain there until the close.
 * Offsets are those in the memory.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_open_memory(const void *data, size_t size,
			     struct sdtkit_notes **notes);

/*
 * Goes to the next site, in the order of the file.  If a probe has several notes
 * for one address, which is what identical code folding leaves, they are one
 * site, with the arguments of the first note.
 *
 * Returns 1 and sets *site, 0 at the end, or -errno.  The site and its operands
 * are valid until the next call, its strings and its description until the
 * close.  After an error the call may be repeated: it continues behind the
 * damage, so that a loop comes to an end.
 *
 * Errors: -EBADMSG (damaged note), -E2BIG (more operands than 64), -EFBIG (a
 * note section over 256 MiB), -ENOMEM, -EIO.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_next(struct sdtkit_notes *notes,
		      const struct sdtkit_site **site);

/*
 * Goes to the next description, in the order of provider and probe, whether the
 * probe has sites or not.  In an archive, these are the descriptions of the
 * member that the last site was in.  Returns what sdtkit_notes_next() does.
 * Calls of the two functions may be mixed.  The description is valid until the
 * close, with all that it points to.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_next_description(struct sdtkit_notes *notes,
				  const struct sdtkit_description **desc);

/*
 * Goes to the next span, in the order of provider and name.  Spans of which two
 * files of the program have different descriptions are left out.  In an
 * archive, these are the spans of the member that the last site was in.
 * Returns what sdtkit_notes_next() does.  Calls may be mixed with those of the
 * other two functions.  The span is valid until the close, with all that it
 * points to.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_next_span(struct sdtkit_notes *notes,
			   const struct sdtkit_span **span);

/* Returns what is known of the file; never NULL, valid until the close. */
SDTKIT_NOTES_PUBLIC
const struct sdtkit_notes_info *
sdtkit_notes_info(const struct sdtkit_notes *notes);

/*
 * The segments of the file, in the order of its program headers.  Returns how
 * many there are and sets *segments, which is valid until the close.  An object
 * file, and an archive, has none.
 */
SDTKIT_NOTES_PUBLIC
size_t sdtkit_notes_segments(const struct sdtkit_notes *notes,
			     const struct sdtkit_segment **segments);

/*
 * The build ID of the file (ld --build-id).  Returns its size in bytes and sets
 * *id, which is valid until the close; returns 0 if the file has none.
 */
SDTKIT_NOTES_PUBLIC
size_t sdtkit_notes_build_id(const struct sdtkit_notes *notes,
			     const unsigned char **id);

/*
 * The descriptor that the file is read from, or -1 for a file in memory.  It is
 * the library's and valid until the close; duplicate it to keep it longer.  A
 * tracer that attaches through /proc/self/fd gets the very file whose sites
 * were read, even if its name stands for another file by now.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_fd(const struct sdtkit_notes *notes);

/* Closes the file.  NULL is allowed. */
SDTKIT_NOTES_PUBLIC
void sdtkit_notes_close(struct sdtkit_notes *notes);

/*
 * Returns the last failure in this thread, as a sentence without the path, like
 * "note at 0x40 of .note.stapsdt: probe name is not terminated".  Never NULL;
 * valid until the next failure.
 */
SDTKIT_NOTES_PUBLIC
const char *sdtkit_notes_error(void);

#ifdef __cplusplus
}
#endif

#include <sdtkit/notes-process.h>

#endif /* SDTKIT_NOTES_H */
