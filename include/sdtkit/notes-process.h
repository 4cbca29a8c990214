/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files that a process, or its core dump, has mapped, and the semaphores of
 * the probes in them.  sdtkit/notes.h reads the files.
 *
 * Included by sdtkit/notes.h, which has the conventions about errors.
 */
#ifndef SDTKIT_NOTES_PROCESS_H
#define SDTKIT_NOTES_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <sdtkit/notes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mapping of a process: a line of /proc/PID/maps. */
struct sdtkit_mapping {
	/* Addresses [start, end), and where in the file they begin. */
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	/* As the process sees it; "[vdso]" and its like; "" for no file. */
	const char *path;
	/* The file was removed or replaced since it was mapped. */
	bool deleted;
	/* Which file it is, as in struct stat; 0 for no file. */
	uint64_t device;
	uint64_t inode;
	bool executable;
};

/*
 * Calls each(mapping, context) for each mapping of a process, by address.  If
 * a call does not return 0, no further one is made, and that is returned.  The
 * mapping and its path are valid during the call only.
 *
 * Errors: -ESRCH (there is no such process), -EACCES or -EPERM (its owner is
 * another user), -ENOMEM.  A process that is exiting has no mappings.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_mappings_read(pid_t pid,
			 int (*each)(const struct sdtkit_mapping *mapping,
				     void *context),
			 void *context);

/*
 * A process or the core dump of one, and a position among its objects: the
 * program and the shared libraries that are mapped there to be executed.
 *
 *	while ((ret = sdtkit_process_next(process, &object)) > 0) {
 *		if (sdtkit_process_notes(process, &notes) < 0)
 *			continue;
 *		while (sdtkit_notes_next(notes, &site) > 0)
 *			sdtkit_process_semaphore(process, notes, site, &value);
 *		sdtkit_notes_close(notes);
 *	}
 */
struct sdtkit_process;

/* A file that a process has mapped. */
struct sdtkit_object {
	/*
	 * As the process sees it: in another mount namespace this is not the
	 * file of that name here.
	 */
	const char *path;
	/* Removed or replaced since it was mapped. */
	bool deleted;
	/* Which file it is; 0 in a core dump. */
	uint64_t device;
	uint64_t inode;
	/* Where it is mapped: addresses [start, end), not without gaps. */
	uint64_t start;
	uint64_t end;
};

/*
 * Opens a running process.  Its mappings are read once, by this call.
 *
 * Errors: -ESRCH (there is no such process), -EACCES or -EPERM (it belongs to
 * another user), -ENOMEM.  A kernel thread can be opened and has no objects.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_open(pid_t pid, struct sdtkit_process **process);

/*
 * Opens the core dump of a process, of any machine.  Its objects are opened by
 * the paths that they had, on this host.  A dump that gdb made does not tell
 * code from data, so expect -ENOEXEC from sdtkit_process_notes() for some of
 * its objects.
 *
 * Errors: as sdtkit_notes_open(), -EINVAL (not a core dump), -ENODATA (a core
 * dump that does not name the files that were mapped).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_open_core(const char *path,
			     struct sdtkit_process **process);

/*
 * Goes to the next object, by address.  Returns 1 and sets *object, which is
 * valid until the next call, 0 at the end, or -errno; goes on after an error.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_next(struct sdtkit_process *process,
			const struct sdtkit_object **object);

/*
 * Opens the file of the object that sdtkit_process_next() returned last: the
 * very file that is mapped, even if it was deleted or is in another mount
 * namespace.  Close it with sdtkit_notes_close(), before or after the process.
 *
 * Errors: as sdtkit_notes_open(); -ESTALE (the file is not the one that was
 * mapped), -ESRCH (the process has ended).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_notes(struct sdtkit_process *process,
			 struct sdtkit_notes **notes);

/*
 * Writes a path that leads to the file of the object that sdtkit_process_next()
 * returned last, for a tracer that takes a path: the first of these that does.
 *
 *	/proc/PID/root/PATH		its name, as the process sees it
 *	/proc/PID/exe			of the program
 *	/proc/PID/map_files/START-END	of anything; mostly takes root
 *
 * The name does not if the file was removed or replaced, never had a name
 * (memfd_create()), or is outside of the root directory that the process has
 * changed to.  Sets *by_name if it does.  The path ends with the process.
 *
 * Errors: -ENAMETOOLONG, -EINVAL (a core dump), those of open(2).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_path(struct sdtkit_process *process, char *path, size_t size,
			bool *by_name);

/*
 * Counts the sites of the object that sdtkit_process_next() returned last where
 * the process no longer executes its file, because it has copied the code to
 * anonymous memory (huge pages).  A uprobe, which belongs to the file, is not
 * hit there.  None are counted in a core dump.
 *
 * Errors: as sdtkit_process_notes(), if there is such memory in the object.
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_copied(struct sdtkit_process *process, size_t *sites);

/*
 * Reads a site's semaphore in the memory of the process: how often tracers have
 * attached to the probe, or to others of its group (#pragma sdtkit group).  A
 * tracer adds one for each site, and for each mapping of the page of code that
 * the site is in.  notes must belong to the object that sdtkit_process_next()
 * returned last.
 *
 * Errors: -ENOENT (the site has none), -EACCES or -EPERM (the caller may not
 * read the memory: try as root), -ENODATA (not in the core dump, or not
 * mapped), -ESRCH (the process has ended).
 */
SDTKIT_NOTES_PUBLIC
int sdtkit_process_semaphore(struct sdtkit_process *process,
			     const struct sdtkit_notes *notes,
			     const struct sdtkit_site *site, uint16_t *value);

/* Closes the process.  NULL is allowed. */
SDTKIT_NOTES_PUBLIC
void sdtkit_process_close(struct sdtkit_process *process);

#ifdef __cplusplus
}
#endif

#endif /* SDTKIT_NOTES_PROCESS_H */
