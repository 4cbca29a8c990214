/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * functions.c - programs at the kernel's functions for a few system calls.
 *
 * The tracepoints of system calls make each call of each process on the machine
 * longer, by as much as a short call takes. A program at a function costs
 * nothing elsewhere. That needs BTF, and a kernel with ftrace, which those of
 * distributions have.
 */
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/btf.h>

#include "functions.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

enum { MAX_FUNCTIONS = 32 };

/* Without it, the end of a wait would not be known. */
static const char required[] = "exit_epoll_wait";

/* Returns the name of the function, or NULL for another kind of program. */
static const char *function_of(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	if (strncmp(section, "fentry/", 7) == 0)
		return section + 7;
	return strncmp(section, "fexit/", 6) == 0 ? section + 6 : NULL;
}

/* Whether the kernel loads a program that does nothing: r0 = 0; exit. */
static bool may_attach(int function)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	/* LIBBPF_OPTS() is not for clang -Wpedantic */
	struct bpf_prog_load_opts options = {
		.sz = sizeof(options),
		.expected_attach_type = BPF_TRACE_FENTRY,
		.attach_btf_id = (unsigned int)function,
	};
	int fd;

	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "nothing", "GPL", nothing,
			   sizeof(nothing) / sizeof(nothing[0]), &options);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void functions_choose(struct tsmbd *skel, const struct btf *kernel)
{
	struct bpf_program *program;
	const char *name;
	int function;

	bpf_object__for_each_program(program, skel->obj) {
		name = function_of(program);
		if (name == NULL)
			continue;
		function = btf__find_by_name_kind(kernel, name, BTF_KIND_FUNC);
		if (function > 0 && !may_attach(function))
			break;
		bpf_program__set_autoload(program, function > 0);
	}
}

bool functions_attach(struct tsmbd *skel)
{
	struct bpf_link *links[MAX_FUNCTIONS];
	struct bpf_program *program;
	bool complete = false;
	int count = 0;

	bpf_object__for_each_program(program, skel->obj) {
		if (function_of(program) == NULL ||
		    !bpf_program__autoload(program) || count == MAX_FUNCTIONS)
			continue;
		links[count] = bpf_program__attach(program);
		if (links[count] == NULL) {
			complete = false;
			break;
		}
		count++;
		if (strcmp(bpf_program__name(program), required) == 0)
			complete = true;
	}
	while (!complete && --count >= 0)
		bpf_link__destroy(links[count]);
	return complete;
}
