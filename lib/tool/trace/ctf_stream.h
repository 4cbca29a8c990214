/* SPDX-License-Identifier: BSD-2-Clause */
/* The data streams of a trace in the Common Trace Format. */
#ifndef SDTKIT_TOOL_CTF_STREAM_H
#define SDTKIT_TOOL_CTF_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tracing_bytes;

enum {
	CTF_UUID_SIZE = 16,
	/* There is one class of streams. */
	CTF_STREAM_CLASS = 0,
};

extern unsigned char ctf_uuid[CTF_UUID_SIZE];

/* Says that so many hits were lost before the next event, or before the end. */
void ctf_stream_lose(uint64_t lost);

/*
 * Begins an event of this thread. Returns where to append the bytes of its
 * fields; after that, call ctf_stream_event_end().
 */
struct tracing_bytes *ctf_stream_event(pid_t pid, pid_t tid, uint64_t time,
				   uint32_t class_id);
void ctf_stream_event_end(void);

/* Writes packets that were begun some time ago; now is the time. */
void ctf_streams_settle(uint64_t now);

/* Writes all packets. */
void ctf_streams_end(uint64_t now);

/* Returns 0, or -errno of the first write that failed. */
int ctf_streams_error(void);

/* How many events could not be written. */
uint64_t ctf_streams_unwritten(void);

#endif /* SDTKIT_TOOL_CTF_STREAM_H */
