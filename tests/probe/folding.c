/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that are equal but for their probe, which linkers with --icf fold.
 * own_first() and own_second() have the same probe, and may be folded. NATIVE:
 * probes of the native header; otherwise those of the drop-in header, probes by
 * hand, and, in the linked program, those of assembly.
 */
#ifdef NATIVE
#include "native.h"
#define SYMBOL(name)	native_##name
#else
#include "dropin.h"
#define SYMBOL(name)	dropin_##name
#endif

#define FUNCTION(name, probe)						\
	void SYMBOL(name)(long x);					\
	__attribute__((__noinline__)) void SYMBOL(name)(long x)		\
	{								\
		probe(x);						\
	}

FUNCTION(own_first, T_OWN)
FUNCTION(own_second, T_OWN)
FUNCTION(other, T_OTHER)
FUNCTION(in_group, T_IN_GROUP)
FUNCTION(in_group_too, T_IN_GROUP_TOO)
FUNCTION(single, T_SINGLE)
FUNCTION(single_too, T_SINGLE_TOO)

static void call(long x)
{
	SYMBOL(own_first)(x);
	SYMBOL(own_second)(x);
	SYMBOL(other)(x);
	SYMBOL(in_group)(x);
	SYMBOL(in_group_too)(x);
	SYMBOL(single)(x);
	SYMBOL(single_too)(x);
}

#ifdef NATIVE

void others(int x);

int main(int argc, char **argv)
{
	(void)argv;
	call(argc);
	others(argc);
	return 0;
}

#else

#define BY_HAND(x)	DTRACE_PROBE1(hand, probe, x)
#define BY_HAND_TOO(x)	DTRACE_PROBE1(hand, probe_too, x)
#define IN_ASM(x)	__asm__ __volatile__(				\
	STAP_PROBE_ASM(in_asm, probe, STAP_PROBE_ASM_TEMPLATE(1))	\
	: : STAP_PROBE_ASM_OPERANDS(1, x))
#define IN_ASM_TOO(x)	__asm__ __volatile__(				\
	STAP_PROBE_ASM(in_asm, probe_too, STAP_PROBE_ASM_TEMPLATE(1))	\
	: : STAP_PROBE_ASM_OPERANDS(1, x))

#define SEMAPHORE	__attribute__((__used__, __section__(".probes")))
unsigned short hand_probe_semaphore SEMAPHORE;
unsigned short hand_probe_too_semaphore SEMAPHORE;
unsigned short in_asm_probe_semaphore SEMAPHORE;
unsigned short in_asm_probe_too_semaphore SEMAPHORE;

FUNCTION(by_hand, BY_HAND)
FUNCTION(by_hand_too, BY_HAND_TOO)
FUNCTION(in_asm, IN_ASM)
FUNCTION(in_asm_too, IN_ASM_TOO)

void others(int x);
void assembly(void);
void assembly_too(void);

void others(int x)
{
	call(x);
	SYMBOL(by_hand)(x);
	SYMBOL(by_hand_too)(x);
	SYMBOL(in_asm)(x);
	SYMBOL(in_asm_too)(x);
	assembly();
	assembly_too();
}

#endif
