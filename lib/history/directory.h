/* SPDX-License-Identifier: BSD-2-Clause */
/* The directory of a history. */
#ifndef TSMBD_DIRECTORY_H
#define TSMBD_DIRECTORY_H

/*
 * Opens it for writing, and creates it if there is none. Only one process can
 * do that at a time. Returns a descriptor, and that of the lock; or -1 after a
 * message.
 */
int directory_lock(const char *path, int *lock);

/* Opens it for reading; returns a descriptor, or -1 after a message. */
int directory_open(const char *path);

#endif /* TSMBD_DIRECTORY_H */
