/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.bpf.h - how large READs and WRITEs are, and whether they continue the one
 * before. They are compared when they are dispatched, because they may end in
 * another order. When a CLOSE begins, the offsets of its handle are forgotten,
 * and the name of its file is read, since it has none when the CLOSE ends.
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
				__u64 offset, __u32 length)
{
	struct tsmbd_handle *handle = handle_get(p, fnum);
	__u32 way = r->opcode == TSMBD_WRITE;

	r->io_bytes = length;
	r->io = io_order(&handle->next[way], offset);
	handle->next[way] = offset + length;
}

/* For read_start and write_start, whose arguments are alike. */
SEC("usdt")
int io_start(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_request *r = p ? request_find(p, &key) : NULL;

	if (r)
		io_begin(p, r, argument(ctx, 5), argument(ctx, 3),
			 argument(ctx, 4));
	return 0;
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

/* When a CLOSE ends, its file has no name any more. */
SEC("usdt")
int close_start(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_request *r;
	struct tsmbd_detail *d;

	if (!p)
		return 0;
	if (modes & TSMBD_SIZES)
		io_close(p, argument(ctx, 3));
	if (!(modes & TSMBD_FILE_NAMES))
		return 0;
	r = request_find(p, &key);
	d = r ? detail_get(&key, r) : NULL;
	if (d)
		d->hash[TSMBD_FILES] = file_read(d, argument(ctx, 2));
	return 0;
}

#endif /* IO_BPF_H */
