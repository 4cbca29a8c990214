/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.c - the files which one client has open, all below one directory.
 *
 * A CREATE follows one row of the table of dispositions: it opens a file that
 * exists, creates one that does not, or tries one after the other. A file in
 * the table always has a descriptor, and is a regular file or a directory.
 */
#include <errno.h>
#include <fcntl.h>

#include "files.h"
#include "path.h"
#include "proto.h"
#include "vfs.h"

enum { MAX_OPEN_FILES = 256 };

struct file_table {
	int root;
	uint64_t last_id;
	struct open_file *files[MAX_OPEN_FILES];
};

static const struct {
	bool open;		/* what exists is opened ... */
	bool truncate;		/* ... and emptied; otherwise it is an error */
	bool create;		/* what does not exist is created */
	uint32_t action;	/* of opening */
} dispositions[FILE_DISPOSITION_COUNT] = {
	[FILE_SUPERSEDE] = { true, true, true, FILE_WAS_SUPERSEDED },
	[FILE_OPEN] = { true, false, false, FILE_WAS_OPENED },
	[FILE_CREATE] = { false, false, true, FILE_WAS_CREATED },
	[FILE_OPEN_IF] = { true, false, true, FILE_WAS_OPENED },
	[FILE_OVERWRITE] = { true, true, false, FILE_WAS_OVERWRITTEN },
	[FILE_OVERWRITE_IF] = { true, true, true, FILE_WAS_OVERWRITTEN },
};

static const uint32_t read_access = SEC_FILE_READ_DATA | SEC_FILE_EXECUTE |
	SEC_GENERIC_READ | SEC_GENERIC_EXECUTE | SEC_GENERIC_ALL |
	SEC_MAXIMUM_ALLOWED;
static const uint32_t write_access = SEC_FILE_WRITE_DATA |
	SEC_FILE_APPEND_DATA | SEC_GENERIC_WRITE | SEC_GENERIC_ALL |
	SEC_MAXIMUM_ALLOWED;
static const uint32_t delete_access = SEC_STD_DELETE | SEC_GENERIC_ALL |
	SEC_MAXIMUM_ALLOWED;

struct file_table *file_table_new(TALLOC_CTX *mem_ctx, int root)
{
	struct file_table *table = talloc_zero(mem_ctx, struct file_table);

	if (table != NULL)
		table->root = root;
	return table;
}

static int open_flags(const struct file_create *create)
{
	bool reads = (create->access & read_access) != 0;
	bool writes = (create->access & write_access) != 0;
	/* nonblocking: a FIFO must not stop the server */
	int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	if (create->options & FILE_DIRECTORY_FILE)
		return flags | O_DIRECTORY | O_RDONLY;
	return flags | (!writes ? O_RDONLY : reads ? O_RDWR : O_WRONLY);
}

static int open_existing(int dir, const char *name,
			 const struct file_create *create)
{
	bool file_only = (create->options & FILE_NON_DIRECTORY_FILE) != 0;
	int flags = open_flags(create);
	int truncate = 0;
	int fd;

	if (!(flags & O_DIRECTORY) &&
	    dispositions[create->disposition].truncate)
		truncate = O_TRUNC;
	fd = vfs_openat(dir, name, flags | truncate, 0);
	if (fd < 0 && errno == EISDIR && !file_only && truncate == 0) {
		flags &= ~O_ACCMODE;
		fd = vfs_openat(dir, name, flags | O_DIRECTORY, 0);
	}
	return fd;
}

static int create_new(int dir, const char *name,
		      const struct file_create *create)
{
	int flags = open_flags(create);

	if (!(flags & O_DIRECTORY))
		return vfs_openat(dir, name, flags | O_CREAT | O_EXCL, 0666);
	if (vfs_mkdirat(dir, name, 0777) != 0)
		return -1;
	return vfs_openat(dir, name, flags, 0);
}

/* Returns the descriptor, or -1 and errno. */
static int open_or_create(int dir, const char *name,
			  const struct file_create *create, uint32_t *action)
{
	int fd = -1;

	errno = ENOENT;
	if (dispositions[create->disposition].open) {
		fd = open_existing(dir, name, create);
		*action = dispositions[create->disposition].action;
	}
	if (fd < 0 && errno == ENOENT &&
	    dispositions[create->disposition].create) {
		fd = create_new(dir, name, create);
		*action = FILE_WAS_CREATED;
	}
	return fd;
}

/* Refuses devices, and a directory in place of a file: open(2) takes both. */
static uint32_t check_kind(int fd, const struct file_create *create,
			   bool *directory)
{
	struct stat st;

	if (vfs_fstat(fd, &st) != 0)
		return vfs_status(errno);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return NT_STATUS_ACCESS_DENIED;
	*directory = S_ISDIR(st.st_mode);
	if (*directory && (create->options & FILE_NON_DIRECTORY_FILE))
		return NT_STATUS_FILE_IS_A_DIRECTORY;
	return NT_STATUS_OK;
}

static uint32_t open_status(const struct file_create *create)
{
	if (errno == ENOTDIR && (create->options & FILE_DIRECTORY_FILE))
		return NT_STATUS_NOT_A_DIRECTORY;
	return vfs_status(errno);
}

/* Opens the file that create names; sets no descriptor on error. */
static uint32_t open_fd(const struct file_table *table,
			const struct file_create *create, int *fd,
			bool *directory, uint32_t *action)
{
	const char *last;
	uint32_t status = NT_STATUS_OK;
	int dir;

	dir = path_open_parent(table->root, create->name, &last);
	if (dir < 0)
		return errno == ENOENT ? NT_STATUS_OBJECT_PATH_NOT_FOUND :
					 vfs_status(errno);
	*fd = open_or_create(dir, last, create, action);
	if (*fd < 0)
		status = open_status(create);
	path_leave(table->root, dir);
	if (status != NT_STATUS_OK)
		return status;
	status = check_kind(*fd, create, directory);
	if (status != NT_STATUS_OK)
		vfs_close(*fd);
	return status;
}

/* Returns an empty entry of the table, or NULL if there is none. */
static struct open_file *file_new(struct file_table *table, const char *name)
{
	struct open_file *file;
	uint64_t slot = 0;

	while (slot < MAX_OPEN_FILES && table->files[slot] != NULL)
		slot++;
	if (slot == MAX_OPEN_FILES)
		return NULL;
	file = talloc_zero(table, struct open_file);
	if (file == NULL)
		return NULL;
	file->table = table;
	file->slot = slot;
	file->id = ++table->last_id;
	file->name = talloc_strdup(file, name);
	if (file->name == NULL) {
		talloc_free(file);
		return NULL;
	}
	table->files[slot] = file;
	return file;
}

static void file_free(struct open_file *file)
{
	file->table->files[file->slot] = NULL;
	talloc_free(file);
}

uint32_t file_open(struct file_table *table, const struct file_create *create,
		   struct open_file **result, uint32_t *action)
{
	bool delete = (create->options & FILE_DELETE_ON_CLOSE) != 0;
	struct open_file *file;
	uint32_t status;

	if (create->disposition >= FILE_DISPOSITION_COUNT)
		return NT_STATUS_INVALID_PARAMETER;
	if (delete && (create->name[0] == '\0' ||
		       !(create->access & delete_access)))
		return NT_STATUS_ACCESS_DENIED;
	file = file_new(table, create->name);
	if (file == NULL)
		return NT_STATUS_TOO_MANY_OPENED_FILES;
	status = open_fd(table, create, &file->fd, &file->directory, action);
	if (status != NT_STATUS_OK) {
		file_free(file);
		return status;
	}
	file->delete_on_close = delete;
	if (create->access & read_access)
		file->access |= SEC_FILE_READ_DATA;
	if (create->access & write_access)
		file->access |= SEC_FILE_WRITE_DATA;
	*result = file;
	return NT_STATUS_OK;
}

struct open_file *file_find(struct file_table *table, uint64_t id,
			    uint64_t slot)
{
	struct open_file *file;

	if (slot >= MAX_OPEN_FILES)
		return NULL;
	file = table->files[slot];
	return file != NULL && file->id == id ? file : NULL;
}

static uint32_t file_delete(struct open_file *file)
{
	const char *last;
	int dir;
	int ret;

	dir = path_open_parent(file->table->root, file->name, &last);
	if (dir < 0)
		return vfs_status(errno);
	ret = vfs_unlinkat(dir, last, file->directory ? AT_REMOVEDIR : 0);
	path_leave(file->table->root, dir);
	return ret == 0 ? NT_STATUS_OK : vfs_status(errno);
}

uint32_t file_close(struct open_file *file)
{
	uint32_t status = NT_STATUS_OK;

	if (vfs_close(file->fd) != 0)
		status = vfs_status(errno);
	if (file->delete_on_close)
		status = file_delete(file);
	file_free(file);
	return status;
}

void file_close_all(struct file_table *table)
{
	size_t slot;

	for (slot = 0; slot < MAX_OPEN_FILES; slot++) {
		if (table->files[slot] != NULL)
			file_close(table->files[slot]);
	}
}
