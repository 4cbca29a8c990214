/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe that is in hundreds of places. */
#ifndef TSMBD_MANY_H
#define TSMBD_MANY_H

#include <bpf/libbpf.h>

/* To be called for its program before that is loaded. */
void many_prepare(struct bpf_program *program);

/*
 * Attaches a program that reads no arguments to all sites of a probe in a
 * file. *link is a file descriptor, closed by the end of the process.
 *
 * Errors: -EINVAL (the kernel is older than 6.6), others of bpf(2) and of
 * sdtkit_notes_open().
 */
int many_attach(struct bpf_program *program, const char *path,
		const char *provider, const char *name, int *link);

#endif /* TSMBD_MANY_H */
