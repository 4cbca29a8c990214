/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.bpf.c - runs in the kernel at each hit of a probe, and writes what a
 * recorder would write.
 *
 *	cookie -> site -> tests -> slot: entry, word by word -> ring
 *
 * An entry is as long as its strings, so it is written to a slot first. A slot
 * belongs to one hit at a time: another thread may preempt this one, or run
 * while this one waits for memory. The program may sleep: memory that the
 * process has not touched yet is read too.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "lib/uprobe/source.bpf.h"
#include "lib/uprobe/stack.bpf.h"
#include "lib/uprobe/pattern.bpf.h"
#include "lib/uprobe/test.bpf.h"
#include "trace/kernel.bpf.h"

enum {
	PAGE = 4096,
	CUT = 0x01000000,		/* SDTKIT_RECORD_CUT */
	FAULT = 0x02000000,		/* SDTKIT_RECORD_FAULT */
	MASK = KERNEL_ENTRY - 8,
	HEAD = 16,			/* of an entry */
};

/* Behind the limit there is room for what one step writes. */
struct slot {
	unsigned int busy;
	unsigned int pad;
	struct kernel_hit hit;
	char bytes[KERNEL_ENTRY + KERNEL_RECORD + 16];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* the command sets it */
	__type(key, __u32);
	__type(value, struct kernel_site);
} sites SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, KERNEL_SLOTS);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, KERNEL_RING);
} hits SEC(".maps");

const volatile __u32 only_pid;		/* and what it forks; 0: all */

__u64 began;				/* 0: do nothing yet, or no more */
__u64 lost[KERNEL_CPUS];

struct task_struct {
	int tgid;
	struct task_struct *real_parent;
} __attribute__((preserve_access_index));

/* Whether it is the process, or was forked from it. */
static __always_inline bool is_wanted(void)
{
	struct task_struct *task;
	int i;

	if (!only_pid || bpf_get_current_pid_tgid() >> 32 == only_pid)
		return true;
	task = (void *)bpf_get_current_task_btf();
	for (i = 0; i < KERNEL_ANCESTORS; i++) {
		task = task->real_parent;
		if ((__u32)task->tgid == only_pid)
			return true;
	}
	return false;
}

/* Reads memory that the process has not touched yet, too. */
static __always_inline long read_string(void *to, __u32 size, __u64 address)
{
	long length = bpf_probe_read_user_str(to, size, (void *)address);
	char byte;

	if (length >= 0 ||
	    bpf_copy_from_user(&byte, 1, (void *)address) != 0)
		return length;
	length = bpf_probe_read_user_str(to, size, (void *)address);
	/* it ends on the next page */
	if (length >= 0 ||
	    bpf_copy_from_user(&byte, 1, (void *)(address + size - 1)) != 0)
		return length;
	return bpf_probe_read_user_str(to, size, (void *)address);
}

/* Functions that are not static: see struct bpf_user_pt_regs_t. */
int put_string(struct slot *slot, __u32 at, __u64 address, __u32 limit);
int put_record(struct slot *slot, struct kernel_op *op, __u32 at,
	       __u64 address, __u32 limit);

/* Returns where the next one goes. */
__noinline int put_string(struct slot *slot, __u32 at, __u64 address,
			  __u32 limit)
{
	__u32 head = address ? FAULT : 0;
	__u32 size = 0;
	long length = -1;
	char *to;

	if (!slot)
		return 0;
	at &= MASK;
	limit &= KERNEL_STRING - 1;
	to = slot->bytes + at;
	/* one more than the limit, to see whether it is cut */
	if (address >= PAGE)
		length = read_string(to + 4, limit + 2, address);
	if (length > 0) {
		size = (__u32)(length - 1) & (2 * KERNEL_STRING - 1);
		head = size;
		if (size > limit) {
			size = limit;
			head = limit | CUT;
		}
	}
	to[4 + size] = 0;
	*(__u32 *)to = head;
	return at + ((4 + size + 1 + 7) & ~7u);
}

__noinline int put_record(struct slot *slot, struct kernel_op *op, __u32 at,
			  __u64 address, __u32 limit)
{
	__u64 string;
	__u32 head;
	char *to;
	int i;

	if (!slot || !op)
		return 0;
	at &= MASK;
	to = slot->bytes + at;
	head = op->size & (KERNEL_RECORD - 1);
	if (!address)
		head = 0;
	else if (address < PAGE ||
		 (bpf_probe_read_user(to + 4, head, (void *)address) != 0 &&
		  bpf_copy_from_user(to + 4, head, (void *)address) != 0))
		head = FAULT;
	*(__u32 *)to = head;
	if (head == 0 || head == FAULT)
		return at + 8;
	at += (4 + head + 7) & ~7u;
	for (i = 0; i < KERNEL_STRINGS; i++) {
		if (i >= op->string_count)
			break;
		bpf_probe_read_kernel(&string, sizeof(string), to + 4 +
				      (op->strings[i] & (KERNEL_RECORD - 1)));
		at = put_string(slot, at, string, limit);
	}
	return at;
}

/* A string that cannot be read here passes: the command compares it again. */
static __always_inline bool passes(void *ctx, struct kernel_site *site, int i)
{
	struct uprobe_test *test = &site->test[i];
	int found;

	if (test->compare < UPROBE_LIKE)
		return test_passes(ctx, test);
	found = is_like(&site->pattern[i], value_at(ctx, &test->source));
	return found < 0 || found == (test->compare == UPROBE_LIKE);
}

static __always_inline bool is_taken(void *ctx, struct kernel_site *site)
{
	int i;

	for (i = 0; i < KERNEL_TESTS; i++) {
		if (i >= site->test_count)
			break;
		if (!passes(ctx, site, i))
			return false;
	}
	return true;
}

static __always_inline struct slot *take_slot(__u32 cpu)
{
	struct slot *slot;
	__u32 key;
	int i;

	for (i = 0; i < KERNEL_TRIES; i++) {
		key = (cpu * KERNEL_TRIES + i) % KERNEL_SLOTS;
		slot = bpf_map_lookup_elem(&slots, &key);
		if (slot && !slot->busy &&
		    !__sync_val_compare_and_swap(&slot->busy, 0, 1))
			return slot;
	}
	return NULL;
}

/* Returns how many bytes the arguments take. */
static __always_inline __u32 put_all(void *ctx, struct kernel_site *site,
				     struct slot *slot)
{
	__u32 at = 0;
	__u64 value;
	int i;

	for (i = 0; i < KERNEL_OPS; i++) {
		struct kernel_op *op = &site->op[i];

		if (i >= site->op_count)
			break;
		value = value_at(ctx, &op->source);
		*(__u64 *)(slot->bytes + (at & MASK)) = value;
		at += 8;
		if (op->kind == KERNEL_STRING_AT)
			at = put_string(slot, at, value, site->string_limit);
		else if (op->kind == KERNEL_RECORD_AT)
			at = put_record(slot, op, at, value,
					site->string_limit);
	}
	return at & MASK;
}

SEC("uprobe.s")
int trace_hit(struct pt_regs *ctx)
{
	__u32 index = (__u32)bpf_get_attach_cookie(ctx);
	__u32 cpu = bpf_get_smp_processor_id() % KERNEL_CPUS;
	__u64 thread = bpf_get_current_pid_tgid();
	struct kernel_site *site;
	struct slot *slot;
	__u32 size;
	long ret;

	stack_own();
	if (!began || !is_wanted())
		return 0;
	site = bpf_map_lookup_elem(&sites, &index);
	if (!site || !is_taken(ctx, site))
		return 0;
	slot = take_slot(cpu);
	if (!slot)
		goto lost;
	slot->hit.time = bpf_ktime_get_ns();
	slot->hit.lost = lost[cpu];
	slot->hit.cpu = cpu;
	slot->hit.pid = thread >> 32;
	slot->hit.tid = (__u32)thread;
	slot->hit.id = site->id;
	slot->hit.unreadable = site->unreadable;
	size = put_all(ctx, site, slot);
	slot->hit.words = (HEAD + size) / 8;
	ret = bpf_ringbuf_output(&hits, &slot->hit, sizeof(slot->hit) + size,
				 BPF_RB_NO_WAKEUP);
	__sync_lock_test_and_set(&slot->busy, 0);
	if (ret == 0)
		return 0;
lost:
	__sync_fetch_and_add(&lost[cpu], 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
