/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h - converts names from the wire to paths, and opens them safely. */
#ifndef DEMO_PATH_H
#define DEMO_PATH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Converts the name of a CREATE, UTF-16LE with backslashes, to a path that
 * stays below the directory: no leading separator, no "..", no "." and no
 * character that has a meaning to a file system or a shell. "" is the directory
 * itself. Returns an NTSTATUS.
 */
uint32_t path_from_wire(const uint8_t *p, size_t len, char *name, size_t size);

/*
 * Opens the directory in which the last component of name lies, following no
 * symbolic link. Returns a descriptor for path_leave(), or -1 and errno. On
 * success last points to that component (inside name, or to "." for "").
 */
int path_open_parent(int root, const char *name, const char **last);

/* Closes what path_open_parent() returned; errno survives. */
void path_leave(int root, int dir);

#endif /* DEMO_PATH_H */
