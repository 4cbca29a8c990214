/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of "sdtkit check", see rules.h. */
#include <string.h>

#include "check/rules.h"

#define ERROR(rule, meaning, hint) \
	[RULE_ ## rule] = { #rule, SEVERITY_ERROR, meaning, hint }
#define WARNING(rule, meaning, hint) \
	[RULE_ ## rule] = { #rule, SEVERITY_WARNING, meaning, hint }

const struct rule_info rules[RULE_COUNT] = {
	ERROR(DAMAGED, "a note cannot be read",
	      "a tool has written a note wrongly: link the file again"),
	ERROR(NO_PROBES, "the file has no probes",
	      "is this the right file? 'sdtkit list DIRECTORY' lists files "
	      "that have probes"),
	ERROR(BASE_MISSING, "without .stapsdt.base, gdb finds no probe",
	      "--gc-sections removes it if the assembler does not know "
	      "SHF_GNU_RETAIN: use binutils 2.36 or later"),
	ERROR(SHORT_BUILD_ID, "the build ID is too short for perf",
	      "link with -Wl,--build-id=sha1"),
	WARNING(NO_BUILD_ID, "perf needs a build ID",
		"link with -Wl,--build-id=sha1"),
	WARNING(UNREAD_MACHINE, "a tracer reads no arguments on this machine",
		"use another tracer: docs/consumers.md says what each reads"),
	ERROR(MISSING_PROBE, "a declared probe has no site",
	      "is the code that fires it compiled, linked and not optimised "
	      "away?"),
	WARNING(UNDECLARED_PROBE, "a probe of a declared provider is not "
		"declared",
		"is the description older than the file?"),
	ERROR(MISSING_ALIAS, "a site has no note under the provider's alias",
	      "generate the header from the description that has the alias"),
	ERROR(ARGUMENT_COUNT, "more or fewer arguments than declared",
	      "was the header generated from this description?"),
	ERROR(ARGUMENT_SIZE, "an argument has fewer bytes than declared",
	      "was the header generated from this description?"),
	ERROR(ARGUMENT_SIGN, "an argument has another sign than declared",
	      "<sys/sdt.h> records the sign of the expression: cast it, or use "
	      "the native header"),
	ERROR(ARGUMENT_KIND, "an argument is wrongly a floating-point number, "
	      "or wrongly not one",
	      "was the header generated from this description?"),
	ERROR(SEMAPHORE_MISSING, "a site does not know the probe's semaphore",
	      "<sys/sdt.h> was included before the generated header, without "
	      "_SDT_HAS_SEMAPHORES"),
	ERROR(SEMAPHORE_SPLIT, "the sites of a probe use different semaphores",
	      "tracers raise only one of them: link one definition"),
	ERROR(SEMAPHORE_PLACE, "the semaphore is not in writable memory that "
	      "comes from the file",
	      "tracers cannot raise it: the section .probes must be writable "
	      "while the program runs, and not a part of .bss"),
	ERROR(SEMAPHORE_SECTION, "the semaphore is not in a section called "
	      ".probes",
	      "bpftrace before 0.24 and bcc find it by that name only: define "
	      "it with __attribute__((section(\".probes\")))"),
	ERROR(SEMAPHORE_PAGE, "the page of the semaphore is mapped twice",
	      "the kernel raises the other copy: align .probes to a page, or "
	      "link with -Wl,-z,separate-loadable-segments"),
	WARNING(SEMAPHORE_SHARED, "probes share a semaphore, but are not "
		"declared as a group",
		"while one is traced, the program prepares all: was the header "
		"generated from this description?"),
	ERROR(SEMAPHORE_APART, "probes of a group have different semaphores",
	      "a tracer of one does not open the guard of the group: was the "
	      "header generated from this description?"),
	ERROR(SITE_PLACE, "the site is not in code",
	      "tracers cannot set a breakpoint there"),
	ERROR(SITE_SHARED, "different probes have one site",
	      "the linker has folded identical code, so each counts the hits "
	      "of the other, or cannot be traced: link with --icf=none, or use "
	      "this release's headers for all of it"),
	ERROR(SITE_OFFSET, "perf would patch another offset of the file",
	      "perf takes the address for an offset: link with "
	      "-Wl,-z,separate-loadable-segments, or with bfd"),
	ERROR(MIXED_SITES, "the sites of a probe differ in types",
	      "perf records none of them: declare the types in a description"),
	WARNING(TOO_MANY_ARGUMENTS, "more arguments than a tracer reads",
		"bpftrace before 0.24 reads 6 on x86-64, DTrace 10: put what "
		"scripts need most first"),
	ERROR(ARGUMENT_LIMIT, "too many arguments for a tracer to attach",
	      "no probe may have more than 12"),
	ERROR(OPERAND_UNREADABLE, "a tracer cannot read an operand",
	      "use the native header: all tracers read its operands"),
	ERROR(OPERAND_MISREAD, "a tracer reads an operand wrongly",
	      "use the native header: all tracers read its operands"),
	WARNING(OPERAND_UNTRIED, "a tracer may not know an operand",
		"use the native header: all tracers read its operands"),
	ERROR(BAD_NAME, "scripts cannot spell the name",
	      "use letters, digits and _, and do not begin with a digit"),
	ERROR(LONG_NAME, "the name is longer than 63 characters",
	      "perf probe fails for it"),
	ERROR(PERF_NAME, "perf takes the name for modifiers of an event",
	      "choose a name with a letter that is not one of ukhGHpPIeDWSb"),
	WARNING(PROVIDER_DIGIT, "DTrace cannot use a provider whose name ends "
		"in a digit",
		"give it an alias: #pragma sdtkit alias"),
	WARNING(DESCRIPTION_MISSING, "the file does not describe a probe",
		"was it, or a part of it, built with --no-describe or with "
		"another header, or was .note.sdtkit removed?"),
	WARNING(DESCRIPTION_ORPHAN, "a described probe has no site",
		"is the code that fires it optimised away?"),
	ERROR(DESCRIPTION_COUNT, "the description has more or fewer arguments",
	      "the notes are of different builds: build and link all of it "
	      "again"),
	ERROR(DESCRIPTION_TYPE, "the description has other types",
	      "the notes are of different builds: build and link all of it "
	      "again"),
	ERROR(DESCRIPTION_DIFFERS, "the file describes it otherwise than "
	      "declared",
	      "was the header generated from this description?"),
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
