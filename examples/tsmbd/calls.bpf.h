/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.bpf.h - system calls of the processes, file system and lock times.
 *
 * Time in system calls is that of the main thread, without the wait for
 * events: it overlaps with the phases and is not one. Disk I/O is that of
 * all threads, as smbd hands reads and writes to threads.
 */
#ifndef CALLS_BPF_H
#define CALLS_BPF_H

MAP(calls, BPF_MAP_TYPE_PERCPU_ARRAY, TSMBD_SYSCALLS, __u32,
    struct tsmbd_call);
MAP(disk, BPF_MAP_TYPE_PERCPU_ARRAY, 2, __u32, struct tsmbd_io);
/* disk I/O that other threads are in: its kind, and since when */
MAP(threads, BPF_MAP_TYPE_LRU_HASH, 4096, __u32, struct tsmbd_call);

/* Which calls are what, by number; the command knows them by name. */
enum { CALL_WAIT = 1, CALL_READ = 2, CALL_WRITE = 3 };
const volatile unsigned char call_kind[TSMBD_SYSCALLS];

static __always_inline __u32 kind_of(__u64 number)
{
	return number < TSMBD_SYSCALLS ?
		call_kind[number & (TSMBD_SYSCALLS - 1)] : 0;
}

SEC("raw_tp/sys_enter")
int call_enter(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_call call = { .count = kind_of(ctx->args[1]) };
	struct tsmbd_process *p;
	__u32 pid = id >> 32;
	__u32 tid = id;

	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p || !began)
		return 0;
	call.ns = bpf_ktime_get_ns();
	if (tid == pid) {
		p->entered = call.ns;
		p->call = ctx->args[1];
	} else if (call.count >= CALL_READ) {
		bpf_map_update_elem(&threads, &tid, &call, BPF_ANY);
	}
	return 0;
}

static __always_inline void count_disk(__u32 kind, __u64 ns)
{
	__u32 at = kind - CALL_READ;
	struct tsmbd_io *io = bpf_map_lookup_elem(&disk, &at);

	if (!io)
		return;
	add(&io->count, 1);
	add(&io->ns, ns);
	add(&io->slots[slot_of(ns / 1000)], 1);
}

static __always_inline void call_done(struct tsmbd_process *p)
{
	__u64 ns = bpf_ktime_get_ns() - p->entered;
	__u32 kind = kind_of(p->call);
	__u32 number = p->call;
	struct tsmbd_call *call;

	p->entered = 0;
	if (kind == CALL_WAIT)
		return;
	p->syscall_ns += ns;
	call = bpf_map_lookup_elem(&calls, &number);
	if (call) {
		add(&call->count, 1);
		add(&call->ns, ns);
	}
	if (kind >= CALL_READ)
		count_disk(kind, ns);
}

SEC("raw_tp/sys_exit")
int call_exit(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	struct tsmbd_call *call;
	__u32 pid = id >> 32;
	__u32 tid = id;

	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p || !began)
		return 0;
	if (tid == pid) {
		if (p->entered)
			call_done(p);
		return 0;
	}
	call = bpf_map_lookup_elem(&threads, &tid);
	if (!call)
		return 0;
	count_disk(call->count, bpf_ktime_get_ns() - call->ns);
	bpf_map_delete_elem(&threads, &tid);
	return 0;
}

/* Operations nest: the outermost one is counted. No arguments: see many.c. */
SEC("uprobe")
int vfs_start(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p && p->vfs_depth++ == 0)
		p->vfs_start = bpf_ktime_get_ns();
	return 0;
}

SEC("uprobe")
int vfs_done(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p && p->vfs_depth > 0 && --p->vfs_depth == 0)
		p->vfs_ns += bpf_ktime_get_ns() - p->vfs_start;
	return 0;
}

/* g_lock and record_lock; the time to get them, not that of holding them */
SEC("usdt")
int lock_start(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p && p->lock_depth++ == 0)
		p->lock_start = bpf_ktime_get_ns();
	return 0;
}

SEC("usdt")
int lock_done(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p && p->lock_depth > 0 && --p->lock_depth == 0)
		p->lock_ns += bpf_ktime_get_ns() - p->lock_start;
	return 0;
}

#endif /* CALLS_BPF_H */
