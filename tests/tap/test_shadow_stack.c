/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processor with a shadow stack ends a program whose return goes elsewhere
 * than behind the call.  Few have one, so this test is it: a process makes hits
 * by jump, and its parent follows them instruction by instruction.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"
#include "raw_hits.h"
#include "tap_all.h"

enum {
	DEPTH = 256,
	STEPS_MAX = 1000000,
	HITS = 3,
};

void sdtkit_tap_jump_entry(void);

/* What the parent has seen. */
struct walk {
	uintptr_t stack[DEPTH];
	size_t depth;
	size_t entries;
	size_t checked;
	size_t wrong;
};

enum instruction {
	OTHER,
	CALL,
	RETURN,
};

static enum instruction read_instruction(const uint8_t *at)
{
	/* Prefixes that a call or a return may have. */
	while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 ||
	       (*at & 0xf0) == 0x40)
		at++;
	if (*at == 0xe8 || (*at == 0xff && (at[1] >> 3 & 7) == 2))
		return CALL;
	return *at == 0xc3 || *at == 0xc2 ? RETURN : OTHER;
}

static void follow(pid_t child, enum instruction instruction,
		   const struct user_regs_struct *after, struct walk *walk)
{
	if (after->rip == (uintptr_t)sdtkit_tap_jump_entry)
		walk->entries++;
	if (instruction == CALL && walk->depth < DEPTH) {
		walk->stack[walk->depth++] = (uintptr_t)ptrace(PTRACE_PEEKDATA,
			child, after->rsp, 0);
	} else if (instruction == RETURN && walk->depth > 0) {
		walk->checked++;
		if (walk->stack[--walk->depth] != after->rip)
			walk->wrong++;
	}
}

static bool step(pid_t child, struct walk *walk)
{
	struct user_regs_struct registers;
	enum instruction instruction;
	uint8_t bytes[sizeof(long)];
	int status = 0;
	long word;

	ptrace(PTRACE_GETREGS, child, 0, &registers);
	word = ptrace(PTRACE_PEEKTEXT, child, registers.rip, 0);
	memcpy(bytes, &word, sizeof(bytes));
	instruction = read_instruction(bytes);
	if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) < 0 ||
	    waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
	    WSTOPSIG(status) != SIGTRAP)
		return false;
	ptrace(PTRACE_GETREGS, child, 0, &registers);
	follow(child, instruction, &registers, walk);
	return true;
}

/*
 * Follows a process from its first stop to its second one.  False: it may not
 * be traced.
 */
static bool watch(void (*run)(void), struct walk *walk)
{
	int status = 0, steps = 0;
	pid_t child = fork();

	memset(walk, 0, sizeof(*walk));
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
			_exit(1);
		raise(SIGSTOP);
		run();
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFSTOPPED(status))
		return false;
	while (step(child, walk))
		assert_true(++steps < STEPS_MAX);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	return true;
}

static __attribute__((noinline)) void fire(void)
{
	TAPS_PAIR(1, "shadow");
}

/* The first one is the longer way. */
static void hit(void)
{
	int i;

	for (i = 0; i < HITS; i++)
		fire();
}

static void check_hits(void)
{
	struct walk walk;

	if (!watch(hit, &walk))
		unavailable("a process may not trace its child");
	assert_int_equal(walk.entries, HITS);
	assert_true(walk.checked > 3 * HITS);
	assert_int_equal(walk.wrong, 0);
}

TEST(test_raw)
{
	struct sdtkit_tap *tap;

	good(sdtkit_tap_open_raw("taps:pair", NULL, &raw_counting, &tap));
	check_hits();
	sdtkit_tap_close(tap);
}

TEST(test_events)
{
	struct sdtkit_tap *tap = open_tap("taps:pair");

	check_hits();
	sdtkit_tap_close(tap);
}

/* What this test is to find. */
static void return_elsewhere(void)
{
	__asm__ __volatile__(
		"	lea	-128(%%rsp), %%rsp\n"
		"	call	1f\n"
		"	ud2\n"
		"1:	lea	2f(%%rip), %%rax\n"
		"	mov	%%rax, (%%rsp)\n"
		"	ret\n"
		"2:	lea	128(%%rsp), %%rsp\n"
		: : : "rax", "memory");
}

TEST(test_wrong_return)
{
	struct walk walk;

	if (!watch(return_elsewhere, &walk))
		unavailable("a process may not trace its child");
	assert_int_equal(walk.wrong, 1);
}

int main(void)
{
	if (!is_by_jump()) {
		printf("1..0 # SKIP there are no jumps\n");
		return 0;
	}
	return tests_run(NULL, NULL, NULL);
}
