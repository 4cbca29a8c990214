/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of the tracing, or of a part of it. */
#ifndef UPROBE_LEAVE_H
#define UPROBE_LEAVE_H

/*
 * Detaches all probes: closes all descriptors of this process but the three
 * standard ones. Only what uses these may follow.
 */
void leave(void);

/* Closes descriptors of links, all at the same time. */
void leave_some(const int *fds, int count);

#endif /* UPROBE_LEAVE_H */
