/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.bpf.h - who wants what: client, user, share and file of a request.
 *
 * A command that fails mostly has no file, share or user yet: then what the
 * client asked for is taken from the packet. That is UTF-16, which the command
 * turns into text.
 */
#ifndef NAMES_BPF_H
#define NAMES_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "argument.bpf.h"
#include "hash.h"
#include "keep.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

/*
 * The kernel verifies a function that is not static once for all arguments,
 * and not at each call, which would take long for a function with loops. So a
 * pointer that is passed to it may be NULL.
 */
#define GLOBAL __noinline

static __always_inline __u64 hash_of(const char *text, __u32 length,
				     __u32 size)
{
	const struct tsmbd_secret own = secret;

	return hash_words(&own, (const void *)text, length, size / 8);
}

static __always_inline __u64 hash_both(__u64 hash, __u64 other)
{
	const struct tsmbd_secret own = secret;

	return hash_mix(&own, hash, other);
}

/* Returns the hash; 0 if there is no name. */
static __always_inline __u64 name_read(char name[TSMBD_NAME], const void *from)
{
	long length = bpf_probe_read_user_str(name, TSMBD_NAME, from);

	if (length < 2 || length > TSMBD_NAME) {
		name[0] = 0;
		return 0;
	}
	return hash_of(name, length - 1, TSMBD_NAME);
}

GLOBAL __u64 file_hash(struct tsmbd_detail *d, __u32 length)
{
	return d ? hash_of(d->file, length, TSMBD_FILE) : 0;
}

/* A longer name is cut in the output, but its hash is that of the whole. */
GLOBAL __u64 file_read(struct tsmbd_detail *d, __u64 at)
{
	const char *from = (const char *)at;
	long length;
	__u64 hash;
	int i;

	if (!d)
		return 0;
	length = bpf_probe_read_user_str(d->file, TSMBD_FILE, from);
	if (length < 2 || length > TSMBD_FILE) {
		d->file[0] = 0;
		return 0;
	}
	hash = file_hash(d, length - 1);
	for (i = 1; i < TSMBD_PATH / TSMBD_FILE && length == TSMBD_FILE; i++) {
		from += TSMBD_FILE - 1;
		length = bpf_probe_read_user_str(d->file, TSMBD_FILE, from);
		if (length < 1 || length > TSMBD_FILE)
			break;
		hash = hash_both(hash, file_hash(d, length - 1));
	}
	if (i > 1)
		bpf_probe_read_user_str(d->file, TSMBD_FILE,
					from - (i - 1) * (TSMBD_FILE - 1));
	return hash;
}

/* Numbers of the protocol have their low byte first. */
static __always_inline __u32 read_16(const unsigned char *at)
{
	unsigned char bytes[2] = { 0 };

	bpf_probe_read_user(bytes, sizeof(bytes), at);
	return bytes[0] | bytes[1] << 8;
}

static __always_inline __u64 number_of(const unsigned char *bytes, int size)
{
	__u64 value = 0;

	while (size > 0)
		value = value << 8 | bytes[--size];
	return value;
}

/* [MS-SMB2] 2.2.1.2. A read of a few bytes takes as long as one of all. */
enum { HEADER = 64, HEADER_OPCODE = 12, IS_RELATED = 4 };

struct header {
	unsigned char magic[HEADER_OPCODE];
	unsigned char opcode[2];
	unsigned char more_credits[2];
	unsigned char flags[4];
	unsigned char next[4];
	unsigned char mid[8];
	unsigned char tree[8];
	unsigned char session[8];
};

static __always_inline struct header header_read(__u64 at)
{
	struct header header = { 0 };

	bpf_probe_read_user(&header, sizeof(header), (void *)at);
	return header;
}

static __always_inline __u64 mid_of(const struct header *header)
{
	return number_of(header->mid, sizeof(header->mid));
}

/* A related element of a compound has none of its own. */
static __always_inline __u64 session_of(const struct tsmbd_process *p,
					const struct header *header)
{
	return header->flags[0] & IS_RELATED ? p->session :
		number_of(header->session, sizeof(header->session));
}

/* Returns the body of a command, or NULL if it is shorter than it says. */
static __always_inline const unsigned char *body_of(__u64 header, __u64 size)
{
	const unsigned char *body = (const unsigned char *)header + HEADER;

	return header && size >= HEADER + (read_16(body) & ~1U) ? body : NULL;
}

/* Where the name is in the packet according to the client; its size. */
struct field {
	const unsigned char *header;
	__u32 offset;
	__u32 length;
	__u32 size;
};

static __always_inline __u32 kind_of_raw(__u32 raw)
{
	return raw == TSMBD_RAW_FILE ? TSMBD_FILES :
		raw == TSMBD_RAW_SHARE ? TSMBD_SHARES : TSMBD_USERS;
}

/*
 * The numbers of a refused command have not been checked: the name must lie
 * within the packet, or other memory would get into the log.
 */
static __always_inline void raw_read(struct tsmbd_detail *d, __u32 raw,
				     const struct field *f)
{
	__u32 length = f->length & ~1U;

	if (f->offset > f->size || length > f->size - f->offset)
		return;
	if (length > TSMBD_FILE - 2)
		length = TSMBD_FILE - 2;
	/* or the program may use another copy of length than is verified */
	barrier_var(length);
	length &= TSMBD_FILE - 1;
	if (length == 0 ||
	    bpf_probe_read_user(d->file, length, f->header + f->offset))
		return;
	d->raw = raw;
	d->file_length = length;
	d->hash[kind_of_raw(raw)] = file_hash(d, length);
}

/* "NTLMSSP", and the message that has the user: [MS-NLMP] 2.2.1.3. */
static const unsigned char NTLMSSP[8] = "NTLMSSP";
enum { AUTHENTICATE = 3, NTLMSSP_USER = 36, SEARCHED = 64 };

/* The token is wrapped: some bytes precede the message. */
static __always_inline void user_read(struct tsmbd_detail *d, struct field *f)
{
	const unsigned char *token = f->header + f->offset;
	__u64 mark = 0;
	int i;

	for (i = 0; i < SEARCHED; i++) {
		bpf_probe_read_user(&mark, sizeof(mark), token + i);
		if (mark == *(const __u64 *)NTLMSSP)
			break;
	}
	token += i;
	if (i == SEARCHED || read_16(token + 8) != AUTHENTICATE ||
	    read_16(token + NTLMSSP_USER + 6) != 0)	/* too far away */
		return;
	f->length = read_16(token + NTLMSSP_USER);
	f->offset += i + read_16(token + NTLMSSP_USER + 4);
	raw_read(d, TSMBD_RAW_USER, f);
}

/* \\server\share: what is behind the last backslash, in UTF-16. */
static __always_inline void share_of_path(struct field *f)
{
	const unsigned char *end = f->header + f->offset + f->length;
	__u32 i;

	for (i = 1; i < TSMBD_NAME && 2 * i <= f->length; i++) {
		if (read_16(end - 2 * i) == '\\')
			break;
	}
	if (2 * i > f->length)
		return;
	f->offset += f->length - 2 * (i - 1);
	f->length = 2 * (i - 1);
}

/*
 * Offsets in a packet count from its header, which is 64 bytes before the body:
 * [MS-SMB2] 2.2.13, 2.2.9 and 2.2.5.
 */
GLOBAL int asked_read(struct tsmbd_detail *d, __u32 opcode, __u64 at,
		      __u32 size)
{
	const unsigned char *body = (const unsigned char *)at;
	struct field f = { .header = body - 64, .size = size };

	if (!d || !body)
		return 0;
	if (opcode == TSMBD_CREATE) {
		f.offset = read_16(body + 44);
		f.length = read_16(body + 46);
		raw_read(d, TSMBD_RAW_FILE, &f);
	} else if (opcode == TSMBD_TREE_CONNECT) {
		f.offset = read_16(body + 4);
		f.length = read_16(body + 6);
		share_of_path(&f);
		raw_read(d, TSMBD_RAW_SHARE, &f);
	} else if (opcode == TSMBD_SESSION_SETUP) {
		f.offset = read_16(body + 12);
		user_read(d, &f);
	}
	return 0;
}

/* [MS-SMB2] 2.2.19 and 2.2.21: a READ and a WRITE begin alike. */
struct range {
	unsigned char body_size[2];
	unsigned char unused[2];
	unsigned char length[4];
	unsigned char offset[8];
};

/* False: the command is shorter than it says. */
static __always_inline bool range_read(struct range *range, __u64 header,
				       __u64 size)
{
	if (!header || size < HEADER + sizeof(*range))
		return false;
	bpf_probe_read_user(range, sizeof(*range), (void *)(header + HEADER));
	return size >= HEADER + (number_of(range->body_size, 2) & ~1U);
}

/* A name that could not be read is tried again at the next request. */
GLOBAL int owner_read(struct tsmbd_detail *d, __u64 user, __u64 share,
		      __u32 what)
{
	bool is_read = true;

	if (!d)
		return 0;
	d->user[0] = 0;
	d->share[0] = 0;
	d->hash[TSMBD_USERS] = 0;
	d->hash[TSMBD_SHARES] = 0;
	if (what & 1 << TSMBD_USERS) {
		d->hash[TSMBD_USERS] = name_read(d->user, (void *)user);
		is_read = !user || d->hash[TSMBD_USERS];
	}
	if (what & (1 << TSMBD_SHARES | 1 << TSMBD_FILES)) {
		d->hash[TSMBD_SHARES] = name_read(d->share, (void *)share);
		is_read = is_read && (!share || d->hash[TSMBD_SHARES]);
	}
	d->owner.user = user;
	d->owner.share = share;
	d->owner.what = is_read ? what : 0;
	return 0;
}

/* Most requests have the user and the share of the one before. */
static __always_inline void owner_get(struct tsmbd_detail *d,
				      struct tsmbd_process *p, __u64 user,
				      __u64 share, __u32 what)
{
	const struct tsmbd_owner *owner = &d->owner;

	if (owner->what == what && owner->user == user &&
	    owner->share == share && owner->generation == p->generation)
		return;
	d->owner.generation = p->generation;
	owner_read(d, user, share, what);
}

/* Reads the names of a request that ends; lines need all of them. */
static __noinline struct tsmbd_detail *
names_read(const struct hit *hit, struct tsmbd_process *p,
	   struct tsmbd_request_key *key, struct tsmbd_request *r, __u32 what)
{
	struct tsmbd_detail *d = detail_get(key, r);
	const unsigned char *body;
	struct range range = { 0 };

	if (!d)
		return NULL;
	owner_get(d, p, hit_argument(hit, 8), hit_argument(hit, 6), what);
	if (what & 1 << TSMBD_FILES)
		d->hash[TSMBD_FILES] = file_read(d, hit_argument(hit, 7));
	if (!(modes & TSMBD_LINES) && !tsmbd_is_failure(r->opcode, r->status))
		return d;
	if (r->opcode == TSMBD_READ || r->opcode == TSMBD_WRITE) {
		if (range_read(&range, hit_argument(hit, 9), r->bytes_in)) {
			d->length = number_of(range.length, 4);
			d->offset = number_of(range.offset, 8);
		}
		return d;
	}
	if (!r->status || d->file[0])
		return d;
	body = body_of(hit_argument(hit, 9), r->bytes_in);
	if (body) {
		d->owner.what = 0;	/* it may replace a hash */
		asked_read(d, r->opcode, (__u64)body, r->bytes_in);
	}
	return d;
}

/* Hash of "ipv4:192.0.2.7:50123" without the port, so that it is the host. */
GLOBAL __u64 client_id(struct tsmbd_process *p)
{
	int i;

	if (!p)
		return 0;
	if (p->client_id)
		return p->client_id;
	/* from the end, to the last colon: the verifier follows every path */
	for (i = TSMBD_ADDRESS - 1; i > 0 && p->remote[i] != ':'; i--)
		;
	p->client_id = i > 0 ? hash_of(p->remote, i, TSMBD_ADDRESS) :
		1ULL << 63 | bpf_get_current_pid_tgid() >> 32;
	return p->client_id;
}

#endif /* NAMES_BPF_H */
