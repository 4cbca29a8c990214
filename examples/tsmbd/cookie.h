/* SPDX-License-Identifier: BSD-2-Clause */
/* How a cookie says where arguments are: see sites.c and argument.bpf.h. */
#ifndef TSMBD_COOKIE_H
#define TSMBD_COOKIE_H

enum { TSMBD_WORD_BITS = 5, TSMBD_MAX_ARGUMENTS = 12 };

#endif /* TSMBD_COOKIE_H */
