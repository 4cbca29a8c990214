/* SPDX-License-Identifier: BSD-2-Clause */
/* What mixed.c calls in single.c. */
#ifndef MIXED_H
#define MIXED_H

void step_at_single_nop(void);

#endif /* MIXED_H */
