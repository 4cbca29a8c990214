/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timer.c - timers of CPUs. They count time and not cycles, as not every
 * virtual machine can count cycles.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "timer.h"

/* Those of timer_prepare(). */
static int *prepared;
static int num_prepared;

static int open_timer(int cpu, unsigned int hertz, bool stands)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = hertz,
		.disabled = stands,
	};

	return (int)syscall(__NR_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/* Attaching a program starts the timer, so that it has to be stopped again. */
static int prepare(int fd)
{
	int *fds = reallocarray(prepared, (size_t)num_prepared + 1,
				sizeof(*prepared));

	if (fds == NULL)
		return -ENOMEM;
	prepared = fds;
	prepared[num_prepared++] = fd;
	return ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) == 0 ? 0 : -errno;
}

static int attach(struct bpf_program *program, unsigned int hertz, bool stands)
{
	int num_cpus = libbpf_num_possible_cpus();
	int ret = 0;
	int cpu;
	int fd;

	for (cpu = 0; cpu < num_cpus && ret == 0; cpu++) {
		fd = open_timer(cpu, hertz, stands);
		if (fd < 0 && errno == ENODEV)	/* it is switched off */
			continue;
		if (fd < 0)
			return -errno;
		if (bpf_program__attach_perf_event(program, fd) == NULL) {
			ret = -errno;
			close(fd);
			return ret;
		}
		if (stands)
			ret = prepare(fd);
	}
	return ret;
}

int timer_attach(struct bpf_program *program, unsigned int hertz)
{
	return attach(program, hertz, false);
}

int timer_prepare(struct bpf_program *program, unsigned int hertz)
{
	return attach(program, hertz, true);
}

void timer_run(bool run)
{
	int i;

	for (i = 0; i < num_prepared; i++)
		ioctl(prepared[i], run ? PERF_EVENT_IOC_ENABLE :
		      PERF_EVENT_IOC_DISABLE, 0);
}
