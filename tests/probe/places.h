/* SPDX-License-Identifier: BSD-2-Clause */
/* What places.c and places.cc have in common. */
extern int calls;

int called(int value);		/* counts calls */
int check_cc(int traced);	/* the places of C++: 0 if all is well */
