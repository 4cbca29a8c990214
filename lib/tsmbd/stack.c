/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack.c - prints the addresses of a stack as text:
 *
 *	exit_server_common+0x1a2 (libsmbd-base-samba4.so.0+0x1c2d3)
 *	libtevent.so.0+0x5d13
 *
 * The number behind the file is an address for addr2line. All addresses but the
 * first are return addresses. The call may be the last instruction of its
 * function, so the byte before the return address is looked up.
 */
#include <stdio.h>

#include "space.h"
#include "stack.h"
#include "symbols.h"

static void format_frame(const struct frame *frame, unsigned int back,
			 char *text, size_t size)
{
	unsigned long long address = frame->address + back;

	if (frame->object == NULL)
		snprintf(text, size, "%#llx", address);
	else if (frame->function == NULL)
		snprintf(text, size, "%s+%#llx", frame->object->name,
			 address);
	else
		snprintf(text, size, "%s+%#llx (%s+%#llx)", frame->function,
			 frame->into + back, frame->object->name, address);
}

void stack_format(const struct tsmbd_text_event *e, int index, char *text,
		  size_t size)
{
	unsigned int back = index > 0;
	struct frame frame;

	symbols_find(e->event.pid, e->parent, e->stack[index] - back, &frame);
	format_frame(&frame, back, text, size);
}

/* Drops addresses that come from a register without a frame pointer. */
int stack_frames(const struct tsmbd_text_event *e)
{
	int count = e->frames > 0 ?
		e->frames / (int)sizeof(e->stack[0]) : 0;
	int i;

	for (i = 1; i < count; i++) {
		if (space_find(e->event.pid, e->parent, e->stack[i]) == NULL)
			return i;
	}
	return count;
}
