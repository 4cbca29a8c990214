/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.h - the files which one client has open, all below one directory.
 */
#ifndef DEMO_FILES_H
#define DEMO_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <talloc.h>

struct file_table;

struct open_file {
	struct file_table *table;
	uint64_t id;		/* persistent half of the FileId, never 0 */
	uint64_t slot;		/* volatile half: index in the table */
	int fd;
	char *name;		/* UTF-8, relative to the directory */
	uint32_t access;	/* SEC_FILE_READ_DATA, SEC_FILE_WRITE_DATA */
	bool directory;
	bool delete_on_close;
};

/* The fields of a CREATE request, [MS-SMB2] 2.2.13. */
struct file_create {
	char name[1024];	/* from path_from_wire() */
	uint32_t access;
	uint32_t disposition;
	uint32_t options;
};

/* The caller keeps root. Returns NULL without memory. */
struct file_table *file_table_new(TALLOC_CTX *mem_ctx, int root);

/*
 * Opens, creates or truncates as asked. No symbolic link is followed, in no
 * component. Returns an NTSTATUS; on NT_STATUS_OK file is in the table and
 * action is the CreateAction.
 */
uint32_t file_open(struct file_table *table, const struct file_create *create,
		   struct open_file **file, uint32_t *action);

/* Returns NULL if there is no such open file. */
struct open_file *file_find(struct file_table *table, uint64_t id,
			    uint64_t slot);

/*
 * Closes, removes a file that was opened to be deleted, and frees it. The
 * status tells whether that worked; file is gone in any case.
 */
uint32_t file_close(struct open_file *file);
void file_close_all(struct file_table *table);

#endif /* DEMO_FILES_H */
