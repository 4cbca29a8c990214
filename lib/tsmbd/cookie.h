/* SPDX-License-Identifier: BSD-2-Clause */
/* How a cookie says where arguments are: see sites.c and argument.bpf.h. */
#ifndef TSMBD_COOKIE_H
#define TSMBD_COOKIE_H

#include "registers.h"

enum { TSMBD_WORD_BITS = 5, TSMBD_MAX_ARGUMENTS = 12 };

#ifdef __x86_64__
enum { TSMBD_WORDS = REGISTERS_COPIED };	/* a hit has a copy of them */
#else
enum { TSMBD_WORDS = 1 << TSMBD_WORD_BITS };
#endif

#endif /* TSMBD_COOKIE_H */
