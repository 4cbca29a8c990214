/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptors in a program that may close all of them and use their numbers for
 * others: each is looked at before it is used.
 */
#ifndef SDTKIT_RECORD_DESCRIPTOR_H
#define SDTKIT_RECORD_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A descriptor, and the file that it was when it was ours. That has to be one
 * with an inode of its own: not an eventfd or an epoll, which share one.
 */
struct sdtkit_record_descriptor {
	/* -1: none. */
	int fd;
	dev_t device;
	ino_t inode;
};

void sdtkit_record_note_descriptor(struct sdtkit_record_descriptor *descriptor,
				   int fd);
/*
 * Moves it to a number above those of the standard input and outputs, which a
 * program writes to even if it was started without them. Returns the number, or
 * -1 with errno; fd may be -1.
 */
int sdtkit_record_above_standard(int fd);
/* Whether the number still means that file. */
bool sdtkit_record_is_ours(const struct sdtkit_record_descriptor *descriptor);
/* Whether another descriptor means the file. */
bool sdtkit_record_is_same(const struct sdtkit_record_descriptor *descriptor,
			   int fd);
/* Closes it if it is ours. */
void sdtkit_record_drop(struct sdtkit_record_descriptor *descriptor);

/*
 * Gives the calling thread a table of descriptors of its own, with only these
 * in it: the program neither meets the others that the thread opens, nor
 * closes them. False: the kernel (before Linux 5.9) or a policy does not do
 * that, and the table is that of the program.
 */
bool sdtkit_record_own_descriptors(int one, int other);

#endif /* SDTKIT_RECORD_DESCRIPTOR_H */
