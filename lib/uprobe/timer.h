/* SPDX-License-Identifier: BSD-2-Clause */
/* A program in the kernel that a timer of each CPU runs. */
#ifndef UPROBE_TIMER_H
#define UPROBE_TIMER_H

#include <stdbool.h>

struct bpf_program;

/*
 * Runs a program for perf events many times a second on each CPU, until the
 * command ends. Returns 0, or -errno: -EINVAL if the kernel's limit is lower,
 * which is in /proc/sys/kernel/perf_event_max_sample_rate.
 */
int timer_attach(struct bpf_program *program, unsigned int hertz);

/* The same, but the timers stand still until timer_run(). */
int timer_prepare(struct bpf_program *program, unsigned int hertz);

/* Starts the timers of timer_prepare(), or stops them. */
void timer_run(bool run);

#endif /* UPROBE_TIMER_H */
