/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsmbd.bpf.c - runs in the kernel at each hit of a probe of smbd.
 *
 * One request, as its process passes through the phases:
 *
 *	smbd:idle_end		wait -> other
 *	smbnet:recv_start	other -> receive	(twice for each PDU)
 *	smbnet:pdu_received	receive -> parse
 *	smb2:request_start	parse -> run
 *	smb2:request_end	run -> send
 *	smbnet:send_done	send -> other
 *	smbd:idle_begin		other -> wait
 *
 * Not all probes there are get attached: each hit costs smbd about as much
 * as a short system call. recv_done and send_start would tell nothing that
 * changes the report: what follows a receive without a whole PDU is the way
 * back to the loop, and what precedes the send is signing the reply.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

#include "tsmbd.h"
#include "state.bpf.h"
#include "request.bpf.h"
#include "calls.bpf.h"
#include "log.bpf.h"

SEC("usdt")
int BPF_USDT(idle_begin, void *ev)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (!p)
		return 0;
	cancel_end(p, account(p, p->phase, TSMBD_WAIT));
	p->current = 0;
	return 0;
}

SEC("usdt")
int BPF_USDT(idle_end, void *ev)
{
	struct tsmbd_process *p = process_get(TSMBD_WAIT);

	if (!p)
		return 0;
	account(p, p->phase, TSMBD_OTHER);
	p->events++;
	return 0;
}

SEC("usdt")
int BPF_USDT(client_start, void *client, const char *remote)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (!p)
		return 0;
	p->client = 1;
	bpf_probe_read_user_str(p->remote, sizeof(p->remote), remote);
	return 0;
}

SEC("usdt")
int BPF_USDT(recv_start, void *xconn)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (!p || p->phase == TSMBD_RECEIVE)
		return 0;
	account(p, p->phase, TSMBD_RECEIVE);
	return 0;
}

SEC("usdt")
int BPF_USDT(pdu_received, void *xconn, void *req, __u64 length)
{
	struct tsmbd_process *p = process_get(TSMBD_RECEIVE);

	if (!p)
		return 0;
	cancel_end(p, account(p, p->phase, TSMBD_PARSE));
	p->client = 1;
	p->bytes_in += length;
	p->pdu_bytes = length;
	return 0;
}

/* A break that is sent while a request runs belongs to that. */
SEC("usdt")
int send_done(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_SEND);

	if (!p || p->phase == TSMBD_RUN)
		return 0;
	account(p, p->phase == TSMBD_OTHER ? TSMBD_SEND : p->phase,
		TSMBD_OTHER);
	return 0;
}

SEC("usdt")
int ctdb_request(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p)
		p->ctdb_requests++;
	return 0;
}

/* Messages that come meanwhile may make it wait once more inside. */
SEC("usdt")
int ctdb_wait_start(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (!p || p->phase == TSMBD_CTDB)
		return 0;
	p->back = p->phase;
	account(p, p->phase, TSMBD_CTDB);
	return 0;
}

/* Also at ctdb:request_done, as a wait that failed has no end of its own. */
SEC("usdt")
int ctdb_wait_done(void *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_CTDB);

	if (p && p->phase == TSMBD_CTDB)
		account(p, TSMBD_CTDB, p->back);
	return 0;
}

/* The command takes dead processes out of the map, with their requests. */
SEC("raw_tp/sched_process_exit")
int process_exit(void *ctx)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	__u32 pid = id >> 32;

	if (!began || (__u32)id != pid)
		return 0;
	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p || p->dead)
		return 0;
	cancel_end(p, account(p, p->phase, TSMBD_OTHER));
	p->dead = 1;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
