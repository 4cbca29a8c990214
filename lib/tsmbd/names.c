/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c - tables of names for numbers.
 *
 * syscalls.h is made at build time from the C compiler's headers, lines like
 *
 *	CALL(257, openat)
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "names.h"
#include "tsmbd.h"

/* [MS-SMB2] 2.2.1.2, with the short names that are used in smbd. */
static const char *const ops[TSMBD_OPS] = {
	"SMB2_OP_NEGPROT", "SMB2_OP_SESSSETUP", "SMB2_OP_LOGOFF",
	"SMB2_OP_TCON", "SMB2_OP_TDIS", "SMB2_OP_CREATE", "SMB2_OP_CLOSE",
	"SMB2_OP_FLUSH", "SMB2_OP_READ", "SMB2_OP_WRITE", "SMB2_OP_LOCK",
	"SMB2_OP_IOCTL", "SMB2_OP_CANCEL", "SMB2_OP_KEEPALIVE",
	"SMB2_OP_QUERY_DIRECTORY", "SMB2_OP_NOTIFY", "SMB2_OP_GETINFO",
	"SMB2_OP_SETINFO", "SMB2_OP_BREAK", "SMB2_OP_UNKNOWN",
};

/* Commands whose name in the specification differs. */
static const char *const long_names[TSMBD_OPS] = {
	[0] = "negotiate", [TSMBD_SESSION_SETUP] = "session_setup",
	[TSMBD_TREE_CONNECT] = "tree_connect", [4] = "tree_disconnect",
	[13] = "echo", [TSMBD_NOTIFY] = "change_notify",
	[16] = "query_info", [17] = "set_info", [18] = "oplock_break",
};

/* What a command waits for while it neither runs nor waits for a client. */
static const char *const waited_for[TSMBD_OPS] = {
	[TSMBD_READ] = "threads", [TSMBD_WRITE] = "threads",
	[TSMBD_FLUSH] = "threads", [TSMBD_LOCK] = "locks",
	[TSMBD_NOTIFY] = "changes",
};

static const struct {
	unsigned int value;
	const char *name;
} statuses[] = {
#define SDTKIT_NTSTATUS(value, name) { value, "STATUS_" #name },
#include <sdtkit/arg-ntstatus.h>
#undef SDTKIT_NTSTATUS
};

static const char *const calls[TSMBD_SYSCALLS] = {
#define CALL(number, name) [number] = #name,
#include "syscalls.h"
#undef CALL
};

const char *name_of_op(unsigned int opcode)
{
	return ops[opcode < TSMBD_OPS ? opcode : TSMBD_UNKNOWN];
}

const char *name_of_wait(unsigned int opcode)
{
	if (opcode >= TSMBD_OPS || waited_for[opcode] == NULL)
		return "other";
	return waited_for[opcode];
}

const char *name_of_status(unsigned int status, char buffer[NAME_SIZE])
{
	size_t i;

	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		if (statuses[i].value == status)
			return statuses[i].name;
	}
	snprintf(buffer, NAME_SIZE, "0x%08x", status);
	return buffer;
}

/* "create", "SMB2_OP_CREATE"; or one of [MS-SMB2]: "query_info". */
int op_by_name(const char *name)
{
	int i;

	for (i = 0; i < TSMBD_OPS; i++) {
		if (strcasecmp(name, ops[i]) == 0 ||
		    strcasecmp(name, ops[i] + strlen("SMB2_OP_")) == 0 ||
		    (long_names[i] != NULL &&
		     strcasecmp(name, long_names[i]) == 0))
			return i;
	}
	return -1;
}

const char *name_of_call(unsigned int number, char buffer[NAME_SIZE])
{
	if (number < TSMBD_SYSCALLS && calls[number] != NULL)
		return calls[number];
	snprintf(buffer, NAME_SIZE, "call %u", number);
	return buffer;
}

int call_by_name(const char *name)
{
	int i;

	for (i = 0; i < TSMBD_SYSCALLS; i++) {
		if (calls[i] != NULL && strcmp(calls[i], name) == 0)
			return i;
	}
	return -1;
}
