/* SPDX-License-Identifier: BSD-2-Clause */
/* What a cookie says of a site: see sites.c and argument.bpf.h. */
#ifndef TSMBD_COOKIE_H
#define TSMBD_COOKIE_H

#include "registers.h"

enum { TSMBD_WORD_BITS = 5, TSMBD_MAX_ARGUMENTS = 12,
	TSMBD_HIT_SHIFT = TSMBD_WORD_BITS * TSMBD_MAX_ARGUMENTS };

/* Which probe fires, where several have one program: hits.bpf.h, log.bpf.h. */
enum tsmbd_hit {
	TSMBD_HIT_ALONE,		/* no other one has the program */
	TSMBD_HIT_NOTES, TSMBD_HIT_RESUME, TSMBD_HIT_CANCEL, TSMBD_HIT_DEFER,
	TSMBD_HIT_LIMIT, TSMBD_HIT_LIMITED, TSMBD_HIT_KEPT, TSMBD_HIT_CTDB,
	TSMBD_HIT_CTDB_DONE, TSMBD_HIT_DELAYED, TSMBD_HIT_END,
	TSMBD_HIT_TERMINATE, TSMBD_HIT_DISCONNECT, TSMBD_HIT_EXIT,
};

_Static_assert(TSMBD_HIT_EXIT < 16, "a cookie has four bits for it");

#ifdef __x86_64__
enum { TSMBD_WORDS = REGISTERS_COPIED };	/* a hit has a copy of them */
#else
enum { TSMBD_WORDS = 1 << TSMBD_WORD_BITS };
#endif

#endif /* TSMBD_COOKIE_H */
