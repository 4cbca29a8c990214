/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.c - reads the symbol tables of files and of the kernel.
 *
 *	address -> mapping -> offset in the file -> address there -> symbol
 *
 * A file is read once, when the first address in it is asked for. The names
 * come from .symtab; for a stripped file from its separate debug file, if that
 * is installed, and from .dynsym, which has only the exported functions.
 * The kernel has its own in /proc/kallsyms:
 *
 *	ffffffff81a2b3c0 T tcp_sendmsg
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sdtkit/notes.h>

#include "../base/grow.h"
#include "symbols.h"

/* A kernel has 120,000 of them. */
struct symbol {
	unsigned long long start;
	unsigned int size;
	unsigned int name;		/* where it begins in the names */
};

struct segment {
	unsigned long long offset;
	unsigned long long size;
	unsigned long long address;
};

struct symbols {
	struct symbol *list;		/* sorted, one for each start */
	size_t count;
	size_t capacity;
	char *names;			/* each with its NUL */
	size_t names_size;
	size_t names_capacity;
	struct segment *segments;
	size_t num_segments;
};

/* The process that has mapped a file, and the one that has made it. */
struct origin {
	unsigned int pid;
	unsigned int parent;
};

static struct symbols kernel;

static const char *name_of(const struct symbols *s, const struct symbol *symbol)
{
	return s->names + symbol->name;
}

static unsigned int size_of(unsigned long long size)
{
	return size < UINT_MAX ? (unsigned int)size : UINT_MAX;
}

/* A symbol for which there is no memory is not known. */
static void add(struct symbols *s, unsigned long long start,
		unsigned long long size, const char *name)
{
	size_t length = strlen(name) + 1;

	if (s->names_size > UINT_MAX ||
	    sdtkit_grow(&s->list, s->count, &s->capacity,
			sizeof(*s->list)) < 0)
		return;
	while (s->names_capacity - s->names_size < length) {
		if (sdtkit_grow(&s->names, s->names_capacity,
				&s->names_capacity, 1) < 0)
			return;
	}
	s->list[s->count++] = (struct symbol){ start, size_of(size),
		(unsigned int)s->names_size };
	memcpy(s->names + s->names_size, name, length);
	s->names_size += length;
}

/* Prefers the name with the fewest leading underscores. */
static int by_start(const void *a, const void *b, void *symbols)
{
	const struct symbol *x = a;
	const struct symbol *y = b;
	const char *left = name_of(symbols, x);
	const char *right = name_of(symbols, y);
	size_t left_bars = strspn(left, "_"), right_bars = strspn(right, "_");

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (left_bars != right_bars)
		return left_bars < right_bars ? -1 : 1;
	return strcmp(left, right);
}

/* A symbol without a size, from assembler, reaches up to the next one. */
static void finish(struct symbols *s)
{
	size_t kept = 0;
	size_t i;

	if (s->count == 0)
		return;
	qsort_r(s->list, s->count, sizeof(*s->list), by_start, s);
	for (i = 0; i < s->count; i++) {
		struct symbol *symbol = &s->list[i];
		struct symbol *before = kept > 0 ? &s->list[kept - 1] : NULL;

		if (before != NULL && before->start == symbol->start) {
			if (symbol->size > before->size)
				before->size = symbol->size;
			continue;
		}
		if (before != NULL && before->size == 0)
			before->size = size_of(symbol->start - before->start);
		s->list[kept++] = *symbol;
	}
	s->count = kept;
}

static const struct symbol *lookup(const struct symbols *s,
				   unsigned long long address)
{
	size_t low = 0;
	size_t high = s->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (address < s->list[middle].start)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0 ||
	    address - s->list[low - 1].start >= s->list[low - 1].size)
		return NULL;
	return &s->list[low - 1];
}

static void add_table(struct symbols *s, Elf *elf, Elf_Scn *section,
		      const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const char *name;
	GElf_Sym symbol;
	int i;

	if (data == NULL)
		return;
	for (i = 0; gelf_getsym(data, i, &symbol) != NULL; i++) {
		int type = GELF_ST_TYPE(symbol.st_info);

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
		    symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0)
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name != NULL && name[0] != '\0')
			add(s, symbol.st_value, symbol.st_size, name);
	}
}

/* Returns whether there is a table of that kind. */
static bool read_tables(struct symbols *s, Elf *elf, GElf_Word type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool found = false;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		if (gelf_getshdr(section, &header) == NULL ||
		    header.sh_type != type)
			continue;
		add_table(s, elf, section, &header);
		found = true;
	}
	return found;
}

static void read_segments(struct symbols *s, const struct sdtkit_notes *notes)
{
	const struct sdtkit_segment *segment;
	size_t count = sdtkit_notes_segments(notes, &segment);
	size_t i;

	s->segments = calloc(count + 1, sizeof(*s->segments));
	for (i = 0; s->segments != NULL && i < count; i++, segment++) {
		if (segment->type != PT_LOAD || !(segment->flags & PF_X))
			continue;
		s->segments[s->num_segments++] = (struct segment){
			segment->offset, segment->size, segment->address };
	}
}

/* A build ID. */
struct id {
	const unsigned char *bytes;
	size_t length;
};

static bool has_id(int fd, const struct id *wanted)
{
	struct sdtkit_notes *notes;
	struct id id;
	bool same;

	if (sdtkit_notes_open_fd(fd, &notes) < 0)
		return false;
	id.length = sdtkit_notes_build_id(notes, &id.bytes);
	same = id.length == wanted->length &&
	       memcmp(id.bytes, wanted->bytes, id.length) == 0;
	sdtkit_notes_close(notes);
	return same;
}

/* Opens "/usr/lib/debug/.build-id/12/3456.debug" below a root. */
static int open_debug_file(const char *root, const struct id *id)
{
	char path[256];
	size_t i;
	int at, fd;

	at = snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%02x/",
		      root, id->bytes[0]);
	for (i = 1; i < id->length && at < (int)sizeof(path) - 16; i++)
		at += sprintf(path + at, "%02x", id->bytes[i]);
	strcpy(path + at, ".debug");
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && !has_id(fd, id)) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * A process in a container has its debug files there. If it has ended, those of
 * its parent are tried, and then those of this process.
 */
static int find_debug_file(const struct origin *origin, const struct id *id)
{
	const unsigned int pids[] = { origin->pid, origin->parent };
	char root[64];
	size_t i;
	int fd;

	for (i = 0; i < sizeof(pids) / sizeof(pids[0]); i++) {
		snprintf(root, sizeof(root), "/proc/%u/root", pids[i]);
		fd = open_debug_file(root, id);
		if (fd >= 0)
			return fd;
	}
	return open_debug_file("", id);
}

static void read_debug_file(struct symbols *s, const struct sdtkit_notes *notes,
			    const struct origin *origin)
{
	struct id id;
	Elf *debug;
	int fd;

	id.length = sdtkit_notes_build_id(notes, &id.bytes);
	if (id.length < 2)
		return;
	fd = find_debug_file(origin, &id);
	if (fd < 0)
		return;
	debug = elf_begin(fd, ELF_C_READ, NULL);
	if (debug != NULL)
		read_tables(s, debug, SHT_SYMTAB);
	elf_end(debug);
	close(fd);
}

/* Segments and build ID come from libsdtkit-notes, symbols from libelf. */
static struct symbols *read_file(int fd, const struct origin *origin)
{
	struct sdtkit_notes *notes;
	struct symbols *s = NULL;
	Elf *elf;

	if (sdtkit_notes_open_fd(fd, &notes) < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf == NULL || elf_kind(elf) != ELF_K_ELF)
		goto out;
	s = calloc(1, sizeof(*s));
	if (s == NULL)
		goto out;
	read_segments(s, notes);
	if (!read_tables(s, elf, SHT_SYMTAB)) {
		read_debug_file(s, notes, origin);
		read_tables(s, elf, SHT_DYNSYM);
	}
	finish(s);
out:
	elf_end(elf);
	sdtkit_notes_close(notes);
	return s;
}

static unsigned long long address_in_file(const struct symbols *s,
					  unsigned long long offset)
{
	size_t i;

	for (i = 0; s != NULL && i < s->num_segments; i++) {
		const struct segment *segment = &s->segments[i];

		if (offset - segment->offset < segment->size)
			return offset - segment->offset + segment->address;
	}
	return offset;
}

static void name_frame(const struct symbols *s, struct frame *frame)
{
	const struct symbol *symbol = lookup(s, frame->address);

	if (symbol == NULL)
		return;
	frame->function = name_of(s, symbol);
	frame->into = frame->address - symbol->start;
}

void symbols_find(unsigned int pid, unsigned int parent,
		  unsigned long long address, struct frame *frame)
{
	const struct mapping *m = space_find(pid, parent, address);
	const struct origin origin = { pid, parent };
	struct object *object;
	int fd;

	*frame = (struct frame){ .address = address };
	if (m == NULL)
		return;
	object = m->object;
	if (!object->tried) {
		object->tried = true;
		fd = space_open_object(pid, parent, m);
		if (fd >= 0) {
			object->symbols = read_file(fd, &origin);
			close(fd);
		}
	}
	frame->object = object;
	frame->address = address_in_file(object->symbols,
					 address - m->start + m->offset);
	if (object->symbols != NULL)
		name_frame(object->symbols, frame);
}

/* All addresses are 0 for a user who may not see them. */
static void read_kernel(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char line[640], name[512];
	char type;

	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "%llx %c %511s", &address, &type,
			   name) == 3 && address != 0 &&
		    (type == 't' || type == 'T' || type == 'w' ||
		     type == 'W'))
			add(&kernel, address, 0, name);
	}
	fclose(file);
	finish(&kernel);
}

void symbols_find_kernel(unsigned long long address, struct frame *frame)
{
	static bool is_read;

	if (!is_read)
		read_kernel();
	is_read = true;
	*frame = (struct frame){ .kernel = true, .address = address };
	name_frame(&kernel, frame);
}
