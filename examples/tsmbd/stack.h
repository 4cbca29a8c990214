/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses in a process as text. */
#ifndef TSMBD_STACK_H
#define TSMBD_STACK_H

/*
 * A line for each: "    libsmbd-base-samba4.so.0+0x1c2d3". If the process is
 * gone already, its parent is asked: smbd forks and has the same mappings.
 */
void stack_print(unsigned int pid, unsigned int parent,
		 const unsigned long long *addresses, int count);

#endif /* TSMBD_STACK_H */
