/* SPDX-License-Identifier: BSD-2-Clause */
/* How a cookie says where arguments are: see sites.c and argument.bpf.h. */
#ifndef TSMBD_COOKIE_H
#define TSMBD_COOKIE_H

enum { TSMBD_WORD_BITS = 5, TSMBD_MAX_ARGUMENTS = 12 };

/* A hit has a copy of so many words on x86-64: all registers but the stack's. */
#ifdef __x86_64__
enum { TSMBD_WORDS = 16 };
#else
enum { TSMBD_WORDS = 1 << TSMBD_WORD_BITS };
#endif

#endif /* TSMBD_COOKIE_H */
