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

#ifdef __cplusplus
extern "C" {
#endif

#define SDTKIT_NOTES_PUBLIC __attribute__((visibility("default")))

/* A file offset that does not exist: the address is not in the file. */
#define SDTKIT_NO_OFFSET UINT64_MAX

/* An open ELF file and a position among its probe sites. */
struct sdtkit_notes;

/* What the file says about itself. */
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
};

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

/* A place in the code where a probe fires. */
struct sdtkit_site {
	/* These three remain valid until sdtkit_notes_close(). */
	const char *provider;
	const char *probe;
	const char *arguments;
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
};

/*
 * Opens an ELF file.  A file without probes opens as well: the first
 * sdtkit_notes_next() returns 0 for it.
 *
 * Errors: those of open(2); -EISDIR, -EINVAL (not a regular file), -ENOEXEC
 * (not ELF), -EOPNOTSUPP (an archive), -EBADMSG (damaged ELF), -EFBIG (tables
 * larger than any real ones), -ENOMEM.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_notes_open(const char *path, struct sdtkit_notes **notes);

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

/* What the file says about itself; never NULL, valid until the close. */
SDTKIT_NOTES_PUBLIC
const struct sdtkit_notes_info *
sdtkit_notes_info(const struct sdtkit_notes *notes);

/* Closes the file.  NULL is allowed. */
SDTKIT_NOTES_PUBLIC
void sdtkit_notes_close(struct sdtkit_notes *notes);

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
