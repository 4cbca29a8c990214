/* SPDX-License-Identifier: BSD-2-Clause */
/* The handler of the signal that traps raise. */
#ifndef SDTKIT_TAP_TRAP_PRIV_H
#define SDTKIT_TAP_TRAP_PRIV_H

#include <signal.h>
#include <stdbool.h>

/*
 * Installs it, if it is not there, and lets it through where handlers of other
 * signals would keep it back.  Errors: -EBUSY (this thread blocks a signal),
 * -EOPNOTSUPP (the machine is not known).
 */
int sdtkit_tap_handle(void);

/* The program has not installed another handler instead. */
bool sdtkit_tap_is_handled(void);

/* What its handler blocks: all signals but those of faults. */
void sdtkit_tap_blocked_signals(sigset_t *blocked);

/* "SIGTRAP" */
const char *sdtkit_tap_signal_name(void);

#endif /* SDTKIT_TAP_TRAP_PRIV_H */
