/* SPDX-License-Identifier: BSD-2-Clause */
/* The build ID of a file: the linker's checksum of it. */
#ifndef SDTKIT_NOTES_BUILD_ID_PRIV_H
#define SDTKIT_NOTES_BUILD_ID_PRIV_H

#include "elf_file.h"

enum {
	/* In bytes: SHA-1 makes 20, and nobody has more than this. */
	SDTKIT_BUILD_ID_MAX = 64,
};

/* Sets *id to the build ID, with its address: 1, or 0 if elf has none. */
int sdtkit_build_id(const struct sdtkit_elf *elf, struct sdtkit_bytes *id);

#endif /* SDTKIT_NOTES_BUILD_ID_PRIV_H */
