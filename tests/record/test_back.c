/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels that lack something. Before Linux 5.14 they cannot be asked to back
 * memory with pages, and some sandboxes have no process_vm_readv(2): this
 * program has the library's memory.c, whose system call says the former.
 */
#define _GNU_SOURCE
#include "../forbid.h"
#include "made.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catalogue.h"
#include "record_value.h"
#include "state.h"
#include "system.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

static unsigned int refused;

static long old_kernel(long number, long a, long b, long c, long d, long e,
		       long f)
{
	if (number == SYS_madvise && c == MADV_POPULATE_WRITE) {
		refused++;
		return -EINVAL;
	}
	return sdtkit_record_system(number, a, b, c, d, e, f);
}

#define sdtkit_record_system	old_kernel
#include "../../lib/record/memory.c"
#undef sdtkit_record_system

enum {
	RING = 4096,
	FILE_SIZE = 1 << 18,
	PROBES = 60,
	SUMMARY = 1000,
};

/* Texts that begin and end anywhere in pages. */
MADE(test_texts)
{
	static char summary[SUMMARY + 1];
	int i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	made.output.file->texts_used = SDTKIT_RECORD_PAGE / 2;
	memset(summary, 's', SUMMARY);
	for (i = 0; i < PROBES; i++) {
		struct sdtkit_tap_probe_entry entry = {
			.shown = {
				.provider = "rec", .probe = "none",
				.summary = summary + i * 10,
				.object = "/bin/x", .site_count = 1,
				.described = true,
			},
		};

		assert_int_equal(sdtkit_record_describe(&made.output,
							&entry), 1 + i);
		made.site.id = (uint16_t)(1 + i);
		made.site.op_count = 0;
		hit(0, NULL);
	}
	assert_true(refused > 0);
	open_reader(0);
	for (i = 0; i < PROBES; i++) {
		next_event();
		assert_string_equal(item.event->probe->provider, "rec");
		assert_string_equal(item.event->probe->probe, "none");
		assert_string_equal(item.event->probe->summary,
				    summary + i * 10);
		assert_int_equal(item.event->probe->site_count, 1);
	}
}

/*
 * A process of lower rights has overwritten the header: a probe is described in
 * the texts all the same, or not at all, and nothing is written elsewhere.
 */
MADE(test_texts_of_a_changed_header)
{
	static const uint64_t used[] = {
		1ull << 40, UINT64_MAX, UINT64_MAX - 63, SDTKIT_RECORD_TEXTS,
	};
	struct sdtkit_tap_probe_entry entry = {
		.shown = {
			.provider = "rec", .probe = "none", .summary = "",
			.object = "/bin/x", .site_count = 1,
		},
	};
	struct sdtkit_record_file *file;
	size_t i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	file = made.output.file;
	file->texts_at = file->slots_at = 1ull << 40;
	file->texts_size = UINT64_MAX;
	file->slot_count = UINT32_MAX;
	assert_int_equal(sdtkit_record_describe(&made.output, &entry), 1);
	assert_memory_equal(made.output.texts +
			    sizeof(struct sdtkit_record_probe), "rec", 4);
	entry.shown.summary = "another text";
	for (i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
		atomic_store(&file->texts_used, used[i]);
		assert_int_equal(sdtkit_record_describe(&made.output, &entry),
				 -ENOSPC);
	}
	atomic_store(&file->texts_used, 0);
	atomic_store(&file->slots_used, UINT32_MAX);
	made.output.slots[2].at = 1ull << 40;
	made.output.slots[2].size = made.output.slots[1].size;
	made.output.slots[2].ready = 1;
	assert_int_equal(sdtkit_record_describe(&made.output, &entry),
			 -ENOSPC);
}

/* With the signal blocked, so that a hit may not simply load. */
static int hit_without_copies(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (forbid(SYS_process_vm_readv, SECCOMP_RET_ERRNO | EPERM) < 0)
		return 77;
	hit(1, "good");
	hit(2, (char *)16);
	return 0;
}

MADE(test_no_copies)
{
	int status = -1;
	pid_t child;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	child = fork();
	if (child == 0)
		_exit(hit_without_copies());
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		unavailable("no seccomp");
	assert_int_equal(status, 0);
	open_reader(0);
	next_event();
	assert_string_equal(item.event->values[1].text, "good");
	next_event();
	assert_null(item.event->values[1].text);
}
