(79 lines of smb2's)
/* shop:order */
struct shop_order_key {
	__u64 process;
	__u64 k0;
};
struct shop_order_state {
	__u64 at;
	__u64 n0;
	char n1[64];
	__u64 sum0;
	__u64 sum1;
};
struct shop_order_bucket {
	__u64 n0;
	char n1[64];
	__u64 bucket;
};
SDTKIT_MAP(shop_order_open,
	LRU_HASH, SDTKIT_OPEN, struct shop_order_key, struct shop_order_state);
SDTKIT_MAP(shop_order_duration_seconds,
	HASH, SDTKIT_SERIES, struct shop_order_bucket, __u64);
SDTKIT_MAP(shop_order_unpaired_total,
	HASH, 2, __u64, __u64);
struct shop_order_by {
	__u64 n0;
	char n1[64];
};
SDTKIT_MAP(shop_order_bytes_total,
	HASH, SDTKIT_SERIES, struct shop_order_by, __u64);
SDTKIT_MAP(shop_order_out_total,
	HASH, SDTKIT_SERIES, struct shop_order_by, __u64);

static __always_inline void shop_order_0(struct pt_regs *ctx)
{
	struct shop_order_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct shop_order_state state = {};
	__u64 lost = 0;

	key.k0 = (__u64)(__u64)sdtkit_arg(ctx, 0);
	state.at = now;
	state.n0 = (__u64)(__u16)sdtkit_arg(ctx, 1);
	bpf_probe_read_user_str(state.n1, sizeof(state.n1),
			(void *)sdtkit_arg(ctx, 2));
	state.sum0 = (__u64)(__u64)sdtkit_arg(ctx, 3);
	if (bpf_map_lookup_elem(&shop_order_open, &key))
		sdtkit_add(&shop_order_unpaired_total, &lost, 1);
	bpf_map_update_elem(&shop_order_open, &key, &state, BPF_ANY);
}

static __always_inline void shop_order_1(struct pt_regs *ctx)
{
	struct shop_order_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct shop_order_state state = {};
	__u64 lost = 0;

	key.k0 = (__u64)(__u64)sdtkit_arg(ctx, 0);
	state.at = now;
	state.n0 = (__u64)(__u16)sdtkit_arg(ctx, 1);
	bpf_probe_read_user_str(state.n1, sizeof(state.n1),
			(void *)sdtkit_arg(ctx, 2));
	if (bpf_map_lookup_elem(&shop_order_open, &key))
		sdtkit_add(&shop_order_unpaired_total, &lost, 1);
	bpf_map_update_elem(&shop_order_open, &key, &state, BPF_ANY);
}

static __always_inline void shop_order_2(struct pt_regs *ctx)
{
	struct shop_order_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct shop_order_state *state;
	struct shop_order_bucket by = {};
	__u64 us, stray = 1;
	struct shop_order_by all = {};
	__s64 value;

	key.k0 = (__u64)(__u64)sdtkit_arg(ctx, 1);
	state = bpf_map_lookup_elem(&shop_order_open, &key);
	if (!state) {
		sdtkit_add(&shop_order_unpaired_total, &stray, 1);
		return;
	}
	by.n0 = state->n0;
	__builtin_memcpy(by.n1, state->n1, sizeof(by.n1));
	us = (now - state->at) / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&shop_order_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&shop_order_duration_seconds, &by, us);
	}
	all.n0 = by.n0;
	__builtin_memcpy(all.n1, by.n1, sizeof(all.n1));
	value = state->sum0;
	if (value > 0)
		sdtkit_add(&shop_order_bytes_total, &all, value);
	value = state->sum1;
	if (value > 0)
		sdtkit_add(&shop_order_out_total, &all, value);
	value = (__u64)(__u32)sdtkit_arg(ctx, 0);
	if (value > 0)
		sdtkit_add(&shop_order_out_total, &all, value);
	bpf_map_delete_elem(&shop_order_open, &key);
}

static __always_inline void shop_order_3(struct pt_regs *ctx)
{
	struct shop_order_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct shop_order_state *state;
	struct shop_order_bucket by = {};
	__u64 us, stray = 1;
	struct shop_order_by all = {};
	__s64 value;

	key.k0 = (__u64)(__u64)sdtkit_arg(ctx, 0);
	state = bpf_map_lookup_elem(&shop_order_open, &key);
	if (!state) {
		sdtkit_add(&shop_order_unpaired_total, &stray, 1);
		return;
	}
	by.n0 = state->n0;
	__builtin_memcpy(by.n1, state->n1, sizeof(by.n1));
	us = (now - state->at) / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&shop_order_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&shop_order_duration_seconds, &by, us);
	}
	all.n0 = by.n0;
	__builtin_memcpy(all.n1, by.n1, sizeof(all.n1));
	value = state->sum0;
	if (value > 0)
		sdtkit_add(&shop_order_bytes_total, &all, value);
	value = state->sum1;
	if (value > 0)
		sdtkit_add(&shop_order_out_total, &all, value);
	bpf_map_delete_elem(&shop_order_open, &key);
}

/* shop:lookup */
struct shop_lookup_key {
	__u64 process;
	__u64 depth;
};
struct shop_lookup_state {
	__u64 at;
};
struct shop_lookup_bucket {
	__u64 bucket;
};
SDTKIT_MAP(shop_lookup_open,
	LRU_HASH, SDTKIT_OPEN, struct shop_lookup_key,
	struct shop_lookup_state);
SDTKIT_MAP(shop_lookup_duration_seconds,
	HASH, SDTKIT_SERIES, struct shop_lookup_bucket, __u64);
SDTKIT_MAP(shop_lookup_unpaired_total,
	HASH, 2, __u64, __u64);
SDTKIT_MAP(shop_lookup_depth,
	LRU_HASH, SDTKIT_OPEN, __u64, __u64);
struct shop_lookup_error {
	__u64 error;
};
SDTKIT_MAP(shop_lookup_errors_total,
	HASH, SDTKIT_SERIES, struct shop_lookup_error, __u64);

static __always_inline void shop_lookup_0(struct pt_regs *ctx)
{
	struct shop_lookup_key key = {
		.process = bpf_get_current_pid_tgid(),
	};
	__u64 now = bpf_ktime_get_ns();
	__u64 *depth;
	struct shop_lookup_state state = {};

	sdtkit_add(&shop_lookup_depth, &key.process, 1);
	depth = bpf_map_lookup_elem(&shop_lookup_depth, &key.process);
	key.depth = depth ? *depth : 0;
	state.at = now;
	bpf_map_update_elem(&shop_lookup_open, &key, &state, BPF_ANY);
}

static __always_inline void shop_lookup_1(struct pt_regs *ctx)
{
	struct shop_lookup_key key = {
		.process = bpf_get_current_pid_tgid(),
	};
	__u64 now = bpf_ktime_get_ns();
	__u64 *depth;
	struct shop_lookup_state *state;
	struct shop_lookup_bucket by = {};
	__u64 us, stray = 1;
	struct shop_lookup_error error = {};

	depth = bpf_map_lookup_elem(&shop_lookup_depth, &key.process);
	key.depth = depth ? *depth : 0;
	state = bpf_map_lookup_elem(&shop_lookup_open, &key);
	if (!state) {
		sdtkit_add(&shop_lookup_unpaired_total, &stray, 1);
		return;
	}
	us = (now - state->at) / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&shop_lookup_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&shop_lookup_duration_seconds, &by, us);
	}
	error.error = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 0);
	if (error.error != 0ULL &&
	    error.error != 11ULL &&
	    error.error != 127ULL)
		sdtkit_add(&shop_lookup_errors_total, &error, 1);
	bpf_map_delete_elem(&shop_lookup_open, &key);
	if (depth)
		*depth -= 1;
}

/* stock:fetch */
struct stock_fetch_key {
	__u64 process;
	__u64 k0;
	__u64 k1;
};
struct stock_fetch_state {
	__u64 at;
};
struct stock_fetch_bucket {
	__u64 bucket;
};
SDTKIT_MAP(stock_fetch_open,
	LRU_HASH, SDTKIT_OPEN, struct stock_fetch_key,
	struct stock_fetch_state);
SDTKIT_MAP(stock_fetch_duration_seconds,
	HASH, SDTKIT_SERIES, struct stock_fetch_bucket, __u64);
SDTKIT_MAP(stock_fetch_unpaired_total,
	HASH, 2, __u64, __u64);
struct stock_fetch_error {
	__u64 error;
};
SDTKIT_MAP(stock_fetch_errors_total,
	HASH, SDTKIT_SERIES, struct stock_fetch_error, __u64);

static __always_inline void stock_fetch_0(struct pt_regs *ctx)
{
	struct stock_fetch_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct stock_fetch_state state = {};
	__u64 lost = 0;

	key.k0 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 0);
	key.k1 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 1);
	state.at = now;
	if (bpf_map_lookup_elem(&stock_fetch_open, &key))
		sdtkit_add(&stock_fetch_unpaired_total, &lost, 1);
	bpf_map_update_elem(&stock_fetch_open, &key, &state, BPF_ANY);
}

static __always_inline void stock_fetch_1(struct pt_regs *ctx)
{
	struct stock_fetch_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct stock_fetch_state *state;
	struct stock_fetch_bucket by = {};
	__u64 us, stray = 1;
	struct stock_fetch_error error = {};

	key.k0 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 0);
	key.k1 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 1);
	state = bpf_map_lookup_elem(&stock_fetch_open, &key);
	if (!state) {
		sdtkit_add(&stock_fetch_unpaired_total, &stray, 1);
		return;
	}
	us = (now - state->at) / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&stock_fetch_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&stock_fetch_duration_seconds, &by, us);
	}
	error.error = (__u64)(__s64)(__s64)sdtkit_arg(ctx, 2);
	if ((__s64)error.error < 0)
		sdtkit_add(&stock_fetch_errors_total, &error, 1);
	bpf_map_delete_elem(&stock_fetch_open, &key);
}

/* stock:never */
struct stock_never_key {
	__u64 process;
	__u64 depth;
};
struct stock_never_state {
	__u64 at;
};
struct stock_never_bucket {
	__u64 bucket;
};
SDTKIT_MAP(stock_never_open,
	LRU_HASH, SDTKIT_OPEN, struct stock_never_key,
	struct stock_never_state);
SDTKIT_MAP(stock_never_duration_seconds,
	HASH, SDTKIT_SERIES, struct stock_never_bucket, __u64);
SDTKIT_MAP(stock_never_unpaired_total,
	HASH, 2, __u64, __u64);
SDTKIT_MAP(stock_never_depth,
	LRU_HASH, SDTKIT_OPEN, __u64, __u64);

static __always_inline void stock_never_0(struct pt_regs *ctx)
{
	struct stock_never_key key = {
		.process = bpf_get_current_pid_tgid(),
	};
	__u64 now = bpf_ktime_get_ns();
	__u64 *depth;
	struct stock_never_state state = {};

	sdtkit_add(&stock_never_depth, &key.process, 1);
	depth = bpf_map_lookup_elem(&stock_never_depth, &key.process);
	key.depth = depth ? *depth : 0;
	state.at = now;
	bpf_map_update_elem(&stock_never_open, &key, &state, BPF_ANY);
}

static __always_inline void stock_never_1(struct pt_regs *ctx)
{
	struct stock_never_key key = {
		.process = bpf_get_current_pid_tgid(),
	};
	__u64 now = bpf_ktime_get_ns();
	__u64 *depth;
	struct stock_never_state *state;
	struct stock_never_bucket by = {};
	__u64 us, stray = 1;

	depth = bpf_map_lookup_elem(&stock_never_depth, &key.process);
	key.depth = depth ? *depth : 0;
	state = bpf_map_lookup_elem(&stock_never_open, &key);
	if (!state) {
		sdtkit_add(&stock_never_unpaired_total, &stray, 1);
		return;
	}
	us = (now - state->at) / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&stock_never_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&stock_never_duration_seconds, &by, us);
	}
	bpf_map_delete_elem(&stock_never_open, &key);
	if (depth)
		*depth -= 1;
}

SEC("usdt/" SDTKIT_FILE ":shop:order")
int sdtkit_shop_order(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	shop_order_0(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":shop:order_again")
int sdtkit_shop_order_again(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	shop_order_1(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":shop:sent")
int sdtkit_shop_sent(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	shop_order_2(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":shop:given_up")
int sdtkit_shop_given_up(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	shop_order_3(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":shop:lookup")
int sdtkit_shop_lookup(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	shop_lookup_0(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":shop:lookup_done")
int sdtkit_shop_lookup_done(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	shop_lookup_1(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":stock:fetch")
int sdtkit_stock_fetch(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	stock_fetch_0(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":shop:fetched")
int sdtkit_shop_fetched(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	stock_fetch_1(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":stock:never")
int sdtkit_stock_never(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	stock_never_0(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":stock:never_done")
int sdtkit_stock_never_done(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	stock_never_1(ctx);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
