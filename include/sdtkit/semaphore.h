/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/semaphore.h - a probe's semaphore, and the guard that tests it.
 *
 * SDTKIT_SEMAPHORE(smb2, request_start) declares the semaphore.
 * SDTKIT_ENABLED(smb2, request_start) is the guard: it is not 0 while somebody
 * traces the probe. While nobody does, the program executes only the guard of
 * the probe. On x86-64 the guard is
 *
 *		cmpw	$0, smb2_request_start_semaphore(%rip)	# 8 bytes
 *		jne	smb2_send.cold				# 6 bytes
 *
 * Invariants
 * 1. One semaphore per probe and linked object: tracers assume it. Several
 *    probes may have the same one (`#pragma sdtkit group`). It is weak and
 *    hidden, in a COMDAT group named after itself, so any number of files may
 *    use the probe and no file has to define it. To the compiler it is a
 *    declaration only, so that LTO cannot rename it; the assembly of the guard
 *    defines it, so that probes which a program does not use have none.
 * 2. The semaphore is read at each call: tracers change it while the program
 *    runs, and a value that is kept in a register would not show that.
 * 3. The code that runs while the probe is on lies outside the hot path,
 *    because the compiler is told that its probability is 0.
 *
 * Included by the backends that can be traced.
 */
#ifndef SDTKIT_SEMAPHORE_H
#define SDTKIT_SEMAPHORE_H

#ifdef __cplusplus
#define SDTKIT_EXTERN	extern "C"
#else
#define SDTKIT_EXTERN	extern
#endif
#define SDTKIT_HIDDEN	__attribute__((__visibility__("hidden")))

/*
 * "inline" keeps the optimiser from taking the size of the text below for the
 * size of the code, which would spoil its decisions about the caller.
 */
#if (defined(__clang__) && __clang_major__ >= 11) || \
    (!defined(__clang__) && __GNUC__ >= 9)
#define SDTKIT_ASM	__asm__ __volatile__ __inline__
#else
#define SDTKIT_ASM	__asm__ __volatile__
#endif

/*
 * Section flags of newer assemblers: R keeps a section through --gc-sections
 * (binutils 2.36, clang 13); o, given the label of the site, removes a note
 * together with its code. Compile with -DSDTKIT_RETAIN='""' if the assembler is
 * older than the compiler.
 *
 * SDTKIT_ASM_OWN() makes a site its probe's own. It adds a relocation without
 * any effect, whose symbol is the probe's. A linker that folds identical code
 * (--icf) compares relocations, so it does not fold sites of different probes.
 * Assemblers know BFD_RELOC_NONE on every machine. Nobody defines the symbol.
 */
#ifndef SDTKIT_RETAIN
#if (defined(__clang__) && __clang_major__ >= 13) || \
    (!defined(__clang__) && __GNUC__ >= 11)
#define SDTKIT_RETAIN	"R"
#define SDTKIT_ASM_OF_SITE	"\"?o\",\"note\",.Lsdtkit_site%="
#define SDTKIT_ASM_OWN(provider, probe)					\
	SDTKIT_ASM_OWN_("\"sdtkit.site." provider "." probe "\"")
#define SDTKIT_ASM_OWN_(symbol)						\
	".weak " symbol "\n"						\
	".hidden " symbol "\n"						\
	".reloc ., BFD_RELOC_NONE, " symbol "\n"
#else
#define SDTKIT_RETAIN	""
#endif
#endif
#ifndef SDTKIT_ASM_OF_SITE
#define SDTKIT_ASM_OF_SITE	"\"?\",\"note\""
#define SDTKIT_ASM_OWN(provider, probe)
#endif

/*
 * The name of a semaphore, as text. In a header with groups of probes, the name
 * that is made of a probe's is a macro, which stands for the group's semaphore.
 */
#define SDTKIT_NAME(semaphore)	SDTKIT_NAME_(semaphore)
#define SDTKIT_NAME_(semaphore)	#semaphore

/* ------------------------------------------------------------ probability */

#if !defined(__clang__) && __GNUC__ >= 9
#define SDTKIT_UNLIKELY(condition) \
	(__builtin_expect_with_probability(!!(condition), 0, 1.0) != 0)
#else
#define SDTKIT_UNLIKELY(condition) \
	(__builtin_expect(!!(condition), 0) != 0)
#endif

/*
 * gcc moves a block to .text.unlikely when it knows, rather than guesses, that
 * it is never executed; and it assumes that of blocks which call a cold
 * function. gcc sees the call of a cold function while it looks for such
 * blocks; it is removed before code is generated, because by then gcc knows the
 * value of __builtin_constant_p(). In a function that is compiled with
 * optimize("O0") the call may stay, so the function has to exist.
 */
#if defined(__x86_64__) && !defined(__clang__) && __GNUC__ >= 9 && \
    defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
SDTKIT_EXTERN SDTKIT_HIDDEN int sdtkit_cold(void)
	__attribute__((__cold__, __const__, __noinline__, __nothrow__));
#define SDTKIT_COLD_IF(on)						\
	do {								\
		if (on)							\
			SDTKIT_ASM(SDTKIT_ASM_COLD : : "rn"		\
				   (__builtin_constant_p(sdtkit_cold()))); \
	} while (0)
#define SDTKIT_ASM_COLD							\
	".ifndef sdtkit_cold\n"						\
	".pushsection .text.unlikely.sdtkit_cold,\"axG\",\"progbits\","	\
		"sdtkit_cold,comdat\n"					\
	".weak sdtkit_cold\n"						\
	".hidden sdtkit_cold\n"						\
	".type sdtkit_cold, STT_FUNC\n"					\
	"sdtkit_cold:\n"						\
	"	ret\n"							\
	".size sdtkit_cold, 1\n"					\
	".popsection\n"							\
	".endif\n"
#else
#define SDTKIT_COLD_IF(on)	((void)0)
#endif

/* -------------------------------------------------------------- semaphore */

/*
 * Before the first semaphore of a linked object, an empty section begins a
 * page. lld and mold put .probes right behind read-only-after-relocation data.
 * If both shared a page of the file, the kernel would increment the copy in the
 * mapping that the program does not read.
 */
#define SDTKIT_ASM_SEMAPHORE(symbol)					\
	".ifndef " symbol "\n"						\
	".ifndef sdtkit.probes\n"					\
	".pushsection .probes,\"awG" SDTKIT_RETAIN			\
		"\",\"progbits\",sdtkit.probes,comdat\n"		\
	".balign 4096\n"						\
	".weak sdtkit.probes\n"						\
	".hidden sdtkit.probes\n"					\
	"sdtkit.probes:\n"						\
	".popsection\n"							\
	".endif\n"							\
	".pushsection .probes,\"awG\",\"progbits\"," symbol ",comdat\n"	\
	".balign 2\n"							\
	".weak " symbol "\n"						\
	".hidden " symbol "\n"						\
	".type " symbol ", STT_OBJECT\n"				\
	".size " symbol ", 2\n"						\
	symbol ":\n"							\
	".2byte 0\n"							\
	".popsection\n"							\
	".endif\n"

/*
 * x86 compares memory in place, which no compiler does with a volatile object;
 * the asm returns the flag as an output. gcc for arm and aarch64 would clear
 * the upper half of the loaded object, although ldrh has cleared it already.
 */
#if defined(SDTKIT_ON_X86) && defined(__GCC_ASM_FLAG_OUTPUTS__)
#define SDTKIT_CHECK(on, semaphore)					\
	SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(#semaphore)			\
		   "{cmpw\t$0, %1|cmp\tword ptr %1, 0}"			\
		   : "=@ccne" (on) : "m" (semaphore))
#elif defined(SDTKIT_LOAD)
#define SDTKIT_CHECK(on, semaphore)					\
	SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(#semaphore)			\
		   SDTKIT_LOAD : "=r" (on) : "m" (semaphore))
#else
#define SDTKIT_CHECK(on, semaphore)					\
	SDTKIT_ASM(SDTKIT_ASM_SEMAPHORE(#semaphore) : :);		\
	on = semaphore != 0
#endif

/*
 * SDTKIT_SEMAPHORE() declares the semaphore of a probe; SDTKIT_ENABLED() is an
 * expression that tests it.
 */
#define SDTKIT_SEMAPHORE(provider, probe)				\
	SDTKIT_EXTERN volatile unsigned short				\
		provider##_##probe##_semaphore SDTKIT_HIDDEN;
#define SDTKIT_ENABLED(provider, probe)					\
	SDTKIT_ENABLED_(provider##_##probe##_semaphore)
#define SDTKIT_ENABLED_(semaphore)					\
	SDTKIT_UNLIKELY(__extension__ ({				\
		int sdtkit_on;						\
									\
		SDTKIT_CHECK(sdtkit_on, semaphore);			\
		SDTKIT_COLD_IF(sdtkit_on);				\
		sdtkit_on;						\
	}))

#endif /* SDTKIT_SEMAPHORE_H */
