/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handlers.c - CREATE, CLOSE, READ, WRITE and QUERY_INFO.
 *
 * dispatch.c has checked session, tree and the size of the fixed part, and
 * has looked up the file. Comments at the offsets name the fields of
 * [MS-SMB2] 2.2 and [MS-FSCC] 2.4.
 */
#include <errno.h>
#include <string.h>

#include "files.h"
#include "path.h"
#include "proto.h"
#include "request.h"
#include "smb2_probes.h"
#include "vfs.h"

static uint64_t allocation(const struct stat *st)
{
	return (uint64_t)st->st_blocks * 512;
}

static uint64_t end_of_file(const struct stat *st)
{
	return S_ISDIR(st->st_mode) ? 0 : (uint64_t)st->st_size;
}

static uint32_t attributes(const struct stat *st)
{
	return S_ISDIR(st->st_mode) ? FILE_ATTRIBUTE_DIRECTORY :
				      FILE_ATTRIBUTE_NORMAL;
}

/* Creation, last access, last write, change; the first is not known. */
static void put_times(uint8_t *p, const struct stat *st)
{
	wire_put64(p, wire_filetime(&st->st_mtim));
	wire_put64(p + 8, wire_filetime(&st->st_atim));
	wire_put64(p + 16, wire_filetime(&st->st_mtim));
	wire_put64(p + 24, wire_filetime(&st->st_ctim));
}

/* Times, sizes and attributes in the order that four structures share. */
static void put_network_open(uint8_t *p, const struct stat *st)
{
	put_times(p, st);
	wire_put64(p + 32, allocation(st));
	wire_put64(p + 40, end_of_file(st));
	wire_put32(p + 48, attributes(st));
}

static void put_basic(uint8_t *p, const struct stat *st)
{
	put_times(p, st);
	wire_put32(p + 32, attributes(st));
}

static void put_standard(uint8_t *p, const struct stat *st)
{
	wire_put64(p, allocation(st));
	wire_put64(p + 8, end_of_file(st));
	wire_put32(p + 16, (uint32_t)st->st_nlink);
	p[21] = S_ISDIR(st->st_mode);			/* Directory */
}

/* The name is left out: its length is zero. */
static void put_all(uint8_t *p, const struct stat *st)
{
	put_basic(p, st);
	put_standard(p + 40, st);
	wire_put64(p + 64, st->st_ino);			/* IndexNumber */
	wire_put32(p + 76, SEC_FILE_ALL);		/* AccessFlags */
}

/* The information classes of QUERY_INFO, [MS-FSCC] 2.4. */
static const struct {
	uint8_t class;
	uint8_t size;
	void (*put)(uint8_t *p, const struct stat *st);
} info_classes[] = {
	{ FILE_BASIC_INFORMATION, 40, put_basic },
	{ FILE_STANDARD_INFORMATION, 24, put_standard },
	{ FILE_ALL_INFORMATION, 100, put_all },
	{ FILE_NETWORK_OPEN_INFORMATION, 56, put_network_open },
};

/* ------------------------------------------------------------------ CREATE */

static uint32_t create_unpack(const struct request *req,
			      struct file_create *create)
{
	uint16_t offset = wire_get16(req->body + 44);	/* NameOffset */
	uint16_t len = wire_get16(req->body + 46);	/* NameLength */
	const uint8_t *name = request_buffer(req, offset, len);

	if (name == NULL)
		return NT_STATUS_INVALID_PARAMETER;
	create->access = wire_get32(req->body + 24);	/* DesiredAccess */
	create->disposition = wire_get32(req->body + 36);
	create->options = wire_get32(req->body + 40);
	return path_from_wire(name, len, create->name, sizeof(create->name));
}

static uint32_t create_reply(struct request *req, const struct stat *st,
			     uint32_t action)
{
	uint8_t *body = request_reply(req, 89, 88);

	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	wire_put32(body + 4, action);			/* CreateAction */
	put_network_open(body + 8, st);
	wire_put64(body + 64, req->file->id);		/* FileId */
	wire_put64(body + 72, req->file->slot);
	return NT_STATUS_OK;
}

uint32_t handle_create(struct request *req)
{
	struct file_create create;
	struct stat st = { .st_size = 0 };
	uint32_t action = 0;
	uint32_t status;

	status = create_unpack(req, &create);
	if (status != NT_STATUS_OK)
		return status;
	SMB2_CREATE_START(req->hdr.mid, req, create.name,
			  create.access, create.disposition, create.options,
			  wire_get32(req->body + 32), req->body[3],
			  wire_get32(req->body + 28));
	status = file_open(req->smb2->files, &create, &req->file, &action);
	if (status == NT_STATUS_OK && vfs_fstat(req->file->fd, &st) != 0)
		status = vfs_status(errno);
	if (status == NT_STATUS_OK)
		status = create_reply(req, &st, action);
	SMB2_CREATE_DONE(req->hdr.mid, req, status,
			 req->file != NULL ? req->file->id : 0, action, 0,
			 end_of_file(&st));
	return status;
}

/* ------------------------------------------------------------------- CLOSE */

uint32_t handle_close(struct request *req)
{
	uint16_t flags = wire_get16(req->body + 2);
	struct stat st;
	uint32_t status;
	uint8_t *body;

	SMB2_CLOSE_START(req->hdr.mid, req, req->file->name, req->file->id,
			 flags);
	if (SMB2_REQUEST_DETAILS_ENABLED() || SMB2_REQUEST_NOTES_ENABLED()) {
		req->closed_id = req->file->id;
		req->closed = talloc_strdup(req, req->file->name);
	}
	body = request_reply(req, 60, 60);
	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	if ((flags & SMB2_CLOSE_FULL_INFORMATION) &&
	    vfs_fstat(req->file->fd, &st) == 0) {
		wire_put16(body + 2, SMB2_CLOSE_FULL_INFORMATION);
		put_network_open(body + 8, &st);
	}
	status = file_close(req->file);
	req->file = NULL;
	return status;
}

/* ----------------------------------------------------------- READ and WRITE */

/* Returns whether length bytes at offset can be read or written at once. */
static bool in_range(uint64_t offset, uint32_t length)
{
	return length <= SMB2_MAX_IO && offset <= (uint64_t)INT64_MAX - length;
}

/* Fills the reply; nread is set on success only. */
static uint32_t read_file(struct request *req, uint64_t offset,
			  uint32_t length, uint32_t *nread)
{
	uint32_t minimum = wire_get32(req->body + 32);	/* MinimumCount */
	uint8_t *body;
	ssize_t ret;

	if (!(req->file->access & SEC_FILE_READ_DATA))
		return NT_STATUS_ACCESS_DENIED;
	if (!in_range(offset, length))
		return NT_STATUS_INVALID_PARAMETER;
	body = request_reply(req, 17, 16 + (size_t)length);
	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	ret = vfs_pread(req->file->fd, body + 16, length, (off_t)offset);
	if (ret < 0)
		return vfs_status(errno);
	if ((ret == 0 && length > 0) || (size_t)ret < minimum)
		return NT_STATUS_END_OF_FILE;
	req->reply_len -= length - (size_t)ret;
	body[2] = SMB2_HDR_LEN + 16;			/* DataOffset */
	wire_put32(body + 4, (uint32_t)ret);		/* DataLength */
	*nread = (uint32_t)ret;
	return NT_STATUS_OK;
}

uint32_t handle_read(struct request *req)
{
	uint32_t length = wire_get32(req->body + 4);
	uint64_t offset = wire_get64(req->body + 8);
	uint32_t nread = 0;
	uint32_t status;

	SMB2_READ_START(req->hdr.mid, req, req->file->name,
			offset, length, req->file->id, req->body[3]);
	status = read_file(req, offset, length, &nread);
	SMB2_READ_DONE(req->hdr.mid, req, status, nread);
	return status;
}

/* Writes all of data or fails; nwritten is set on success only. */
static uint32_t write_file(struct request *req, uint64_t offset,
			   uint32_t length, uint32_t *nwritten)
{
	const uint8_t *data = request_buffer(req, wire_get16(req->body + 2),
					     length);
	uint8_t *body;
	ssize_t ret;

	if (!(req->file->access & SEC_FILE_WRITE_DATA))
		return NT_STATUS_ACCESS_DENIED;
	if (data == NULL || !in_range(offset, length))
		return NT_STATUS_INVALID_PARAMETER;
	body = request_reply(req, 17, 16);
	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	ret = vfs_pwrite(req->file->fd, data, length, (off_t)offset);
	if (ret < 0)
		return vfs_status(errno);
	wire_put32(body + 4, (uint32_t)ret);		/* Count */
	*nwritten = (uint32_t)ret;
	return NT_STATUS_OK;
}

uint32_t handle_write(struct request *req)
{
	uint32_t length = wire_get32(req->body + 4);
	uint64_t offset = wire_get64(req->body + 8);
	uint32_t nwritten = 0;
	uint32_t status;

	SMB2_WRITE_START(req->hdr.mid, req, req->file->name,
			 offset, length, req->file->id,
			 wire_get32(req->body + 44));
	status = write_file(req, offset, length, &nwritten);
	SMB2_WRITE_DONE(req->hdr.mid, req, status, nwritten);
	return status;
}

/* -------------------------------------------------------------- QUERY_INFO */

static uint32_t info_reply(struct request *req, size_t row)
{
	uint8_t size = info_classes[row].size;
	struct stat st;
	uint8_t *body;

	if (wire_get32(req->body + 4) < size) {		/* OutputBufferLength */
		return NT_STATUS_INFO_LENGTH_MISMATCH;
	}
	if (vfs_fstat(req->file->fd, &st) != 0)
		return vfs_status(errno);
	body = request_reply(req, 9, 8 + (size_t)size);
	if (body == NULL)
		return NT_STATUS_NO_MEMORY;
	wire_put16(body + 2, SMB2_HDR_LEN + 8);	/* OutputBufferOffset */
	wire_put32(body + 4, size);			/* OutputBufferLength */
	info_classes[row].put(body + 8, &st);
	return NT_STATUS_OK;
}

uint32_t handle_query_info(struct request *req)
{
	size_t i;

	if (req->body[2] != SMB2_INFO_FILE) {		/* InfoType */
		return NT_STATUS_NOT_SUPPORTED;
	}
	for (i = 0; i < sizeof(info_classes) / sizeof(info_classes[0]); i++) {
		if (info_classes[i].class == req->body[3])
			return info_reply(req, i);
	}
	return NT_STATUS_INVALID_INFO_CLASS;
}
