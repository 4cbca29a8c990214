/* SPDX-License-Identifier: BSD-2-Clause */
/* All that "sdtkit check" can find fault with, see rules.h. */
#include <string.h>

#include "check/rules.h"

#define ERROR(rule, meaning, hint) \
	[RULE_ ## rule] = { #rule, SEVERITY_ERROR, meaning, hint }
#define WARNING(rule, meaning, hint) \
	[RULE_ ## rule] = { #rule, SEVERITY_WARNING, meaning, hint }

const struct rule_info rules[RULE_COUNT] = {
	ERROR(DAMAGED, "a note cannot be read",
	      "what has written or rewritten the file? link it again"),
	ERROR(NO_PROBES, "the file has no probes",
	      "is this the right file? 'sdtkit list DIRECTORY' finds those that "
	      "have probes"),
	ERROR(BASE_MISSING, "no .stapsdt.base: gdb finds no probe",
	      "--gc-sections drops it where the assembler does not know "
	      "SHF_GNU_RETAIN: take binutils 2.36 or later"),
	ERROR(SHORT_BUILD_ID, "the build-id is too short for perf",
	      "link with -Wl,--build-id=sha1"),
	WARNING(UNREAD_MACHINE, "a tracer reads no arguments on this machine",
		"other tracers do, see docs/consumers.md"),
	ERROR(MISSING_PROBE, "a declared probe is nowhere",
	      "is the code that fires it compiled, linked and not optimised "
	      "away?"),
	WARNING(UNDECLARED_PROBE, "a probe that its provider does not declare",
		"is the description older than the file?"),
	ERROR(MISSING_ALIAS, "a site has no note under the provider's alias",
	      "generate the header from the description that has the alias"),
	ERROR(ARGUMENT_COUNT, "more or fewer arguments than declared",
	      "was it built with a header of this description?"),
	ERROR(ARGUMENT_SIZE, "fewer bytes than declared",
	      "was it built with a header of this description?"),
	ERROR(ARGUMENT_SIGN, "of another sign than declared",
	      "<sys/sdt.h> records the sign of the expression: cast it, or use "
	      "the native header"),
	ERROR(ARGUMENT_KIND, "a floating point number, or not, as declared",
	      "was it built with a header of this description?"),
	ERROR(SEMAPHORE_MISSING, "a site without the semaphore of its probe",
	      "<sys/sdt.h> was included before the generated header, without "
	      "_SDT_HAS_SEMAPHORES"),
	ERROR(SEMAPHORE_SPLIT, "sites of a probe have several semaphores",
	      "tracers raise only one of them: link one definition"),
	ERROR(SEMAPHORE_PLACE, "the semaphore is not in writable memory that "
	      "comes from the file",
	      "tracers cannot raise it: is .probes writable, and not .bss?"),
	ERROR(SEMAPHORE_PAGE, "the page of the semaphore is mapped twice",
	      "the kernel raises the other copy: align .probes to a page, or "
	      "link with -Wl,-z,separate-loadable-segments"),
	ERROR(SITE_PLACE, "the site is not in code",
	      "tracers cannot set a breakpoint there"),
	ERROR(SITE_OFFSET, "perf takes the address for a place in the file",
	      "it would patch other code: link with "
	      "-Wl,-z,separate-loadable-segments, or with bfd"),
	ERROR(MIXED_SITES, "sites of a probe differ in types",
	      "perf records none of them: declare the types, in a .d"),
	WARNING(TOO_MANY_ARGUMENTS, "more arguments than a tracer reads",
		"bpftrace before 0.24 reads 6 on x86-64, DTrace 10: put what "
		"scripts need most first"),
	ERROR(ARGUMENT_LIMIT, "more arguments than a tracer can stand",
	      "12 is the limit of all"),
	ERROR(OPERAND_UNREADABLE, "an operand that a tracer cannot read",
	      "the native header hands over only what they all read"),
	ERROR(OPERAND_MISREAD, "an operand that a tracer reads wrongly",
	      "the native header hands over only what they all read"),
	WARNING(OPERAND_UNTRIED, "an operand that a tracer may not know",
		"the native header hands over only what they all read"),
	ERROR(BAD_NAME, "a name that scripts cannot spell",
	      "letters, digits and _, not beginning with a digit"),
	ERROR(LONG_NAME, "a name longer than 63 characters",
	      "perf probe fails for it"),
	ERROR(PERF_NAME, "perf takes the name for modifiers of an event",
	      "choose a name with another letter than those of ukhGHpPIeDWSb"),
	WARNING(PROVIDER_DIGIT, "DTrace cannot use a provider whose name ends "
		"in a digit",
		"give it an alias: #pragma sdtkit alias"),
	WARNING(DESCRIPTION_MISSING, "other probes of the file are described",
		"was a part of it built with --no-describe, or another "
		"header?"),
	WARNING(DESCRIPTION_ORPHAN, "a described probe has no site",
		"is the code that fires it optimised away?"),
	ERROR(DESCRIPTION_COUNT, "described with other arguments than it has",
	      "the notes are of different builds: link all of it anew"),
	ERROR(DESCRIPTION_TYPE, "described with other types than it has",
	      "the notes are of different builds: link all of it anew"),
	ERROR(DESCRIPTION_DIFFERS, "described otherwise than declared",
	      "was it built with a header of this description?"),
};

int rule_find(const char *code)
{
	int i;

	for (i = 0; i < RULE_COUNT; i++) {
		if (strcmp(rules[i].code, code) == 0)
			return i;
	}
	return -1;
}
