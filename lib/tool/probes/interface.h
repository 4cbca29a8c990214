/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What scripts can rely on: the names of probes and their arguments. It comes
 * from a description (smb2.d), a manifest (docs/manifest.md) or a binary, so
 * that any two of these can be compared.
 */
#ifndef SDTKIT_TOOL_INTERFACE_H
#define SDTKIT_TOOL_INTERFACE_H

#include <obstack.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/decode/wire.h"
#include "probes/spans.h"
#include "sdtkit/notes.h"

enum interface_semaphore {
	INTERFACE_SEMAPHORE_UNKNOWN,
	INTERFACE_SEMAPHORE_OWN,
	INTERFACE_SEMAPHORE_SHARED,
};

struct interface_probe {
	const char *provider;
	const char *probe;
	/* The provider that this one is an alias of, or NULL. */
	const char *alias_of;
	/*
	 * For a description: the name of its group, whose probes share a
	 * semaphore, or NULL.
	 */
	const char *group;
	/* Whether other probes have its semaphore too. */
	enum interface_semaphore semaphore;
	/* The types of its arguments are known, since it was declared. */
	bool described;
	/* The sites differ in the types of their arguments. */
	bool mixed;
	/* Its comment in the description; NULL or empty: there is none. */
	const char *doc;
	size_t count;
	/*
	 * The type is NULL if only the operand is known, and the wire type is
	 * empty if the operand has no type.
	 */
	const struct sdtkit_argument *arguments;
};

struct interface {
	const char *path;
	/* Word size of a binary; 0 for a description. */
	unsigned int bits;
	/* Sorted by provider and probe. */
	struct interface_probe *probe;
	size_t count;
	/* False: it may have spans, but does not tell. */
	bool knows_spans;
	struct kept_spans spans;
	/* Used by sdtkit list: a probe of it was listed. */
	bool listed;
	size_t capacity;
	/* The file or the manifest whose strings it has; else NULL. */
	struct sdtkit_notes *notes;
	struct json_t *manifest;
	/* Contains arguments, and what the manifest does not have as it is. */
	struct obstack arena;
};

/* Makes an interface without probes. The path must last as long as it does. */
void interface_begin(struct interface *interface, const char *path);

/* Sorts the probes, after the last was added. */
void interface_sort(struct interface *interface);

void interface_close(struct interface *interface);

/* Finds a probe by its names; NULL if there is none. */
const struct interface_probe *
interface_find(const struct interface *interface, const char *provider,
	       const char *probe);

/* Finds a probe in the first interface that has it; NULL if none has. */
const struct interface_probe *
interface_find_any(const struct interface *interfaces, size_t count,
		   const char *provider, const char *probe);

/* Returns "uint64_t mid" or "u32", to be freed. */
char *interface_argument_text(const struct sdtkit_argument *argument);

/* Returns "smb2:request_end(uint64_t mid, char *user)", to be freed. */
char *interface_prototype(const struct interface_probe *probe);

/* The bytes of a value; 0 if not known.  bits are those of the file, or 0. */
unsigned int wire_size(const struct sdtkit_wire *wire, unsigned int bits);
/* The type in C for a wire type, "uint16_t", "char *"; the buffer holds 64. */
enum { WIRE_TEXT = 64 };
const char *wire_text(const char *wire, char *buffer);

/*
 * Compares a wire type with what the operand records: does a tracer that reads
 * the operand get the value? It may be recorded wider than it is. C promotes a
 * uint16_t to an int: it is read rightly, though its operand is signed.
 */
enum operand_fault { OPERAND_FITS, OPERAND_SIZE, OPERAND_SIGN, OPERAND_KIND };
enum operand_fault interface_compare(const char *wire,
				     const struct sdtkit_operand *operand,
				     unsigned int bits);

/* Adds a probe; its arguments and strings go into the arena. */
struct interface_probe *interface_add(struct interface *interface);
const char *interface_keep(struct interface *interface, const char *text);

#endif /* SDTKIT_TOOL_INTERFACE_H */
