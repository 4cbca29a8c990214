/* SPDX-License-Identifier: BSD-2-Clause */
/* Links of uprobe_multi: one link attaches a program to all its sites. */
#ifndef TSMBD_MULTI_H
#define TSMBD_MULTI_H

#include <stdbool.h>

struct bpf_program;
struct sites;

/* Whether the kernel has them: Linux 6.6 and later. */
bool multi_exists(void);

/* Prepares a program, before it is loaded, for links of this kind only. */
void multi_prepare(struct bpf_program *program);

/*
 * Attaches a program to those sites in the file at path whose probe is in
 * wanted, in all processes. Returns a descriptor that holds the link, or
 * -errno.
 */
int multi_attach(const struct bpf_program *program, const char *path,
		 const struct sites *sites, const bool *wanted);

#endif /* TSMBD_MULTI_H */
