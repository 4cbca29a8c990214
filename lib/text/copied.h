/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The warning of all commands about code that sdtkit_process_copied() found:
 * of a process (int) and the path of the file, at so many sites (size_t).
 */
#ifndef SDTKIT_TEXT_COPIED_H
#define SDTKIT_TEXT_COPIED_H

#define SDTKIT_COPIED_FORMAT						\
	"process %d: %s: at %zu sites the process executes a copy of "	\
	"the code in anonymous memory (huge pages), which tracers of "	\
	"files do not see: start it without huge pages for code "	\
	"(in PHP opcache.huge_code_pages=0)"

#endif /* SDTKIT_TEXT_COPIED_H */
