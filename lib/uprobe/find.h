/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files that have probes, by processes that run or by name. */
#ifndef UPROBE_FIND_H
#define UPROBE_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct sdtkit_notes;

/* What the command that searches wants. */
struct finder {
	const char *command;		/* for messages: "sdtkit top" */
	const char *file_option;	/* " with -f", if a file needs that */
	int max_files;
	/*
	 * Reads a file; returns what it has of interest, NULL if nothing. The
	 * name is as in struct found_file. If it sets the notes to NULL, they
	 * stay open.
	 */
	void *(*read)(struct sdtkit_notes **notes, const char *name);
	void (*forget)(void *probes);
	/* Makes the path of a process printable: its owner has chosen it. */
	const char *(*name)(const char *path, char *buffer, size_t size);
};

struct found_file {
	char path[40];			/* where it can be opened from here */
	int fd;				/* keeps the file open */
	char name[PATH_MAX];		/* as its process knows it */
	struct stat stat;
	bool overlay;			/* layers of containers, mostly */
	bool copied;			/* and that was told */
	void *probes;			/* what finder->read() returned */
};

struct found {
	const struct finder *finder;
	struct found_file *files;
	int num_files;
	size_t max_files;
	pid_t *pids;			/* processes that were looked at */
	int processes;
	size_t max_pids;
	int objects;
	bool told;			/* that some files are not traced */
};

/*
 * These return 0, or -errno, and then find_error() has a sentence.
 *
 * Adds a file. Error: -ENODATA if it has nothing of interest.
 */
int find_file(struct found *found, const char *path);

/*
 * The same for one that is open, whose name is only shown: nothing is looked
 * for beside it.
 */
int find_open(struct found *found, int fd, const char *name);

/*
 * Adds the files that a process has mapped, and those of its children. Errors:
 * -ESRCH, or that it may not be read.
 */
int find_family(struct found *found, pid_t pid);

/* The same for all processes of a name. */
int find_by_name(struct found *found, const char *name);

/* The same, but no process has to have the name, or probes. */
int find_if_any(struct found *found, const char *name);

/* Fails if no file was added. */
int find_check(const struct found *found);

const char *find_error(void);

/*
 * Reads the files that one more process has mapped, and appends those of
 * interest that are not in found yet. Returns how many of its files are, or
 * -errno.
 */
int find_process(struct found *found, pid_t pid);

/*
 * A file in a layer that several containers share is a different file in each
 * overlay, but the same one for uprobes: it must not be attached to twice.
 */
bool find_is_same(const struct found_file *a, const struct found_file *b);

/* Sets the stat and the overlay of the file that is open. Returns 0 or -1. */
int find_identify(struct found_file *file, int fd);

/*
 * Sets mapped[i] for each found file i that this process has mapped. Files are
 * compared by device and inode, so that a file of another mount namespace with
 * the same numbers counts as well. Returns 0, or -errno if some of the mappings
 * cannot be read.
 */
int find_mapped(pid_t pid, bool *mapped);

/*
 * Closes a file and forgets it: it is new if a process has it again. Those
 * behind it get numbers that are less by one.
 */
void find_drop(struct found *found, int file);

/*
 * Forgets the files without probes that were read: what has the number and the
 * name of one of them now may be another file.
 */
void find_forget_others(void);

#endif /* UPROBE_FIND_H */
