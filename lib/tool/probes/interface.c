/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What scripts can rely on, see interface.h.
 *
 *	smb2.d -> probegen -> manifest \
 *	                 manifest.json  > struct interface	read.c
 *	          binary -> struct sites /
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "probes/declare.h"
#include "probes/interface.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

unsigned int wire_size(const struct sdtkit_wire *wire, unsigned int bits)
{
	return wire->is_word ? bits / 8 : wire->size;
}

const char *wire_text(const char *text, char *buffer)
{
	struct sdtkit_wire wire = sdtkit_wire_parse(text);
	/* size 0: a machine word, or an address. */
	static const struct {
		char letter;
		unsigned char size;
		const char *type;
	} types[] = {
		{ 'u', 0, "unsigned long" }, { 's', 0, "long" },
		{ 'u', 1, "uint8_t" }, { 's', 1, "int8_t" },
		{ 'u', 2, "uint16_t" }, { 's', 2, "int16_t" },
		{ 'u', 4, "uint32_t" }, { 's', 4, "int32_t" },
		{ 'u', 8, "uint64_t" }, { 's', 8, "int64_t" },
		{ 'f', 4, "float" }, { 'f', 8, "double" },
		{ 'p', 0, "void *" }, { 'z', 0, "char *" },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (types[i].letter == wire.letter &&
		    types[i].size == wire.size) {
			strcpy(buffer, types[i].type);
			return buffer;
		}
	}
	if (wire.size > 0)
		snprintf(buffer, WIRE_TEXT, "a %s of %u byte%s",
			 wire.letter == 'f' ? "floating-point number" :
			 "number", wire.size, tool_plural(wire.size));
	else
		strcpy(buffer, "a number of unknown size");
	return buffer;
}

enum operand_fault interface_compare(const char *wire,
				     const struct sdtkit_operand *operand,
				     unsigned int bits)
{
	struct sdtkit_wire type = sdtkit_wire_parse(wire);
	unsigned int size = wire_size(&type, bits);

	/* The operand has no type, or the type is not known. */
	if (operand->size == 0 || (type.letter == '?' && size == 0))
		return OPERAND_FITS;
	if (operand->size < size)
		return OPERAND_SIZE;
	if (type.letter != 'f' && type.letter != '?' && operand->is_float)
		return OPERAND_KIND;
	if (type.letter == 's' && !operand->is_signed)
		return OPERAND_SIGN;
	if (type.letter == 'u' && operand->is_signed &&
	    operand->size == size)
		return OPERAND_SIGN;
	return OPERAND_FITS;
}

const char *interface_keep(struct interface *interface, const char *text)
{
	return obstack_copy0(&interface->arena, text, strlen(text));
}

struct interface_probe *interface_add(struct interface *interface)
{
	struct interface_probe *probe;

	TOOL_GROW(interface->probe, interface->count, interface->capacity);
	probe = &interface->probe[interface->count++];
	*probe = (struct interface_probe) { .described = false };
	return probe;
}

static int compare_probes(const void *first, const void *second)
{
	const struct interface_probe *a = first, *b = second;
	int ret = strcmp(a->provider, b->provider);

	return ret != 0 ? ret : strcmp(a->probe, b->probe);
}

const struct interface_probe *
interface_find(const struct interface *interface, const char *provider,
	       const char *probe)
{
	struct interface_probe key = { .provider = provider, .probe = probe };

	if (interface->count == 0)
		return NULL;
	return bsearch(&key, interface->probe, interface->count,
		       sizeof(key), compare_probes);
}

const struct interface_probe *
interface_find_any(const struct interface *interfaces, size_t count,
		   const char *provider, const char *probe)
{
	const struct interface_probe *found = NULL;
	size_t i;

	for (i = 0; i < count && found == NULL; i++)
		found = interface_find(&interfaces[i], provider, probe);
	return found;
}

void interface_begin(struct interface *interface, const char *path)
{
	*interface = (struct interface) { .path = path };
	obstack_alloc_failed_handler = tool_no_memory;
	obstack_init(&interface->arena);
}

void interface_sort(struct interface *interface)
{
	if (interface->count > 0)
		qsort(interface->probe, interface->count,
		      sizeof(interface->probe[0]), compare_probes);
}

void interface_close(struct interface *interface)
{
	obstack_free(&interface->arena, NULL);
	kept_spans_free(&interface->spans);
	free(interface->probe);
	sdtkit_notes_close(interface->notes);
	json_decref(interface->manifest);
}

static void print_argument(FILE *file, const struct sdtkit_argument *argument)
{
	struct sdtkit_wire wire = sdtkit_wire_parse(argument->wire);
	char size[16], *text;

	if (wire.size == 0)
		snprintf(size, sizeof(size), "?");
	else
		snprintf(size, sizeof(size), "%c%u", wire.letter,
			 wire.size * 8U);
	text = declare(argument->type != NULL ? argument->type : size,
		       argument->name);
	fputs(text, file);
	free(text);
}

char *interface_argument_text(const struct sdtkit_argument *argument)
{
	char *text;
	FILE *file = tool_open_text(&text);

	print_argument(file, argument);
	tool_close_text(file);
	return text;
}

char *interface_prototype(const struct interface_probe *probe)
{
	char *text;
	size_t i;
	FILE *file = tool_open_text(&text);

	fprintf(file, "%s:%s(", probe->provider, probe->probe);
	for (i = 0; i < probe->count; i++) {
		fputs(i > 0 ? ", " : "", file);
		print_argument(file, &probe->arguments[i]);
	}
	fputc(')', file);
	tool_close_text(file);
	return text;
}
