/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timer.c - timers of CPUs. They count time and not cycles, as not every
 * virtual machine can count cycles.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "timer.h"

static int open_timer(int cpu, unsigned int hertz)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = hertz,
	};

	return (int)syscall(__NR_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

int timer_attach(struct bpf_program *program, unsigned int hertz)
{
	int num_cpus = libbpf_num_possible_cpus();
	int cpu;
	int fd;

	for (cpu = 0; cpu < num_cpus; cpu++) {
		fd = open_timer(cpu, hertz);
		if (fd < 0 && errno == ENODEV)	/* it is switched off */
			continue;
		if (fd < 0)
			return -errno;
		if (bpf_program__attach_perf_event(program, fd) == NULL)
			return -errno;
	}
	return 0;
}
