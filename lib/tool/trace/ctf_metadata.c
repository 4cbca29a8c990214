/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The metadata of a trace, in TSDL:
 *
 *	trace { ... }; env { ... }; clock { ... }; stream { ... };
 *	event { ... }; event { ... };
 *
 * Classes of events are added while the trace is written, each before the first
 * packet that has an event of it: ctf_fields.c has what they look like.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "trace/ctf_directory.h"
#include "trace/ctf_fields.h"
#include "trace/ctf_metadata.h"
#include "trace/ctf_names.h"
#include "trace/ctf_stream.h"
#include "trace/tracing.h"

enum {
	SECOND = 1000000000,
};

/*
 * Numbers of all sizes are called as in wire types: "u4" has four bytes. "x" is
 * an address.
 */
static const char types[] =
	"typealias integer { size = 8; align = 8; signed = false; } := u1;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := u2;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u4;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 8; align = 8; signed = true; } := s1;\n"
	"typealias integer { size = 16; align = 8; signed = true; } := s2;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := s4;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := s8;\n"
	"typealias integer { size = 8; align = 8; signed = false; base = x; } := x1;\n"
	"typealias integer { size = 16; align = 8; signed = false; base = x; } := x2;\n"
	"typealias integer { size = 32; align = 8; signed = false; base = x; } := x4;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = x; } := x8;\n"
	"typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := f4;\n"
	"typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := f8;\n"
	"typealias enum : u1 { \"false\" = 0, \"true\" = 1 } := bool1;\n"
	"typealias enum : u2 { \"false\" = 0, \"true\" = 1 } := bool2;\n"
	"typealias enum : u4 { \"false\" = 0, \"true\" = 1 } := bool4;\n"
	"typealias enum : u8 { \"false\" = 0, \"true\" = 1 } := bool8;\n"
	"\n";

static const char stream[] =
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct {\n"
	"		clocked timestamp_begin;\n"
	"		clocked timestamp_end;\n"
	"		u8 content_size;\n"
	"		u8 packet_size;\n"
	"		u8 events_discarded;\n"
	"		s4 pid;\n"
	"		s4 tid;\n"
	"	};\n"
	"	event.header := struct {\n"
	"		u4 id;\n"
	"		clocked timestamp;\n"
	"	};\n"
	"};\n"
	"\n";

static int file_of_metadata = -1;

static FILE *open_text(char **text, size_t *size)
{
	FILE *file = open_memstream(text, size);

	if (file == NULL)
		tool_no_memory();
	return file;
}

static int write_text(FILE *file, char **text, const size_t *size)
{
	int ret;

	if (fclose(file) != 0)
		tool_no_memory();
	if (file_of_metadata < 0)
		file_of_metadata = ctf_directory_file(CTF_METADATA);
	ret = file_of_metadata;
	if (ret >= 0)
		ret = ctf_directory_append(file_of_metadata, *text, *size);
	free(*text);
	return ret;
}

/* Prints "01234567-89ab-cdef-0123-456789abcdef". */
static void print_uuid(FILE *file, const unsigned char *uuid)
{
	size_t i;

	fputc('"', file);
	for (i = 0; i < CTF_UUID_SIZE; i++)
		fprintf(file, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ?
			"-" : "", uuid[i]);
	fputc('"', file);
}

static void print_trace(FILE *file)
{
	const uint16_t one = 1;
	bool is_little = *(const unsigned char *)&one == 1;

	fprintf(file, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = ");
	print_uuid(file, ctf_uuid);
	fprintf(file, ";\n\tbyte_order = %s;\n"
		"\tpacket.header := struct {\n"
		"\t\tu4 magic;\n\t\tu1 uuid[%d];\n\t\tu4 stream_id;\n\t};\n"
		"};\n\n", is_little ? "le" : "be", CTF_UUID_SIZE);
}

static void print_variable(FILE *file, const char *name, const char *value)
{
	fprintf(file, "\t%s = ", name);
	ctf_print_string(file, value);
	fprintf(file, ";\n");
}

/* The program and its arguments, as the shell shows them: "a b" is two. */
static void print_command(FILE *file, char **words)
{
	char *text;
	size_t size;
	FILE *line = open_text(&text, &size);
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		fprintf(line, "%s%s", i > 0 ? " " : "", words[i]);
	if (fclose(line) != 0)
		tool_no_memory();
	print_variable(file, "command", text);
	free(text);
}

static void print_environment(FILE *file, const struct tracing *tracing)
{
	char host[256] = "";
	const char *name = tracing->command[0], *slash = strrchr(name, '/');

	gethostname(host, sizeof(host) - 1);
	fprintf(file, "env {\n");
	print_variable(file, "tracer_name", "sdtkit");
	print_variable(file, "tracer_version", TOOL_VERSION);
	print_variable(file, "hostname", host);
	print_variable(file, "procname", slash != NULL ? slash + 1 : name);
	print_command(file, tracing->command);
	fprintf(file, "};\n\n");
}

/*
 * The clock of the kernel, whose uuid is that of this boot: so other tracers
 * call it too, and viewers know that times of their traces and of this one can
 * be compared.
 */
static void print_clock(FILE *file, const struct tracing *tracing)
{
	uint64_t offset = tracing->start_epoch - tracing->start;
	FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "re");
	char id[37] = "";

	if (boot != NULL && (fgets(id, sizeof(id), boot) == NULL ||
			     strspn(id, "0123456789abcdef-") != 36))
		id[0] = '\0';
	if (boot != NULL)
		fclose(boot);
	fprintf(file, "clock {\n\tname = \"monotonic\";\n");
	if (id[0] != '\0')
		fprintf(file, "\tuuid = \"%s\";\n", id);
	fprintf(file, "\tdescription = \"CLOCK_MONOTONIC\";\n"
		"\tfreq = %d;\n\toffset_s = %" PRIu64 ";\n"
		"\toffset = %" PRIu64 ";\n};\n\n"
		"typealias integer { size = 64; align = 8; signed = false; "
		"map = clock.monotonic.value; } := clocked;\n\n",
		SECOND, offset / SECOND, offset % SECOND);
}

int ctf_metadata_begin(const struct tracing *tracing)
{
	char *text;
	size_t size;
	FILE *file = open_text(&text, &size);

	fprintf(file, CTF_SIGNATURE " */\n\n%s", types);
	print_trace(file);
	print_environment(file, tracing);
	print_clock(file, tracing);
	fputs(stream, file);
	return write_text(file, &text, &size);
}

int ctf_metadata_add(const struct sdtkit_tap_event *event,
		     const struct ctf_form *forms, uint32_t class_id)
{
	char *text;
	size_t size;
	FILE *file = open_text(&text, &size);

	ctf_print_event(file, event, forms, class_id);
	return write_text(file, &text, &size);
}
