/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of tsmbd.bpf.c, loaded and attached. */
#ifndef TSMBD_ATTACH_H
#define TSMBD_ATTACH_H

#include <stdbool.h>

#include "probe_file.h"
#include "options.h"

struct tsmbd;	/* the skeleton */

/*
 * Loads the programs and attaches them to the files that were found. Exits with
 * a message if that fails. leave() detaches them.
 */
struct tsmbd *attach(const struct options *options, const struct found *found);

/*
 * Attaches to a file that was found later, to all of its probes or to none.
 * Its descriptor need not remain open. Returns 0 or -errno: -EOPNOTSUPP if the
 * programs were loaded for cookies, and arguments in this file do not fit
 * into them (sites.h).
 */
int attach_more(struct tsmbd *skel, const struct found_file *file);

/* Detaches from a file, if it was attached to: a tenth of a second. */
void attach_end(const struct found_file *file);

/* Whether probes are attached to by perf events: before Linux 6.6, mostly. */
bool attach_uses_perf_events(void);

#endif /* TSMBD_ATTACH_H */
