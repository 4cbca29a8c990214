/* SPDX-License-Identifier: BSD-2-Clause */
/* --textfile: the metrics as a file for node_exporter. */
#ifndef TSMBD_TEXTFILE_H
#define TSMBD_TEXTFILE_H

/* Checks that the file can be written; exits with a message if not. */
void textfile_open(const char *file);

/* Writes the file if it is due. Says once if that fails, and when it works. */
void textfile_tick(const char *file, unsigned long long now);

/* Writes the file now. */
void textfile_write(const char *file);

#endif /* TSMBD_TEXTFILE_H */
