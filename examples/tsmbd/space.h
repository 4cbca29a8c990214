/* SPDX-License-Identifier: BSD-2-Clause */
/* What the processes have mapped to be executed, and where. */
#ifndef TSMBD_SPACE_H
#define TSMBD_SPACE_H

#include <stdbool.h>
#include <sys/types.h>

/* A file that has code, or something else: "[vdso]". */
struct object {
	char *path;			/* as the process sees it */
	unsigned long long device;
	unsigned long long inode;
	const char *name;		/* the end of it */
	char *label;			/* "[libc.so.6]" */
	bool program;			/* that a process was started from */
	bool samba;			/* by its name */
	bool tried;			/* to read its symbols */
	struct symbols *symbols;	/* NULL: none */
};

struct mapping {
	unsigned long long start;
	unsigned long long end;
	unsigned long long offset;	/* in the file */
	struct object *object;
};

/*
 * The mapping that an address of a process is in, or NULL. A process is read
 * when it is first asked for; if it is gone by then its parent is, as smbd
 * forks and has the same mappings. Valid until the next call; the object for
 * ever.
 */
const struct mapping *space_find(unsigned int pid, unsigned int parent,
				 unsigned long long address);

/* What changed since: to be called now and then. */
void space_expire(void);

/* The mapped file for reading, or -1. To be called by the first who asks. */
int space_open_object(unsigned int pid, unsigned int parent,
		      const struct mapping *mapping);

#endif /* TSMBD_SPACE_H */
