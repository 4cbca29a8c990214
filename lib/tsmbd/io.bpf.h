/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.bpf.h - how large READs and WRITEs are, and whether they continue the one
 * before. They are compared in the order in which they are dispatched, because
 * they may end in another order: when they begin to wait, or end without that.
 */
#ifndef IO_BPF_H
#define IO_BPF_H

#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "argument.bpf.h"
#include "keep.bpf.h"
#include "names.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

/* The offset of a WRITE that appends. */
static const __u64 AT_THE_END = ~0ULL;

static __always_inline __u32 io_order(__u64 *next, __u64 offset)
{
	return offset == *next || offset == AT_THE_END ?
		TSMBD_IO_SEQUENTIAL : TSMBD_IO_RANDOM;
}

/*
 * Returns the entry of a handle; a process has entries for the last few that it
 * used. The first READ or WRITE of a handle is sequential if it begins at 0.
 */
static __always_inline struct tsmbd_handle *handle_get(struct tsmbd_process *p,
						       __u64 fnum)
{
	struct tsmbd_handle *handle;
	int i;

	for (i = 0; i < TSMBD_HANDLES; i++) {
		if (p->handle[i].fnum == fnum)
			return &p->handle[i];
	}
	handle = &p->handle[p->num_handles++ & (TSMBD_HANDLES - 1)];
	handle->fnum = fnum;
	handle->next[0] = 0;
	handle->next[1] = 0;
	return handle;
}

static __noinline void io_begin(struct tsmbd_process *p,
				struct tsmbd_request *r, __u64 fnum,
				__u64 header)
{
	__u32 way = r->opcode == TSMBD_WRITE;
	struct range range = { 0 };
	struct tsmbd_handle *handle;
	__u64 offset;

	if (!range_read(&range, header, r->bytes_in))
		return;
	handle = handle_get(p, fnum);
	offset = number_of(range.offset, 8);
	r->io_bytes = number_of(range.length, 4);
	r->io = io_order(&handle->next[way], offset);
	handle->next[way] = offset + r->io_bytes;
}

/* From now on another file may have the number. */
static __always_inline void io_close(struct tsmbd_process *p, __u64 fnum)
{
	int i;

	for (i = 0; i < TSMBD_HANDLES; i++) {
		if (p->handle[i].fnum == fnum)
			p->handle[i].fnum = 0;
	}
}

#endif /* IO_BPF_H */
