/* SPDX-License-Identifier: BSD-2-Clause */
/* What functions.c and functions.cc have in common. */
extern int calls;

int called(int value);		/* counts calls */
int check_cc(int traced);	/* those of C++; returns 0 if all is right */
