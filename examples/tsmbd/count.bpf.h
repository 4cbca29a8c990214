/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.bpf.h - what is kept of a request that has ended.
 */
#ifndef COUNT_BPF_H
#define COUNT_BPF_H

static __always_inline void count_time(__u32 opcode, struct tsmbd_request *r,
				       __u64 bytes_out, bool failed)
{
	struct tsmbd_op *op = bpf_map_lookup_elem(&ops, &opcode);
	__u64 ns = r->end - r->start;
	struct tsmbd_extreme *x;
	__u32 at;

	if (!op)
		return;
	add(&op->count, 1);
	add(&op->total_ns, ns);
	add(&op->run_ns, r->run_ns);
	add(&op->ctdb_ns, r->ctdb_ns);
	add(&op->oplock_ns, r->oplock_ns);
	add(&op->bytes_in, r->bytes_in);
	add(&op->bytes_out, bytes_out);
	add(&op->errors, failed);
	add(&op->slots[slot_of(ns / 1000)], 1);

	at = (bank & 1) * TSMBD_OPS + opcode;
	x = bpf_map_lookup_elem(&extremes, &at);
	if (!x)
		return;
	if (x->min == 0 || ns < x->min)
		x->min = ns;
	if (ns > x->max)
		x->max = ns;
}

static __always_inline void count_error(__u32 opcode, __u32 status)
{
	struct tsmbd_error_key key = { .opcode = opcode, .status = status };
	__u64 *count = bpf_map_lookup_elem(&errors, &key);
	__u64 none = 0;

	if (!count) {
		/* somebody else may have been faster: that is no failure */
		bpf_map_update_elem(&errors, &key, &none, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&errors, &key);
	}
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		lose(TSMBD_LOST_ERRORS);
}

static __always_inline void count_top(const char name[TSMBD_NAME], __u64 bytes,
				      __u64 ns)
{
	struct tsmbd_top_value *value = bpf_map_lookup_elem(&top, name);

	if (!value) {
		bpf_map_update_elem(&top, name, &no_top, BPF_NOEXIST);
		value = bpf_map_lookup_elem(&top, name);
	}
	if (!value) {
		lose(TSMBD_LOST_TOP);
		return;
	}
	add(&value->requests, 1);
	add(&value->bytes, bytes);
	add(&value->ns, ns);
}

#endif /* COUNT_BPF_H */
