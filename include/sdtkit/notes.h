/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading the static probes of an ELF file.
 *
 * A program with probes carries one record per probe site in its section
 * .note.stapsdt (docs/format.md has the layout).  This library reads those
 * records from files of either class, either byte order and any machine, on
 * any host, and hands them out one by one:
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
 * A second kind of handle goes over the files that a process, or a core dump
 * of one, had mapped, and tells what their semaphores say: who is traced.
 *
 * Link with: pkg-config --libs sdtkit-notes
 *
 * Conventions: functions that can fail return 0 (or 1, see next) or -errno,
 * and leave a sentence about the failure in sdtkit_notes_error().  An
 * out-parameter is set on success only.  Different handles may be used by
 * different threads if the libelf in use allows that.
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

/* A file offset that does not exist: the address is not in the file. */
#define SDTKIT_NO_OFFSET UINT64_MAX

/* An open ELF file and a position among its probe sites. */
struct sdtkit_notes;

/* What the file says about itself; of an archive, what the member says. */
struct sdtkit_notes_info {
	/* e_machine of the ELF header, e.g. 62 for x86-64. */
	uint16_t machine;
	/* Its name, or NULL where the library cannot parse its operands. */
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
	/* A separate debug file: addresses, but no code and no offsets. */
	bool debug_only;
	/* False when even the section headers were stripped. */
	bool has_sections;
	/* Has .stapsdt.base: sites were compiled in, notes or no notes. */
	bool has_base;
	/* A static library: the sites are those of its members. */
	bool archive;
	/* A core dump, which has no notes: see sdtkit_process_open_core(). */
	bool core;
	/*
	 * The separate debug file that the notes are in, because the file
	 * itself has lost them; NULL where they are its own.
	 */
	const char *debug_file;
	/*
	 * What the loader added to the addresses of the file: not 0 only in a
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

/* A register, as an entry of the tables of its architecture. */
struct sdtkit_register {
	/* As the assembler writes it, without prefix: "ax", "r10d", "w3". */
	const char *name;
	/* The full register that it is a part of: "rax", "r10", "x3". */
	const char *full;
	/* In bytes. */
	uint8_t size;
	/* Bits to shift the full register right by: 8 for "ah", mostly 0. */
	uint8_t shift;
	/* That of the full register in DWARF, as the machine's psABI has it. */
	uint8_t number;
};

/* A register's number, if DWARF has none for it: aarch64's "xzr". */
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
	/* Anything else, such as a symbol: the text alone does not tell. */
	SDTKIT_OPERAND_OTHER,
};

/* An argument of a probe site: its type and where its value is found. */
struct sdtkit_operand {
	enum sdtkit_operand_kind kind;
	/*
	 * Bytes, signedness, and whether it is a floating point number.  This
	 * is the type as recorded, which is the declared one only where the
	 * macro that made the site did not widen it (sdtkit's own always do).
	 * Size 0: none was recorded.
	 */
	uint16_t size;
	bool is_signed;
	bool is_float;
	/* REGISTER only, else NULL. */
	const struct sdtkit_register *reg;
	/* MEMORY only: either may be NULL.  scale is 0 where index is NULL. */
	const struct sdtkit_register *base;
	const struct sdtkit_register *index;
	uint8_t scale;
	int64_t displacement;
	/* CONSTANT only, modulo 2^64: not yet cut to size. */
	int64_t constant;
	/* As written, "-4@%edi"; not terminated by a NUL. */
	const char *text;
	size_t length;
};

/* A member of a record: docs/format.md has the wire types. */
struct sdtkit_layout_member {
	/* A record within the record adds its own name: "peer.port". */
	const char *name;
	/* In C: "uint16_t", "char[16]". */
	const char *type;
	/* "u2", "z"; "a16" text in place; "u4*3*4" an array of arrays. */
	const char *wire;
	/* In bytes from the beginning of the record. */
	uint32_t offset;
	/* In bytes; 0 if the library does not know the wire type. */
	uint32_t size;
	/* The bytes of one element; of what is not an array, size. */
	uint32_t element;
	/* Elements in each dimension; 0: there is no such dimension. */
	uint32_t counts[2];
	/* Its comment in the description, a sentence; may be empty. */
	const char *doc;
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
	 * How the value is handed over: a letter and a number of bytes, "u2"
	 * "s4" "f8"; or "p" an address, "z" that of a string, "uw" "sw" a
	 * machine word.  docs/format.md has all of them.
	 */
	const char *wire;
	/* In C: "uint16_t". */
	const char *type;
	/* May be empty. */
	const char *name;
	/* The record that it is the address of, as long valid; or NULL. */
	const struct sdtkit_layout *record;
	/* Its comment in the description, a sentence; empty: not known. */
	const char *doc;
};

/* What the file says of a probe beside its sites: a note of .note.sdtkit. */
struct sdtkit_description {
	/* All strings remain valid until sdtkit_notes_close(). */
	const char *provider;
	const char *probe;
	/* A sentence; may be empty. */
	const char *summary;
	/* The array is valid until the next call for the same handle. */
	size_t argument_count;
	const struct sdtkit_argument *arguments;
};

/* A place in the code where a probe fires. */
struct sdtkit_site {
	/* These three remain valid until sdtkit_notes_close(). */
	const char *provider;
	const char *probe;
	const char *arguments;
	/* The member of the archive that it is in, as long valid, or NULL. */
	const char *member;
	/*
	 * Where the file says that it will be in memory, before the loader adds
	 * its bias; corrected if the file was moved after it was linked
	 * (prelink).  0 in a relocatable file.
	 */
	uint64_t address;
	/* The same place in the file: what uprobes want. */
	uint64_t offset;
	/* A 16-bit counter, nonzero while somebody traces; 0: there is none. */
	uint64_t semaphore;
	uint64_t semaphore_offset;
	/* The arguments, parsed. */
	size_t operand_count;
	const struct sdtkit_operand *operands;
	/* How the probe was declared, or NULL if the file does not say. */
	const struct sdtkit_description *description;
};

/*
 * Opens an ELF file, or an archive of ELF files.  A file without probes opens
 * as well: the first sdtkit_notes_next() returns 0 for it.  Of an archive,
 * members that are not ELF are left out.
 *
 * A program or library that has probes, but has lost its notes, is looked up
 * by its build-id and its debug link below /usr/lib/debug and beside it; the
 * notes of a debug file that fits are taken for its own.
 *
 * Errors: those of open(2); -EISDIR, -EINVAL (not a regular file), -ENOEXEC
 * (not ELF), -EOPNOTSUPP (a thin archive), -EBADMSG (damaged ELF), -EFBIG
 * (tables larger than any real ones), -ENOMEM.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_open(const char *path, struct sdtkit_notes **notes);

/*
 * The same for a descriptor, whose position does not matter.  It is not
 * needed any more afterwards: the library has its own.
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
 * Returns 1 and sets *site, 0 at the end, or -errno.  The site is the
 * library's and valid until the next call, its strings until the file is
 * closed.  After an error the call may be repeated: it goes on behind the
 * damage and does not return the same error for ever.
 *
 * Errors: -EBADMSG (damaged note), -E2BIG (more operands than 64), -EFBIG (a
 * note section over 256 MiB), -ENOMEM, -EIO.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_next(struct sdtkit_notes *notes,
		      const struct sdtkit_site **site);

/*
 * Goes to the next description, sorted by provider and probe, whether or not
 * there are sites; of an archive, those of the member of the last site only.
 * Returns as sdtkit_notes_next() does.  The two do not disturb each other, but
 * for the array of arguments, of which there is one.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_next_description(struct sdtkit_notes *notes,
				  const struct sdtkit_description **desc);

/* What the file says about itself; never NULL, valid until the close. */
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
 * Opens a running process.  What it maps is read now, and not again.
 *
 * Errors: -ESRCH (there is none of that number), -EACCES or -EPERM (somebody
 * else's), -ENOMEM.  A kernel thread opens and has no objects.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_open(pid_t pid, struct sdtkit_process **process);

/*
 * Opens the core dump of a process, of any machine.  Its objects are looked
 * for where they were, on this host.  Dumps that gdb made do not tell code
 * from data: expect -ENOEXEC from sdtkit_process_notes() there.
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
 * Opens the file of the object that sdtkit_process_next() came to: the very
 * file that is mapped, even if deleted or in another mount namespace.  To be
 * closed with sdtkit_notes_close(), before or after the process.
 *
 * Errors: as sdtkit_notes_open(); -ESTALE (this is another file than the one
 * that was mapped), -ESRCH (the process has ended).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_notes(struct sdtkit_process *process,
			 struct sdtkit_notes **notes);

/*
 * The value of a site's semaphore in the memory of the process: how many
 * attachments the probe has.  Each tracer adds one for each site, and for each
 * mapping of the page of code that the site is in.  notes is that of the object
 * that sdtkit_process_next() came to.
 *
 * Errors: -ENOENT (the site has none), -EACCES or -EPERM (the memory is not
 * ours to read: root may), -ENODATA (not in the core dump, or not mapped),
 * -ESRCH (the process has ended).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_semaphore(struct sdtkit_process *process,
			     const struct sdtkit_notes *notes,
			     const struct sdtkit_site *site, uint16_t *value);

/* Closes the process.  NULL is allowed. */
SDTKIT_NOTES_PUBLIC
void sdtkit_process_close(struct sdtkit_process *process);

/*
 * The last failure in this thread as a sentence without the file's name, e.g.
 * "note at 0x40 of .note.stapsdt: probe name without an end".  Never NULL;
 * valid until the next failure.
 */
SDTKIT_NOTES_PUBLIC
const char *sdtkit_notes_error(void);

#ifdef __cplusplus
}
#endif

#endif /* SDTKIT_NOTES_H */
