/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.h - the commands of SMB2 as functions, for the client.
 *
 * All return 0 or -errno, -EIO if the server answered with an error. A
 * message has then been written to standard error.
 */
#ifndef DEMO_CALLS_H
#define DEMO_CALLS_H

#include <stddef.h>
#include <stdint.h>

struct exchange;

struct file_id {
	uint64_t persistent;
	uint64_t slot;		/* the "volatile" half */
};

int call_negotiate(struct exchange *x);
int call_session_setup(struct exchange *x);
int call_tree_connect(struct exchange *x, const char *path);
int call_tree_disconnect(struct exchange *x);
int call_logoff(struct exchange *x);
int call_echo(struct exchange *x);

/* name is ASCII with backslashes, of at most 200 characters. */
int call_create(struct exchange *x, const char *name, uint32_t access,
		uint32_t disposition, uint32_t options, struct file_id *id);
int call_close(struct exchange *x, const struct file_id *id);
int call_query_size(struct exchange *x, const struct file_id *id,
		    uint64_t *size);

/* len is at most SMB2_MAX_IO. All of it is written or read, or -EIO. */
int call_write(struct exchange *x, const struct file_id *id, uint64_t offset,
	       const uint8_t *data, size_t len);
int call_read(struct exchange *x, const struct file_id *id, uint64_t offset,
	      uint8_t *data, size_t len);

#endif /* DEMO_CALLS_H */
