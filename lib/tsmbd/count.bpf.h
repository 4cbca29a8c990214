/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count.bpf.h - what is kept of a request that has ended.
 *
 * All of it goes to the same bank, which is looked up once, so that the tables
 * of a report tell of the same requests.
 */
#ifndef COUNT_BPF_H
#define COUNT_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "names.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

enum { COUNT_BANK = 1, COUNT_FAILED = 2 };

/* The times of a request that has ended. */
struct ended {
	__u64 ns;			/* how long its client waited for it */
	__u64 waited;			/* the rest, for threads, locks... */
};

/*
 * The time in which a CHANGE_NOTIFY waits for a change is not latency, so it is
 * not a part of ns.
 */
static __always_inline struct ended times_of(const struct tsmbd_request *r)
{
	__u64 all = r->end - r->start;
	__u64 known = r->run_ns + r->ctdb_ns + r->oplock_ns;

	if (all < known)	/* as smbd has it, and as hits have it */
		all = known;
	return (struct ended){
		.ns = r->opcode == TSMBD_NOTIFY ? known : all,
		.waited = all - known,
	};
}

static __always_inline void count_extremes(const struct ended *e,
					   struct tsmbd_extreme *x)
{
	if (x->min == 0 || e->ns < x->min)
		x->min = e->ns;
	if (e->ns > x->max)
		x->max = e->ns;
}

/* What only some versions of smbd tell, and even these seldom. */
static __always_inline void count_rare(const struct tsmbd_request *r,
				       struct tsmbd_op *op)
{
	add(&op->limited, r->rare & TSMBD_IS_LIMITED ? 1 : 0);
	add(&op->limit_ns, r->rare & TSMBD_IS_LIMITED ? r->limit_ns : 0);
	add(&op->kept, r->rare & TSMBD_MET_KEPT ? 1 : 0);
	add(&op->refused, r->rare & TSMBD_IS_REFUSED ? 1 : 0);
}

static __always_inline void count_rare_of(const struct tsmbd_request *r,
					  struct tsmbd_top_value *value)
{
	add(&value->limited, r->rare & TSMBD_IS_LIMITED ? 1 : 0);
	add(&value->limit_ns, r->rare & TSMBD_IS_LIMITED ? r->limit_ns : 0);
	add(&value->kept, r->rare & TSMBD_MET_KEPT ? 1 : 0);
	add(&value->refused, r->rare & TSMBD_IS_REFUSED ? 1 : 0);
}

static __always_inline void count_time(const struct tsmbd_request *r, __u64 how)
{
	__u32 at = (how & COUNT_BANK) * TSMBD_OPS + r->opcode;
	struct tsmbd_op *op = bpf_map_lookup_elem(&ops, &at);
	struct tsmbd_extreme *x = bpf_map_lookup_elem(&extremes, &at);
	struct ended e = times_of(r);
	__u64 slot = slots_fine(e.ns / 1000);

	if (!op || !x)
		return;
	bring(&op->count);
	bring(&op->errors);
	bring(&op->slots[slot & (TSMBD_FINE_CAPACITY - 1)]);
	count_extremes(&e, x);
	add(&op->count, 1);
	add(&op->total_ns, e.ns);
	add(&op->run_ns, r->run_ns);
	add(&op->ctdb_ns, r->ctdb_ns);
	add(&op->oplock_ns, r->oplock_ns);
	add(&op->waited_ns, e.waited);
	add(&op->bytes_in, r->bytes_in);
	add(&op->bytes_out, r->bytes_out);
	add(&op->errors, !!(how & COUNT_FAILED));
	add(&op->slots[slot & (TSMBD_FINE_CAPACITY - 1)], 1);
	if (r->rare)
		count_rare(r, op);
}

static __always_inline void count_error(const struct tsmbd_request *r,
					__u32 of_bank)
{
	struct tsmbd_error_key key = {
		.opcode = r->opcode,
		.status = r->status,
		.bank = of_bank,
	};
	__u64 *count = bpf_map_lookup_elem(&errors, &key);
	__u64 none = 0;

	if (!count) {
		/* fails if another CPU was faster, which does no harm */
		bpf_map_update_elem(&errors, &key, &none, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&errors, &key);
	}
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		lose(TSMBD_LOST_ERRORS);
}

/*
 * Two maps, as the kernel looks into one while the command empties the other. If
 * the compiler made one call of the two, the kernel would not replace it by the
 * function for this kind of map.
 */
static __always_inline struct tsmbd_top_value *
top_find(__u32 bank, const struct tsmbd_top_key *key)
{
	struct tsmbd_top_value *value;

	if (!bank)
		return bpf_map_lookup_elem(&top_0, key);
	value = bpf_map_lookup_elem(&top_1, key);
	barrier_var(value);
	return value;
}

static __always_inline struct tsmbd_top_value *
top_get(__u32 bank, const struct tsmbd_top_key *key)
{
	struct tsmbd_top_value *value = top_find(bank, key);

	if (value)
		return value;
	if (bank)
		bpf_map_update_elem(&top_1, key, &no_top, BPF_NOEXIST);
	else
		bpf_map_update_elem(&top_0, key, &no_top, BPF_NOEXIST);
	value = top_find(bank, key);
	if (!value)
		lose(TSMBD_LOST_TOP);
	return value;
}

/* Two CPUs may write the name at the same time: both write the same. */
static __always_inline void top_name(struct tsmbd_top_value *value,
				     const struct tsmbd_process *p,
				     const struct tsmbd_detail *d, __u32 kind)
{
	if (kind == TSMBD_CLIENTS) {
		value->pid = bpf_get_current_pid_tgid() >> 32;
		bpf_probe_read_kernel(value->name, TSMBD_ADDRESS, p->remote);
	} else if (d) {
		bpf_probe_read_kernel_str(value->name, TSMBD_NAME,
					  kind == TSMBD_USERS ?
					  d->user : d->share);
	}
	if (d && (kind == TSMBD_FILES ||
		  (d->raw && kind == kind_of_raw(d->raw)))) {
		if (d->raw)	/* may contain zeros */
			bpf_probe_read_kernel(value->file, TSMBD_FILE,
					      d->file);
		else
			bpf_probe_read_kernel_str(value->file, TSMBD_FILE,
						  d->file);
		value->raw = d->raw;
		value->file_length = d->file_length;
	}
	value->named = 1;
}

static __always_inline __u64 hash_of_name(struct tsmbd_process *p,
					  const struct tsmbd_detail *d,
					  __u32 kind)
{
	if (kind == TSMBD_CLIENTS)
		return client_id(p);
	if (!d || !d->hash[kind & 3])
		return 0;
	return kind == TSMBD_FILES ?
		hash_both(d->hash[TSMBD_FILES], d->hash[TSMBD_SHARES]) :
		d->hash[kind & 3];
}

/* how has the bits COUNT_BANK and COUNT_FAILED; d may be NULL. */
GLOBAL int count_name(struct tsmbd_process *p, struct tsmbd_request *r,
		      struct tsmbd_detail *d, __u32 kind, __u64 how)
{
	struct tsmbd_top_value *value;
	struct tsmbd_top_key key;
	struct ended e;
	__u64 slot;

	if (!p || !r)
		return 0;
	key.kind = kind;
	key.command = share_commands && kind == TSMBD_SHARES ?
		r->opcode + 1 : 0;
	key.hash = hash_of_name(p, d, kind);
	value = top_get(how & COUNT_BANK, &key);
	if (!value)
		return 0;
	if (!value->named)
		top_name(value, p, d, kind);
	e = times_of(r);
	slot = slots_fine(e.ns / 1000) / 2 & (TSMBD_COARSE_CAPACITY - 1);
	bring(&value->max);
	bring(&value->slots[slot]);
	add(&value->requests, 1);
	add(&value->errors, !!(how & COUNT_FAILED));
	add(&value->bytes, r->bytes_in + r->bytes_out);
	add(&value->ns, e.ns);
	__sync_fetch_and_add(&value->slots[slot], 1);
	if (e.ns > value->max)
		value->max = e.ns;
	if (r->rare)
		count_rare_of(r, value);
	return 0;
}

static __always_inline void count_size(const struct tsmbd_request *r,
				       __u32 of_bank)
{
	__u32 at = of_bank * 2 + (r->opcode == TSMBD_WRITE);
	struct tsmbd_size *size = bpf_map_lookup_elem(&sizes, &at);

	if (!size || r->io == TSMBD_IO_UNKNOWN || r->status)
		return;
	add(&size->count, 1);
	add(&size->sequential, r->io == TSMBD_IO_SEQUENTIAL);
	add(&size->slots[slots_power(r->io_bytes)], 1);
}

/* Returns whether a filter of that kind lists the name with this hash. */
GLOBAL int is_among(__u32 kind, __u64 hash)
{
	int i;

	for (i = 0; i < TSMBD_MAX_HASHES; i++) {
		if (i < num_wanted[kind & 3] && wanted[kind & 3][i] == hash)
			return 1;
	}
	return 0;
}

static __always_inline bool is_counted(struct tsmbd_process *p, __u32 opcode,
				       const struct tsmbd_detail *d)
{
	if (!(commands >> opcode & 1))
		return false;
	if (num_wanted[TSMBD_CLIENTS] &&
	    !is_among(TSMBD_CLIENTS, client_id(p)))
		return false;
	if (num_wanted[TSMBD_USERS] &&
	    !is_among(TSMBD_USERS, d ? d->hash[TSMBD_USERS] : 0))
		return false;
	return !num_wanted[TSMBD_SHARES] ||
	       is_among(TSMBD_SHARES, d ? d->hash[TSMBD_SHARES] : 0);
}

/* The arguments are those of count_name(). */
GLOBAL int count_ended(struct tsmbd_process *p, struct tsmbd_request *r,
		       struct tsmbd_detail *d, __u64 how)
{
	__u32 kind;

	/* no opcode is that large, which the verifier has to see */
	if (!p || !r || r->opcode >= TSMBD_OPS)
		return 0;
	count_time(r, how);
	if (r->status)
		count_error(r, how & COUNT_BANK);
	if (modes & TSMBD_SIZES)
		count_size(r, how & COUNT_BANK);
	if (!tops)
		return 0;
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (tops & 1 << kind)
			count_name(p, r, d, kind, how);
	}
	return 0;
}

#endif /* COUNT_BPF_H */
