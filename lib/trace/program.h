/* SPDX-License-Identifier: BSD-2-Clause */
/* What the loader will make of a file that is executed. */
#ifndef SDTKIT_TRACE_PROGRAM_H
#define SDTKIT_TRACE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SDTKIT_PROGRAM_LOADER = 256,
	/*
	 * The kernel's limits: BINPRM_BUF_SIZE, and how often "#!" may lead to
	 * another script.
	 */
	SDTKIT_PROGRAM_LINE = 256,
	SDTKIT_PROGRAM_SCRIPTS = 5,
};

struct sdtkit_program {
	bool is_elf;
	unsigned char class;
	uint16_t machine;
	/* The path of the loader (PT_INTERP); empty if there is none. */
	char loader[SDTKIT_PROGRAM_LOADER];
	/* The file needs the runtime of AddressSanitizer (DT_NEEDED). */
	bool needs_asan;
};

/*
 * Reads it; of a file for another machine or word size than this code's only
 * these two. Async-signal-safe, as is all of this file.
 */
void sdtkit_program_read(int fd, struct sdtkit_program *program);

/* Reads the path of a script's interpreter; false if it is not a script. */
bool sdtkit_program_read_script(int fd, char path[static SDTKIT_PROGRAM_LINE]);

/* Whether both loaders are of the same C library. */
bool sdtkit_program_same_loader(const char *loader, const char *other);

#endif /* SDTKIT_TRACE_PROGRAM_H */
