/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.bpf.h - where the requests under way are kept, and their names.
 *
 * The key is (pid, req): a message id may be used twice. A process keeps the
 * first few itself, so that most requests do not use the map, which costs more
 * than all else that is done for a request here.
 */
#ifndef KEEP_BPF_H
#define KEEP_BPF_H

#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "state.bpf.h"
#include "tsmbd.h"

static __always_inline struct tsmbd_request_key request_key(__u64 req)
{
	struct tsmbd_request_key key = {
		.req = req,
		.pid = bpf_get_current_pid_tgid() >> 32,
	};

	return key;
}

/* The same without a call of the kernel. */
static __always_inline struct tsmbd_request_key
key_of(const struct tsmbd_process *p, __u64 req)
{
	struct tsmbd_request_key key = { .req = req, .pid = p->pid };

	return key;
}

/* Returns NULL for a request that began before the tracing. */
static __always_inline struct tsmbd_request *
request_find(struct tsmbd_process *p, struct tsmbd_request_key *key)
{
	int i;

#pragma unroll
	for (i = 0; i < TSMBD_KEPT; i++) {
		if (p->kept[i] == key->req)
			return &p->request[i];
	}
	return p->elsewhere ? bpf_map_lookup_elem(&requests, key) : NULL;
}

/* Fields that are not in use are left alone: each cache line costs time. */
static __always_inline void request_clear(struct tsmbd_request *r)
{
	const size_t much = offsetof(struct tsmbd_request, vfs_ns);

	__builtin_memset(r, 0, much);
	if (modes & TSMBD_MORE)
		__builtin_memset((char *)r + much, 0, sizeof(*r) - much);
}

/* A CHANGE_NOTIFY may wait for days, so it is never kept in its process. */
static __always_inline struct tsmbd_request *
request_new(struct tsmbd_process *p, struct tsmbd_request_key *key,
	    __u64 opcode)
{
	int i;

#pragma unroll
	for (i = 0; i < TSMBD_KEPT; i++) {
		if (p->kept[i] || opcode == TSMBD_NOTIFY)
			continue;
		p->kept[i] = key->req;
		request_clear(&p->request[i]);
		p->request[i].ordinal = i + 1;
		return &p->request[i];
	}
	if (bpf_map_update_elem(&requests, key, &no_request, BPF_ANY)) {
		lose(TSMBD_LOST_REQUESTS);
		return NULL;
	}
	p->elsewhere++;
	return bpf_map_lookup_elem(&requests, key);
}

static __always_inline void request_forget(struct tsmbd_process *p,
					   struct tsmbd_request_key *key)
{
	int i;

#pragma unroll
	for (i = 0; i < TSMBD_KEPT; i++) {
		if (p->kept[i] == key->req) {
			p->kept[i] = 0;
			return;
		}
	}
	if (p->elsewhere && bpf_map_delete_elem(&requests, key) == 0)
		p->elsewhere--;
}

/* A kept request has its ordinal as key, any other one its address. */
static __always_inline struct tsmbd_request_key
detail_key(struct tsmbd_request_key *key, struct tsmbd_request *r)
{
	struct tsmbd_request_key own = {
		.req = r->ordinal ? r->ordinal : key->req,
		.pid = key->pid,
	};

	return own;
}

static __always_inline struct tsmbd_detail *
detail_find(struct tsmbd_request_key *key, struct tsmbd_request *r)
{
	struct tsmbd_request_key own = detail_key(key, r);

	return r->detailed ? bpf_map_lookup_elem(&details, &own) : NULL;
}

/* User and share are those of the request before: see owner_read(). */
static __always_inline struct tsmbd_detail *
detail_get(struct tsmbd_request_key *key, struct tsmbd_request *r)
{
	struct tsmbd_request_key own = detail_key(key, r);
	struct tsmbd_detail *d = bpf_map_lookup_elem(&details, &own);

	if (!d) {
		bpf_map_update_elem(&details, &own, &no_detail, BPF_ANY);
		d = bpf_map_lookup_elem(&details, &own);
	}
	if (!d) {
		lose(TSMBD_LOST_DETAILS);
		return NULL;
	}
	if (!r->detailed) {
		d->offset = 0;
		d->length = 0;
		d->raw = TSMBD_RAW_NONE;
		d->file_length = 0;
		d->hash[TSMBD_FILES] = 0;
		d->file[0] = 0;
		r->detailed = 1;
	}
	return d;
}

/* The entry of the first one stays: most requests use it. */
static __always_inline void detail_drop(struct tsmbd_request_key *key,
					struct tsmbd_request *r)
{
	struct tsmbd_request_key own = detail_key(key, r);

	if (r->detailed && r->ordinal != 1)
		bpf_map_delete_elem(&details, &own);
}

#endif /* KEEP_BPF_H */
