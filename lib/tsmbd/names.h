/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the protocol and of the kernel as text. */
#ifndef TSMBD_NAMES_H
#define TSMBD_NAMES_H

#include <stddef.h>

enum { NAME_SIZE = 64 };

/* "SMB2_OP_CREATE"; opcode 19 stands for all unknown ones. */
const char *name_of_op(unsigned int opcode);

/* "STATUS_ACCESS_DENIED", or "0xc0000022" made in buffer. */
const char *name_of_status(unsigned int status, char buffer[NAME_SIZE]);

/* The opcode of a command, or -1; the case of letters does not matter. */
int op_by_name(const char *name);

/*
 * What requests of this command wait for while they neither run nor wait for
 * ctdb or an oplock: "threads", "locks", "changes" or "other".
 */
const char *name_of_wait(unsigned int opcode);

/* "openat", or "call 451" made in buffer. */
const char *name_of_call(unsigned int number, char buffer[NAME_SIZE]);

/* The number of a system call here, or -1. */
int call_by_name(const char *name);

#endif /* TSMBD_NAMES_H */
