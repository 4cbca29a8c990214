/* SPDX-License-Identifier: BSD-2-Clause */
/* See memory.h; errors are those of sdtkit_process_semaphore(). */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"
#include "memory.h"

static int not_there(uint64_t address)
{
	return sdtkit_fail(ENODATA, "address %#llx cannot be read",
			   (unsigned long long)address);
}

static int read_live(int fd, uint64_t address, void *to, size_t size)
{
	ssize_t got;

	if (fd < 0)
		return sdtkit_fail(-fd, "cannot read its memory: %s",
				   strerror(-fd));
	got = pread(fd, to, size, (off_t)address);
	if (got == 0)
		return sdtkit_fail(ESRCH, "the process has ended");
	return got == (ssize_t)size ? 0 : not_there(address);
}

static int read_core(const struct sdtkit_memory *memory, uint64_t address,
		     void *to, size_t size)
{
	const struct sdtkit_elf *core = memory->core;
	size_t i;

	for (i = 0; i < core->segment_count; i++) {
		const struct sdtkit_segment *segment = &core->segments[i];
		uint64_t at = address - segment->address;

		if (segment->type != PT_LOAD || address < segment->address ||
		    at >= segment->size || size > segment->size - at ||
		    segment->offset > UINT64_MAX - at)
			continue;
		return sdtkit_source_read(memory->source, segment->offset + at,
					  to, size);
	}
	return not_there(address);
}

static int read_any(const struct sdtkit_memory *memory, uint64_t address,
		    void *to, size_t size)
{
	return memory->core != NULL ? read_core(memory, address, to, size) :
				      read_live(memory->fd, address, to, size);
}

int sdtkit_memory_read(struct sdtkit_memory *memory, uint64_t address,
		       void *to, size_t size)
{
	uint64_t start = address & ~(uint64_t)(SDTKIT_MEMORY_BLOCK - 1);
	size_t at = (size_t)(address - start);

	/* Over the end of a block, or the block is not wholly there. */
	if (size > SDTKIT_MEMORY_BLOCK - at)
		return read_any(memory, address, to, size);
	if (memory->block_size == 0 || memory->block_address != start) {
		memory->block_size = 0;
		if (read_any(memory, start, memory->block,
			     SDTKIT_MEMORY_BLOCK) < 0)
			return read_any(memory, address, to, size);
		memory->block_address = start;
		memory->block_size = SDTKIT_MEMORY_BLOCK;
	}
	memcpy(to, memory->block + at, size);
	return 0;
}
