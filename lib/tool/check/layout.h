/* SPDX-License-Identifier: BSD-2-Clause */
/* How a file is laid out in memory: what tracers trip over. */
#ifndef SDTKIT_TOOL_LAYOUT_H
#define SDTKIT_TOOL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
	uint64_t address;
	uint64_t offset;
	uint64_t size_in_file;
	bool writable;
};

struct layout {
	/* PT_LOADs, in the order of the file: by address. */
	struct segment *segment;
	size_t count;
	size_t room;
	/* In bytes; 0: there is none. */
	size_t build_id_size;
};

/* Returns false after a complaint. */
bool layout_read(struct layout *layout, const char *path);
void layout_free(struct layout *layout);

/*
 * Where the kernel looks for what is at this offset of the file, when a
 * process is started: in the first writable mapping of its page.  0 if there
 * is none.
 */
uint64_t layout_writable_address(const struct layout *layout, uint64_t offset);

/*
 * What perf takes for the offset of a site: its address, less the difference
 * of the two at the beginning of the file.
 */
uint64_t layout_perf_offset(const struct layout *layout, uint64_t address);

#endif /* SDTKIT_TOOL_LAYOUT_H */
