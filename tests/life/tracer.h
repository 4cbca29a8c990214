/* SPDX-License-Identifier: BSD-2-Clause */
/* tracer.h - what tracer.py, tracer.c and tracer.bpf.c exchange. */
#ifndef TRACER_H
#define TRACER_H

#define TRACER_MAX_THREADS	65536

/* The cookie of a site: which probe it is, and where its argument 0 is. */
union tracer_cookie {
	unsigned long long value;
	struct {
		unsigned int target;
		unsigned int reg;	/* offset in struct pt_regs */
	};
};

struct tracer_key {
	unsigned int target;
	unsigned int thread;		/* its id */
};

struct tracer_hits {
	unsigned long long count;
	long long min;			/* of argument 0 */
	long long max;
};

#endif /* TRACER_H */
