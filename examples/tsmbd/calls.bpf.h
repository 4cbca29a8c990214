/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.bpf.h - system calls of the processes: how many, how long, what for.
 *
 * Time in system calls is that of the main thread, without the wait for
 * events: it overlaps with the phases and is not one. Disk I/O is that of
 * all threads, as smbd hands reads and writes to threads.
 *
 * All calls are looked at for -s and --slow only. Otherwise the programs run
 * at those that read and write files, and the rest pay 20 ns for the
 * tracepoints being in use at all.
 */
#ifndef CALLS_BPF_H
#define CALLS_BPF_H

MAP(calls, BPF_MAP_TYPE_PERCPU_ARRAY, TSMBD_SYSCALLS, __u32,
    struct tsmbd_call);
MAP(disk, BPF_MAP_TYPE_PERCPU_ARRAY, 2, __u32, struct tsmbd_io);
/* disk I/O that other threads are in: its kind, and since when */
MAP(threads, BPF_MAP_TYPE_LRU_HASH, 4096, __u32, struct tsmbd_call);

/* enum tsmbd_call_kind, by number; the command knows them by name. */
const volatile unsigned char call_kind[TSMBD_SYSCALLS];

/* F_SETLK and F_SETLKW, those of 64 bits, F_OFD_SETLK and F_OFD_SETLKW */
static const __u64 lock_commands =
	1ULL << 6 | 1ULL << 7 | 1ULL << 13 | 1ULL << 14 | 1ULL << 37 |
	1ULL << 38;

/* What the tracepoints of single calls get. */
struct call_context {
	__u64 unused;
	int number;
};

static __always_inline __u32 kind_of(__u64 number)
{
	return number < TSMBD_SYSCALLS ?
		call_kind[number & (TSMBD_SYSCALLS - 1)] : TSMBD_CALL_OTHER;
}

static __always_inline bool is_disk(__u32 kind)
{
	return kind == TSMBD_CALL_READ || kind == TSMBD_CALL_WRITE;
}

/* fcntl() takes locks of databases, and does other things to files. */
static __always_inline __u32 kind_of_fcntl(struct pt_regs *regs)
{
	unsigned long command = 0;

	bpf_probe_read_kernel(&command, sizeof(command),
			      &PT_REGS_PARM2_SYSCALL(regs));
	return command < 64 && lock_commands >> command & 1 ?
		TSMBD_CALL_LOCK : TSMBD_CALL_FILE;
}

static __always_inline void call_begin(__u64 number, struct pt_regs *regs)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_call call = {};
	struct tsmbd_process *p;
	__u32 pid = id >> 32;
	__u32 tid = id;
	__u32 kind;

	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p || !began)
		return;
	kind = kind_of(number);
	if (tid != pid && !is_disk(kind))
		return;
	if (kind == TSMBD_CALL_FCNTL && regs)
		kind = kind_of_fcntl(regs);
	call.ns = bpf_ktime_get_ns();
	call.count = kind;
	if (tid == pid) {
		p->entered = call.ns;
		p->call = number;
		p->call_kind = kind;
	} else {
		bpf_map_update_elem(&threads, &tid, &call, BPF_ANY);
	}
}

static __always_inline void count_disk(__u32 kind, __u64 ns)
{
	__u32 at = kind == TSMBD_CALL_WRITE;
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
	__u32 kind = p->call_kind;
	__u32 number = p->call;
	struct tsmbd_call *call;

	p->entered = 0;
	if (kind == TSMBD_CALL_WAIT)
		return;
	p->syscall_ns += ns;
	if (kind == TSMBD_CALL_LOCK)
		p->lock_ns += ns;
	else if (kind != TSMBD_CALL_OTHER)
		p->vfs_ns += ns;
	call = bpf_map_lookup_elem(&calls, &number);
	if (call) {
		add(&call->count, 1);
		add(&call->ns, ns);
	}
	if (is_disk(kind))
		count_disk(kind, ns);
}

static __always_inline void call_end(void)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	struct tsmbd_call *call;
	__u32 pid = id >> 32;
	__u32 tid = id;

	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p || !began)
		return;
	if (tid == pid) {
		if (p->entered)
			call_done(p);
		return;
	}
	call = bpf_map_lookup_elem(&threads, &tid);
	if (!call)
		return;
	count_disk(call->count, bpf_ktime_get_ns() - call->ns);
	bpf_map_delete_elem(&threads, &tid);
}

SEC("raw_tp/sys_enter")
int call_enter(struct bpf_raw_tracepoint_args *ctx)
{
	call_begin(ctx->args[1], (struct pt_regs *)ctx->args[0]);
	return 0;
}

SEC("raw_tp/sys_exit")
int call_exit(struct bpf_raw_tracepoint_args *ctx)
{
	call_end();
	return 0;
}

SEC("tracepoint")
int disk_enter(struct call_context *ctx)
{
	call_begin(ctx->number, NULL);
	return 0;
}

SEC("tracepoint")
int disk_exit(struct call_context *ctx)
{
	call_end();
	return 0;
}

#endif /* CALLS_BPF_H */
