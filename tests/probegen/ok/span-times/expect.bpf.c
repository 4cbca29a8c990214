(79 lines of smb2's)
/* mine:request */
struct mine_request_key {
	__u64 process;
	__u64 k0;
};
struct mine_request_state {
	__u64 at;
	__u64 n0;
};
struct mine_request_bucket {
	__u64 n0;
	__u64 bucket;
};
SDTKIT_MAP(mine_request_open,
	LRU_HASH, SDTKIT_OPEN, struct mine_request_key,
	struct mine_request_state);
SDTKIT_MAP(mine_request_duration_seconds,
	HASH, SDTKIT_SERIES, struct mine_request_bucket, __u64);
SDTKIT_MAP(mine_request_unpaired_total,
	HASH, 2, __u64, __u64);

static __always_inline void mine_request_0(struct pt_regs *ctx)
{
	struct mine_request_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct mine_request_state state = {};
	__u64 lost = 0;

	key.k0 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 0);
	state.at = now;
	state.n0 = (__u64)(__u16)sdtkit_arg(ctx, 1);
	if (bpf_map_lookup_elem(&mine_request_open, &key))
		sdtkit_add(&mine_request_unpaired_total, &lost, 1);
	bpf_map_update_elem(&mine_request_open, &key, &state, BPF_ANY);
}

static __always_inline void mine_request_1(struct pt_regs *ctx)
{
	struct mine_request_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	__u64 now = bpf_ktime_get_ns();
	struct mine_request_state *state;
	__u64 told;
	struct mine_request_bucket by = {};
	__u64 us, stray = 1;

	key.k0 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 0);
	told = (__u64)(__u64)sdtkit_arg(ctx, 1);
	state = bpf_map_lookup_elem(&mine_request_open, &key);
	if (!state) {
		sdtkit_add(&mine_request_unpaired_total, &stray, 1);
		return;
	}
	by.n0 = (__u64)(__u16)sdtkit_arg(ctx, 2);
	us = (told ? told : now - state->at) / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&mine_request_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&mine_request_duration_seconds, &by, us);
	}
	bpf_map_delete_elem(&mine_request_open, &key);
}

static __always_inline void mine_request_2(struct pt_regs *ctx)
{
	struct mine_request_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
	};
	struct mine_request_state *state;
	__u64 told;
	struct mine_request_bucket by = {};
	__u64 us, stray = 1;

	key.k0 = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 0);
	told = (__u64)(__u32)sdtkit_arg(ctx, 1) * 1000ULL;
	state = bpf_map_lookup_elem(&mine_request_open, &key);
	if (!state) {
		sdtkit_add(&mine_request_unpaired_total, &stray, 1);
		return;
	}
	by.n0 = state->n0;
	us = told / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&mine_request_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&mine_request_duration_seconds, &by, us);
	}
	bpf_map_delete_elem(&mine_request_open, &key);
}

/* mine:command */
struct mine_command_bucket {
	__u64 n0;
	__u64 bucket;
};
SDTKIT_MAP(mine_command_duration_seconds,
	HASH, SDTKIT_SERIES, struct mine_command_bucket, __u64);
SDTKIT_MAP(mine_command_unpaired_total,
	HASH, 2, __u64, __u64);
struct mine_command_error {
	__u64 n0;
	__u64 error;
};
SDTKIT_MAP(mine_command_errors_total,
	HASH, SDTKIT_SERIES, struct mine_command_error, __u64);

static __always_inline void mine_command_0(struct pt_regs *ctx)
{
	__u64 told;
	struct mine_command_bucket by = {};
	__u64 us;
	struct mine_command_error error = {};

	told = (__u64)(__s64)(__s64)sdtkit_arg(ctx, 1) * 1000ULL;
	by.n0 = (__u64)(__u16)sdtkit_arg(ctx, 0);
	us = told / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&mine_command_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&mine_command_duration_seconds, &by, us);
	}
	error.error = (__u64)(__s64)(__s32)sdtkit_arg(ctx, 2);
	error.n0 = by.n0;
	if (error.error != 0ULL)
		sdtkit_add(&mine_command_errors_total, &error, 1);
}

/* mine:job */
struct mine_job_bucket {
	__u64 bucket;
};
SDTKIT_MAP(mine_job_duration_seconds,
	HASH, SDTKIT_SERIES, struct mine_job_bucket, __u64);
SDTKIT_MAP(mine_job_unpaired_total,
	HASH, 2, __u64, __u64);

static __always_inline void mine_job_0(struct pt_regs *ctx)
{
	__u64 now = bpf_ktime_get_ns();
	__u64 told;
	struct mine_job_bucket by = {};
	__u64 us, stray = 1;

	told = (__u64)(__u64)sdtkit_arg(ctx, 1) * 1000000ULL;
	if (told)
		told = now - told;
	if (!told) {
		sdtkit_add(&mine_job_unpaired_total, &stray, 1);
		return;
	}
	us = told / 1000;
	by.bucket = sdtkit_bucket(us);
	sdtkit_add(&mine_job_duration_seconds, &by, 1);
	if (us > 0) {
		by.bucket = SDTKIT_BUCKETS + 1;
		sdtkit_add(&mine_job_duration_seconds, &by, us);
	}
}

SEC("usdt/" SDTKIT_FILE ":mine:begin")
int sdtkit_mine_begin(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	mine_request_0(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":mine:done")
int sdtkit_mine_done(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	mine_request_1(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":mine:gave_up")
int sdtkit_mine_gave_up(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	mine_request_2(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":mine:command")
int sdtkit_mine_command(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	mine_command_0(ctx);
	return 0;
}

SEC("usdt/" SDTKIT_FILE ":mine:job")
int sdtkit_mine_job(struct pt_regs *ctx)
{
	sdtkit_stack_own();
	mine_job_0(ctx);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
