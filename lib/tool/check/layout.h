/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of a file in memory, as far as tracers depend on it. */
#ifndef SDTKIT_TOOL_LAYOUT_H
#define SDTKIT_TOOL_LAYOUT_H

#include <stdint.h>

#include <sdtkit/notes.h>

/*
 * The address that the kernel takes for this offset of the file when a process
 * is started: that of the first writable mapping of the offset's page.  0 if
 * there is none.
 */
uint64_t layout_writable_address(const struct sdtkit_notes *notes,
				 uint64_t offset);

/*
 * The offset that perf computes for the address of a site: it subtracts the
 * difference between the two at the beginning of the first segment.
 */
uint64_t layout_perf_offset(const struct sdtkit_notes *notes,
			    uint64_t address);

#endif /* SDTKIT_TOOL_LAYOUT_H */
