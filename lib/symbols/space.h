/* SPDX-License-Identifier: BSD-2-Clause */
/* The executable mappings of the processes. */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <sys/types.h>

/* A file that has code, or something else: "[vdso]". */
struct object {
	char *path;			/* as the process sees it */
	unsigned long long device;
	unsigned long long inode;
	const char *name;		/* the end of it */
	char *label;			/* "[libc.so.6]" */
	bool program;			/* a process was started from it */
	bool own;			/* see space_is_own */
	bool tried;			/* reading its symbols was tried */
	struct symbols *symbols;	/* NULL: none */
	bool rules_tried;
	struct Dwarf_CFI_s *rules;	/* of .eh_frame; NULL: none */
	struct Elf *elf;		/* the file that they are in */
};

struct mapping {
	unsigned long long start;
	unsigned long long end;
	unsigned long long offset;	/* in the file */
	struct object *object;
};

/*
 * Whether a file belongs to what is examined, by its name; NULL: none does but
 * the programs themselves. To be set before the first call.
 */
extern bool (*space_is_own)(const struct object *object);

/*
 * Returns the mapping that contains an address of a process, or NULL. The first
 * call for a process reads its mappings. If the process has ended by then, the
 * mappings of its parent are read instead: a fork() has the same ones. The
 * mapping is valid until the next call, its object for ever.
 */
const struct mapping *space_find(unsigned int pid, unsigned int parent,
				 unsigned long long address);

/* Forgets mappings that may be outdated: to be called now and then. */
void space_expire(void);

/* Opens the mapped file for reading; returns its descriptor or -1. */
int space_open_object(unsigned int pid, unsigned int parent,
		      const struct mapping *mapping);

#endif /* SPACE_H */
