/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack of an event as text. */
#ifndef TSMBD_STACK_H
#define TSMBD_STACK_H

#include <stddef.h>

#include "tsmbd.h"

enum { STACK_LINE_SIZE = 512 };

/* How many frames it has; 0 if there is no stack. */
int stack_frames(const struct tsmbd_text_event *event);

/* Formats one of them, with the name of the function if that is known. */
void stack_format(const struct tsmbd_text_event *event, int index,
		  char *text, size_t size);

#endif /* TSMBD_STACK_H */
