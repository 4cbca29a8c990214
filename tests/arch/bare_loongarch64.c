/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A probe, its guard and a trap at its site, in a program without a C library:
 *
 *	bare ADDRESS FIRST SECOND
 *
 * ADDRESS is where the site is, FIRST and SECOND are the numbers of the
 * registers that its note names. The exit status is 0 if no argument was
 * evaluated while the semaphore was 0, the trap of
 * lib/attach/machine_loongarch64.h raised SIGTRAP at the site, the registers had
 * the arguments, and the program went on after the site.
 *
 * Sources: the kernel's uapi/asm/sigcontext.h and ucontext.h.
 */
#include <stdint.h>

#include "bare.h"

enum {
	CALL_EXIT = 93,
	CALL_SIGACTION = 134,
	CALL_MPROTECT = 226,
	TRAP_SIGNAL = 5,
	WITH_INFO = 4,
	NOP = 0x03400000,
	TRAP = 0x002a05d7,
};

struct context {
	uint64_t flags_link_stack_mask[22];
	uint64_t pc;
	uint64_t registers[32];
};

static volatile uint32_t *site;
static uint64_t first, second;
static int evaluated, hits;

static long call(long number, long a, long b, long c, long d)
{
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("syscall 0" : "+r" (a0)
			 : "r" (a1), "r" (a2), "r" (a3), "r" (a7) : "memory",
			   "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8");
	return a0;
}

static void on_trap(int number, void *info, struct context *context)
{
	(void)number;
	(void)info;
	if (context->pc == (uint64_t)site &&
	    context->registers[first] == 0xfedcba98 &&
	    context->registers[second] == 0x7654)
		hits++;
	context->pc += 4;
}

static uint32_t any(uint32_t value)
{
	evaluated++;
	return value;
}

__attribute__((noinline)) static void fire(void)
{
	BARE_PAIR(any(0xfedcba98), (uint16_t)any(0x7654));
}

static uint64_t number(const char *text)
{
	uint64_t value = 0;

	while (*text != '\0')
		value = value * 10 + (uint64_t)(*text++ - '0');
	return value;
}

static int try_trap(void)
{
	struct { void *handler; uint64_t flags, mask; } action = {
		(void *)on_trap, WITH_INFO, 0,
	};
	long page = (long)site & ~65535L;

	if (*site != NOP)
		return 3;
	if (call(CALL_SIGACTION, TRAP_SIGNAL, (long)&action, 0, 8) != 0)
		return 4;
	if (call(CALL_MPROTECT, page, 65536, 7, 0) != 0)
		return 5;
	*site = TRAP;
	__asm__ volatile("ibar 0" : : : "memory");
	bare_pair_semaphore = 1;
	fire();
	bare_pair_semaphore = 0;
	return evaluated == 2 && hits == 1 ? 0 : 6;
}

/*
 * stack has the number of arguments of the command line, and their addresses.
 */
__attribute__((used)) static void begin(long *stack)
{
	const char **arguments = (const char **)(stack + 1);
	int status = 1;

	fire();
	if (stack[0] == 4) {
		site = (uint32_t *)number(arguments[1]);
		first = number(arguments[2]);
		second = number(arguments[3]);
		status = evaluated == 0 ? try_trap() : 2;
	}
	call(CALL_EXIT, status, 0, 0, 0);
}

__asm__(".globl _start\n_start:\n	move $a0, $sp\n	bl begin\n");
