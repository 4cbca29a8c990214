/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a process, or what a core dump has of it. */
#ifndef SDTKIT_NOTES_MEMORY_PRIV_H
#define SDTKIT_NOTES_MEMORY_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "elf_file.h"
#include "source.h"

enum {
	SDTKIT_MEMORY_BLOCK = 4096,
};

struct sdtkit_memory {
	/* /proc/PID/mem, or -errno of its opening. */
	int fd;
	/* Instead of it, where core is not NULL. */
	const struct sdtkit_source *source;
	const struct sdtkit_elf *core;
	/* The block that was read last: semaphores lie side by side. */
	uint64_t block_address;
	size_t block_size;
	unsigned char block[SDTKIT_MEMORY_BLOCK];
};

/* All of size bytes (at most a block) at an address, or -errno. */
int sdtkit_memory_read(struct sdtkit_memory *memory, uint64_t address,
		       void *to, size_t size);

#endif /* SDTKIT_NOTES_MEMORY_PRIV_H */
