/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of the tracing. */
#ifndef UPROBE_LEAVE_H
#define UPROBE_LEAVE_H

/*
 * Detaches all probes: closes all descriptors of this process but the three
 * standard ones. Only exit() may follow.
 */
void leave(void);

#endif /* UPROBE_LEAVE_H */
