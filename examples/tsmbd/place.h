/* SPDX-License-Identifier: BSD-2-Clause */
/* How a cookie tells where arguments are: sites.c and argument.bpf.h. */
#ifndef TSMBD_PLACE_H
#define TSMBD_PLACE_H

enum { TSMBD_PLACE_BITS = 5, TSMBD_MAX_ARGUMENTS = 12 };

#endif /* TSMBD_PLACE_H */
