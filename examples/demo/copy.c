/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.c - copies a tree of small files through the server, and compares it.
 *
 * Copying thousands of small files is the case in which users ask where an smbd
 * spends its time. For each file:
 *
 *	CREATE WRITE... QUERY_INFO CLOSE	write, ask for the size
 *	CREATE READ... CLOSE			read back, remove
 *
 * The tree, in which PID keeps clients apart that run at the same time:
 *
 *	demo-PID
 *	demo-PID\dir0000
 *	demo-PID\dir0000\file00000 ... file00099
 *	demo-PID\dir0001 ...
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "copy.h"
#include "exchange.h"

enum {
	FILES_PER_DIRECTORY = 100,
	FILES_PER_ECHO = 16,
	NAME_LEN = 64
};

struct copy {
	struct exchange *x;
	const struct copy_options *options;
	uint8_t expected[SMB2_MAX_IO];
	uint8_t data[SMB2_MAX_IO];
};

static void directory_name(char name[NAME_LEN], uint64_t file)
{
	snprintf(name, NAME_LEN, "demo-%d\\dir%04u", (int)getpid(),
		 (unsigned)(file / FILES_PER_DIRECTORY));
}

static void file_name(char name[NAME_LEN], uint64_t file)
{
	snprintf(name, NAME_LEN, "demo-%d\\dir%04u\\file%05u", (int)getpid(),
		 (unsigned)(file / FILES_PER_DIRECTORY), (unsigned)file);
}

/* Fills in content that differs between files and between parts of a file. */
static void fill(uint8_t *p, size_t len, uint64_t file, uint64_t offset)
{
	size_t i;

	for (i = 0; i < len; i++, offset++)
		p[i] = (uint8_t)(offset * 167 + (offset >> 8) + file * 59);
}

static size_t chunk_at(const struct copy_options *options, uint64_t offset)
{
	uint64_t rest = options->size - offset;

	return rest < SMB2_MAX_IO ? (size_t)rest : SMB2_MAX_IO;
}

static int make_directory(struct exchange *x, const char *name)
{
	struct file_id id;
	int ret;

	ret = call_create(x, name, SEC_FILE_READ_DATA, FILE_OPEN_IF,
			  FILE_DIRECTORY_FILE, &id);
	return ret != 0 ? ret : call_close(x, &id);
}

static int remove_directory(struct exchange *x, const char *name)
{
	struct file_id id;
	int ret;

	ret = call_create(x, name, SEC_STD_DELETE, FILE_OPEN,
			  FILE_DIRECTORY_FILE | FILE_DELETE_ON_CLOSE, &id);
	return ret != 0 ? ret : call_close(x, &id);
}

static int write_data(struct copy *copy, const struct file_id *id,
		      uint64_t file)
{
	uint64_t offset;
	size_t len;
	int ret;

	for (offset = 0; offset < copy->options->size; offset += len) {
		len = chunk_at(copy->options, offset);
		fill(copy->data, len, file, offset);
		ret = call_write(copy->x, id, offset, copy->data, len);
		if (ret != 0)
			return ret;
	}
	return 0;
}

static int write_file(struct copy *copy, const char *name, uint64_t file)
{
	struct file_id id;
	uint64_t size;
	int ret;

	ret = call_create(copy->x, name,
			  SEC_FILE_READ_DATA | SEC_FILE_WRITE_DATA,
			  FILE_OVERWRITE_IF, FILE_NON_DIRECTORY_FILE, &id);
	if (ret != 0)
		return ret;
	ret = write_data(copy, &id, file);
	if (ret != 0)
		return ret;
	ret = call_query_size(copy->x, &id, &size);
	if (ret != 0)
		return ret;
	if (size != copy->options->size) {
		warnx("%s: %llu bytes long on the server instead of %llu", name,
		      (unsigned long long)size,
		      (unsigned long long)copy->options->size);
		return -EIO;
	}
	return call_close(copy->x, &id);
}

static int compare_data(struct copy *copy, const struct file_id *id,
			const char *name, uint64_t file)
{
	uint64_t offset;
	size_t len;
	int ret;

	for (offset = 0; offset < copy->options->size; offset += len) {
		len = chunk_at(copy->options, offset);
		ret = call_read(copy->x, id, offset, copy->data, len);
		if (ret != 0)
			return ret;
		fill(copy->expected, len, file, offset);
		if (memcmp(copy->data, copy->expected, len) != 0) {
			warnx("%s: not what was written, at offset %llu",
			      name, (unsigned long long)offset);
			return -EIO;
		}
	}
	return 0;
}

static int compare_file(struct copy *copy, const char *name, uint64_t file)
{
	uint32_t access = SEC_FILE_READ_DATA;
	uint32_t options = FILE_NON_DIRECTORY_FILE;
	struct file_id id;
	int ret;

	if (!copy->options->keep) {
		access |= SEC_STD_DELETE;
		options |= FILE_DELETE_ON_CLOSE;
	}
	ret = call_create(copy->x, name, access, FILE_OPEN, options, &id);
	if (ret != 0)
		return ret;
	ret = compare_data(copy, &id, name, file);
	if (ret != 0)
		return ret;
	return call_close(copy->x, &id);
}

static int copy_file(struct copy *copy, uint64_t file)
{
	char name[NAME_LEN];
	int ret;

	file_name(name, file);
	ret = write_file(copy, name, file);
	if (ret == 0)
		ret = compare_file(copy, name, file);
	if (ret == 0 && file % FILES_PER_ECHO == 0)
		ret = call_echo(copy->x);
	return ret;
}

/* Copies the files of a directory, which begins with the file first. */
static int copy_directory(struct copy *copy, uint64_t first)
{
	char name[NAME_LEN];
	uint64_t file;
	int ret;

	directory_name(name, first);
	ret = make_directory(copy->x, name);
	if (ret != 0)
		return ret;
	for (file = first; file < copy->options->files &&
	     file < first + FILES_PER_DIRECTORY; file++) {
		ret = copy_file(copy, file);
		if (ret != 0)
			return ret;
		copy->x->counts.files++;
	}
	return copy->options->keep ? 0 : remove_directory(copy->x, name);
}

int copy_tree(struct exchange *x, const struct copy_options *options)
{
	static struct copy copy;
	char name[NAME_LEN];
	uint64_t file;
	int ret;

	copy.x = x;
	copy.options = options;
	snprintf(name, sizeof(name), "demo-%d", (int)getpid());
	ret = make_directory(x, name);
	for (file = 0; ret == 0 && file < options->files;
	     file += FILES_PER_DIRECTORY)
		ret = copy_directory(&copy, file);
	if (ret == 0 && !options->keep)
		ret = remove_directory(x, name);
	return ret;
}
