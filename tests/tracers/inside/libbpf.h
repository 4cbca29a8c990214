/* SPDX-License-Identifier: BSD-2-Clause */
/* What libbpf.bpf.c, in the kernel, and libbpf.c have in common. */
#ifndef LIBBPF_H
#define LIBBPF_H

enum {
	MAX_PROBES = 64,
	MAX_EXPRESSIONS = 12,
	MAX_TEXT = 64,
};

/* An expression: arg0, str(arg0), arg0->member, str(arg0->member). */
struct expression {
	unsigned int index;
	unsigned int offset;	/* of the member */
	int size;		/* of the member, less than 0 if it has a
				 * sign; 0 for the argument itself */
	unsigned int string;
};

struct plan {
	unsigned int count;
	struct expression expressions[MAX_EXPRESSIONS];
};

struct value {
	long long number;
	int error;		/* of reading it */
	char text[MAX_TEXT];
};

struct hit {
	unsigned int probe;
	unsigned int count;
	struct value values[MAX_EXPRESSIONS];
};

#endif /* LIBBPF_H */
