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
 * A second kind of handle goes over the files that a process, or its core dump,
 * has mapped, and reads the semaphores of their probes, which tell how many
 * tracers are attached.
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
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SDTKIT_NOTES_PUBLIC __attribute__((visibility("default")))

/* Stands for a file offset if an address is not in the file. */
#define SDTKIT_NO_OFFSET UINT64_MAX

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

/* A register of a machine, or a part of one. */
struct sdtkit_register {
	/* As the assembler writes it, without prefix: "ax", "r10d", "w3". */
	const char *name;
	/* The full register that it is a part of: "rax", "r10", "x3". */
	const char *full;
	/* In bytes. */
	uint8_t size;
	/* How many bits it lies above the low end: 8 for "ah", else 0. */
	uint8_t shift;
	/* The number of the full register in DWARF (psABI of the machine). */
	uint8_t number;
};

/* Stands for the number of a register that has none: aarch64's "xzr". */
#define SDTKIT_NO_NUMBER	UINT8_MAX

enum sdtkit_operand_kind {
	/* The library has no tables for this machine; see text. */
	SDTKIT_OPERAND_UNKNOWN,
	/* The value of reg. */
	SDTKIT_OPERAND_REGISTER,
	/* size bytes at base + index * scale + displacement. */
	SDTKIT_OPERAND_MEMORY,
	/* constant. */
	SDTKIT_OPERAND_CONSTANT,
	/* Anything else, such as a symbol: see text. */
	SDTKIT_OPERAND_OTHER,
};

/* An argument of a probe site: its type and where its value is found. */
struct sdtkit_operand {
	enum sdtkit_operand_kind kind;
	/*
	 * The type of the value in the note: its size in bytes, whether it is
	 * signed and whether it is a floating-point number.  It differs from
	 * the declared type if the macro that made the site has widened the
	 * value, as sdtkit's macros do.  If size is 0, the note has no type.
	 */
	uint16_t size;
	bool is_signed;
	bool is_float;
	/* REGISTER only; NULL for other kinds. */
	const struct sdtkit_register *reg;
	/* MEMORY only: either may be NULL.  scale is 0 if index is NULL. */
	const struct sdtkit_register *base;
	const struct sdtkit_register *index;
	uint8_t scale;
	int64_t displacement;
	/* CONSTANT only, modulo 2^64: not yet truncated to size. */
	int64_t constant;
	/* The text of the note, "-4@%edi", without a terminating NUL. */
	const char *text;
	size_t length;
};

/* A name of a value. */
struct sdtkit_enumerator {
	const char *name;
	int64_t value;
};

/* What the values of an argument, or of a member of a record, are called. */
struct sdtkit_enum {
	/* As the description calls it: "smb2_command". */
	const char *name;
	/*
	 * In the order of the description.  If several have the same value, the
	 * first is the name to show.
	 */
	size_t enumerator_count;
	const struct sdtkit_enumerator *enumerators;
};

/* A member of a record: docs/format.md has the wire types. */
struct sdtkit_layout_member {
	/* A member of an inner record has the name of both: "peer.port". */
	const char *name;
	/* In C: "uint16_t", "char[16]". */
	const char *type;
	/* "u2", "z"; "a16" text in place; "u4*3*4" an array of arrays. */
	const char *wire;
	/* In bytes from the beginning of the record. */
	uint32_t offset;
	/* In bytes; 0 if the library does not know the wire type. */
	uint32_t size;
	/* The bytes of one element of an array; for other members, size. */
	uint32_t element;
	/* The elements in each dimension; 0 if there is no such dimension. */
	uint32_t counts[2];
	/* Its comment in the description; may be empty. */
	const char *doc;
	/* The names of its values, or of its elements; NULL if it has none. */
	const struct sdtkit_enum *names;
};

/* A record that a probe fills for tracers: the same bytes on all machines. */
struct sdtkit_layout {
	/* In bytes, up to 4096. */
	size_t size;
	/* Sorted by offset, without overlaps, within the record. */
	size_t member_count;
	const struct sdtkit_layout_member *members;
};

/* An argument as its probe was declared. */
struct sdtkit_argument {
	/*
	 * The wire type: a letter and a number of bytes, "u2" "s4" "f8"; "p"
	 * for an address, "z" for the address of a string, "uw" and "sw" for
	 * a machine word.  docs/format.md has all of them.
	 */
	const char *wire;
	/* The declared type in C: "uint16_t". */
	const char *type;
	/* May be empty. */
	const char *name;
	/*
	 * The layout of the record, if the value is the address of one; else
	 * NULL.  Valid as long as the argument.
	 */
	const struct sdtkit_layout *record;
	/* Its comment in the description; empty if it has none. */
	const char *doc;
	/* The names of its values; NULL if it has none.  Valid as record is. */
	const struct sdtkit_enum *names;
};

/* The description of a probe in the file: a note of .note.sdtkit. */
struct sdtkit_description {
	/* All strings remain valid until sdtkit_notes_close(). */
	const char *provider;
	const char *probe;
	/* What the probe tells, in one sentence; may be empty. */
	const char *summary;
	/* The array is valid until the next call for the same handle. */
	size_t argument_count;
	const struct sdtkit_argument *arguments;
};

/* A property of a span, as the description has it: "start", "a,b". */
struct sdtkit_span_property {
	const char *name;
	const char *value;
};

/*
 * What begins at some probes and ends at others, such as a request.
 * docs/language.md has the properties.
 */
struct sdtkit_span {
	/* All strings remain valid until sdtkit_notes_close(). */
	const char *provider;
	const char *name;
	/* What it is, in one sentence; may be empty. */
	const char *summary;
	/*
	 * In no particular order; ignore those that you do not know.  The array
	 * is valid until the next call for the same handle.
	 */
	size_t property_count;
	const struct sdtkit_span_property *properties;
};

/* A place in the code where a probe fires. */
struct sdtkit_site {
	/* These three remain valid until sdtkit_notes_close(). */
	const char *provider;
	const char *probe;
	const char *arguments;
	/* The member of the archive that it is in, as long valid; else NULL. */
	const char *member;
	/*
	 * Its address in memory, before the loader adds the bias.  It is
	 * corrected if the file was moved after it was linked (prelink).  In an
	 * object file it is 0.
	 */
	uint64_t address;
	/* Its offset in the file, as uprobes need it. */
	uint64_t offset;
	/* The address of the semaphore; 0 if the probe has none. */
	uint64_t semaphore;
	uint64_t semaphore_offset;
	/* The arguments, parsed. */
	size_t operand_count;
	const struct sdtkit_operand *operands;
	/* How the probe was declared, or NULL if the file does not say. */
	const struct sdtkit_description *description;
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
 * Goes to the next site, in the order of the file.
 *
 * Returns 1 and sets *site, 0 at the end, or -errno.  The site is valid until
 * the next call, its strings until the close.  After an error the call may be
 * repeated: it continues behind the damage, so that a loop comes to an end.
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
 * Calls of the two functions may be mixed, but both use the same array of
 * arguments.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_next_description(struct sdtkit_notes *notes,
				  const struct sdtkit_description **desc);

/*
 * Goes to the next span, in the order of provider and name.  Spans of which two
 * files of the program have different descriptions are left out.  In an
 * archive, these are the spans of the member that the last site was in.
 * Returns what sdtkit_notes_next() does.  Calls may be mixed with those of the
 * other two functions.
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

/* A mapping of a process: a line of /proc/PID/maps. */
struct sdtkit_mapping {
	/* Addresses [start, end), and where in the file they begin. */
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	/* As the process sees it; "[vdso]" and its like; "" for no file. */
	const char *path;
	/* The file was removed or replaced since it was mapped. */
	bool deleted;
	/* Which file it is, as in struct stat; 0 for no file. */
	uint64_t device;
	uint64_t inode;
	bool executable;
};

/*
 * Calls each(mapping, context) for each mapping of a process, by address.  If
 * a call does not return 0, no further one is made, and that is returned.  The
 * mapping and its path are valid during the call only.
 *
 * Errors: -ESRCH (there is no such process), -EACCES or -EPERM (its owner is
 * another user), -ENOMEM.  A process that is exiting has no mappings.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_mappings_read(pid_t pid,
			 int (*each)(const struct sdtkit_mapping *mapping,
				     void *context),
			 void *context);

/*
 * A process or the core dump of one, and a position among its objects: the
 * program and the shared libraries that are mapped there to be executed.
 *
 *	while ((ret = sdtkit_process_next(process, &object)) > 0) {
 *		if (sdtkit_process_notes(process, &notes) < 0)
 *			continue;
 *		while (sdtkit_notes_next(notes, &site) > 0)
 *			sdtkit_process_semaphore(process, notes, site, &value);
 *		sdtkit_notes_close(notes);
 *	}
 */
struct sdtkit_process;

/* A file that a process has mapped. */
struct sdtkit_object {
	/*
	 * As the process sees it: in another mount namespace this is not the
	 * file of that name here.
	 */
	const char *path;
	/* Removed or replaced since it was mapped. */
	bool deleted;
	/* Which file it is; 0 in a core dump. */
	uint64_t device;
	uint64_t inode;
	/* Where it is mapped: addresses [start, end), not without gaps. */
	uint64_t start;
	uint64_t end;
};

/*
 * Opens a running process.  Its mappings are read once, by this call.
 *
 * Errors: -ESRCH (there is no such process), -EACCES or -EPERM (it belongs to
 * another user), -ENOMEM.  A kernel thread can be opened and has no objects.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_open(pid_t pid, struct sdtkit_process **process);

/*
 * Opens the core dump of a process, of any machine.  Its objects are opened by
 * the paths that they had, on this host.  A dump that gdb made does not tell
 * code from data, so expect -ENOEXEC from sdtkit_process_notes() for some of
 * its objects.
 *
 * Errors: as sdtkit_notes_open(), -EINVAL (not a core dump), -ENODATA (a core
 * dump that does not name the files that were mapped).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_open_core(const char *path,
			     struct sdtkit_process **process);

/*
 * Goes to the next object, by address.  Returns 1 and sets *object, which is
 * valid until the next call, 0 at the end, or -errno; goes on after an error.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_next(struct sdtkit_process *process,
			const struct sdtkit_object **object);

/*
 * Opens the file of the object that sdtkit_process_next() returned last: the
 * very file that is mapped, even if it was deleted or is in another mount
 * namespace.  Close it with sdtkit_notes_close(), before or after the process.
 *
 * Errors: as sdtkit_notes_open(); -ESTALE (the file is not the one that was
 * mapped), -ESRCH (the process has ended).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_notes(struct sdtkit_process *process,
			 struct sdtkit_notes **notes);

/*
 * Reads a site's semaphore in the memory of the process: how often tracers have
 * attached to the probe.  A tracer adds one for each site, and for each mapping
 * of the page of code that the site is in.  notes must belong to the object
 * that sdtkit_process_next() returned last.
 *
 * Errors: -ENOENT (the site has none), -EACCES or -EPERM (the caller may not
 * read the memory: try as root), -ENODATA (not in the core dump, or not
 * mapped), -ESRCH (the process has ended).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_semaphore(struct sdtkit_process *process,
			     const struct sdtkit_notes *notes,
			     const struct sdtkit_site *site, uint16_t *value);

/* Closes the process.  NULL is allowed. */
SDTKIT_NOTES_PUBLIC
void sdtkit_process_close(struct sdtkit_process *process);

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

#endif /* SDTKIT_NOTES_H */
