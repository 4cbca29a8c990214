/* SPDX-License-Identifier: BSD-2-Clause */
/* second.c - packs the rows of a second, and unpacks them. */
#include <err.h>
#include <stdlib.h>

#include <zlib.h>

#include "history/second.h"

struct second_writer {
	struct report_layout *layout;
	struct report_bytes bytes;
	z_stream stream;
	unsigned char *packed;
	size_t capacity;
};

struct second_reader {
	sqlite3 *db;
	const struct report_program *program;
	long long run;			/* whose layout this is */
	struct report_layout *layout;
	z_stream stream;
	unsigned char bytes[HISTORY_MAX_SECOND];
};

struct second_writer *second_writer_new(const struct report_program *program)
{
	struct second_writer *w = calloc(1, sizeof(*w));

	if (w == NULL || deflateInit2(&w->stream, 4, Z_DEFLATED, -MAX_WBITS, 7,
				      Z_DEFAULT_STRATEGY) != Z_OK)
		err(1, NULL);
	w->layout = report_layout_new(program->tables);
	return w;
}

void second_writer_free(struct second_writer *w)
{
	if (w == NULL)
		return;
	deflateEnd(&w->stream);
	report_layout_free(w->layout);
	free(w->bytes.bytes);
	free(w->packed);
	free(w);
}

const void *second_write(struct second_writer *w, const struct report *r,
			 unsigned int tables, size_t *length)
{
	size_t bound;

	w->bytes.length = 0;
	report_pack(w->layout, r, tables, &w->bytes);
	bound = deflateBound(&w->stream, w->bytes.length);
	if (bound > w->capacity) {
		w->capacity = 2 * bound;
		w->packed = realloc(w->packed, w->capacity);
		if (w->packed == NULL)
			err(1, NULL);
	}
	deflateReset(&w->stream);
	w->stream.next_in = w->bytes.bytes;
	w->stream.avail_in = (unsigned int)w->bytes.length;
	w->stream.next_out = w->packed;
	w->stream.avail_out = (unsigned int)w->capacity;
	deflate(&w->stream, Z_FINISH);
	*length = w->capacity - w->stream.avail_out;
	return w->packed;
}

struct second_reader *second_reader_new(sqlite3 *db,
					const struct report_program *program)
{
	struct second_reader *r = calloc(1, sizeof(*r));

	if (r == NULL || inflateInit2(&r->stream, -MAX_WBITS) != Z_OK)
		err(1, NULL);
	r->db = db;
	r->program = program;
	r->run = -1;
	return r;
}

void second_reader_free(struct second_reader *r)
{
	if (r == NULL)
		return;
	inflateEnd(&r->stream);
	report_layout_free(r->layout);
	free(r);
}

/* Different versions write different layouts. */
static bool find_layout(struct second_reader *r, long long run)
{
	sqlite3_stmt *s;
	const char *text;

	if (r->run == run)
		return r->layout != NULL;
	report_layout_free(r->layout);
	r->layout = NULL;
	r->run = run;
	s = database_prepare(r->db, "SELECT tables FROM run JOIN layout ON "
			     "layout.id = run.layout WHERE run.id = %lld", run);
	if (sqlite3_step(s) == SQLITE_ROW) {
		text = (const char *)sqlite3_column_text(s, 0);
		r->layout = report_layout_read(r->program->tables,
					       text == NULL ? "" : text);
	}
	sqlite3_finalize(s);
	return r->layout != NULL;
}

bool second_read(struct second_reader *r, long long run, const void *bytes,
		 size_t length, struct report *report)
{
	if (!find_layout(r, run))
		return false;
	inflateReset(&r->stream);
	r->stream.next_in = (unsigned char *)(size_t)bytes;
	r->stream.avail_in = (unsigned int)length;
	r->stream.next_out = r->bytes;
	r->stream.avail_out = sizeof(r->bytes);
	return inflate(&r->stream, Z_FINISH) == Z_STREAM_END &&
	       report_unpack(r->layout, r->bytes,
			     sizeof(r->bytes) - r->stream.avail_out, report);
}
