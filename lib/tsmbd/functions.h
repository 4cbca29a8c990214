/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs at functions of system calls, see calls.bpf.h. */
#ifndef TSMBD_FUNCTIONS_H
#define TSMBD_FUNCTIONS_H

#include <stdbool.h>

struct btf;
struct tsmbd;

/*
 * Has those loaded whose functions the kernel has, by its types, if it can attach
 * to any.
 */
void functions_choose(struct tsmbd *skel, const struct btf *kernel);

/* Attaches all of them, or none; returns whether it did. */
bool functions_attach(struct tsmbd *skel);

#endif /* TSMBD_FUNCTIONS_H */
