/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes.bpf.h - what smbd notes of its requests in its own memory, which is read
 * here instead of a hit for each (smb2:request_notes in smb2.d).
 *
 * Whatever ends a phase, or asks which request runs, first takes the notes that
 * are new: a request may have ended meanwhile. In most cases that is the
 * tracepoint of the socket by which the reply is sent, or epoll_wait() for a
 * request that waits from then on.
 */
#ifndef NOTES_BPF_H
#define NOTES_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "state.bpf.h"
#include "tsmbd.h"

/* What a process notes; first, what it runs at the moment. */
struct noted {
	const unsigned char *header;
	__u64 since;
};

struct notes {
	struct noted running;
	__u64 layout;
	__u64 count;			/* of notes, since the process began */
	/* and a ring of them */
};

/* "SMBNOTE1" */
static const __u64 NOTES_LAYOUT = 0x3145544f4e424d53;

static __always_inline __u64 notes_of(const struct tsmbd_process *p)
{
	return p->running_at ? p->running_at : running_at;
}

#endif /* NOTES_BPF_H */
