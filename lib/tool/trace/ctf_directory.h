/* SPDX-License-Identifier: BSD-2-Clause */
/* The directory of a trace in the Common Trace Format, and its files. */
#ifndef SDTKIT_TOOL_CTF_DIRECTORY_H
#define SDTKIT_TOOL_CTF_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* What the metadata of our traces begins with; readers want the first line. */
#define CTF_SIGNATURE	"/* CTF 1.8 */\n/* sdtkit trace --ctf"

#define CTF_METADATA	"metadata"

/*
 * Opens or makes the directory, and keeps others from writing a trace into it
 * at the same time. It has to be empty, or to contain an older trace of ours.
 * Returns false after a complaint.
 */
bool ctf_directory_open(const char *path);

/* Removes the older trace. Returns 0 or -errno. */
int ctf_directory_empty(void);

/*
 * Opens a file of the directory, which is made if it is not there. Returns a
 * file descriptor or -errno.
 */
int ctf_directory_file(const char *name);

/*
 * Appends to a file. If not all of it can be written, nothing is. Returns 0 or
 * -errno.
 */
int ctf_directory_append(int fd, const void *data, size_t size);

#endif /* SDTKIT_TOOL_CTF_DIRECTORY_H */
