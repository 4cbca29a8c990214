/* SPDX-License-Identifier: BSD-2-Clause */
/* What main.c and store.c share, whether store.c is linked or loaded. */
#ifndef STORE_H
#define STORE_H

/* Reports which address argument number index of a probe will be. */
typedef void store_tell(const char *probe, int index,
			const volatile void *address);
typedef void store_fires(store_tell *tell);

store_fires store_fire;

#endif /* STORE_H */
