/* SPDX-License-Identifier: BSD-2-Clause */
/* cells.c - rows of reports as rows of SQL, and back. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "history/cells.h"
#include "report/pack.h"

enum cell_kind {
	CELL_LEAD,			/* the caller's */
	CELL_TEXT, CELL_NUMBER, CELL_NAME,	/* of a key */
	CELL_COUNT, CELL_REAL, CELL_SLOTS, CELL_DERIVED,
};

/* A column of SQL behind the id. */
struct cell {
	char name[REPORT_NAME];
	enum cell_kind kind;
	const char *type;
	const struct report_key *key;
	const struct report_column *column;
};

struct cells {
	const struct report_table *table;
	struct cell *cells;
	size_t count;
	sqlite3_stmt *statement;
	struct report_bytes slots;
};

/* So that the sums of many reports are below 2^64, in nanoseconds too. */
static const double MOST = 1e15;

static struct cell *add_cell(struct cells *c, const char *name,
			     enum cell_kind kind)
{
	static const char *const types[] = {
		[CELL_TEXT] = "TEXT", [CELL_NAME] = "TEXT",
		[CELL_REAL] = "REAL", [CELL_SLOTS] = "BLOB",
		[CELL_DERIVED] = NULL,
	};
	struct cell *cell;

	c->cells = memory_grow(c->cells, c->count, sizeof(*c->cells));
	cell = &c->cells[c->count++];
	*cell = (struct cell){ .kind = kind, .type = types[kind] };
	if (cell->type == NULL)
		cell->type = "INTEGER";
	sqlite3_snprintf(sizeof(cell->name), cell->name, "%s", name);
	return cell;
}

static void add_key(struct cells *c, const struct report_key *key)
{
	if (key->key != NULL)
		add_cell(c, key->key, key->size > 0 ? CELL_TEXT :
			 CELL_NUMBER)->key = key;
	if (key->name_key != NULL)
		add_cell(c, key->name_key, CELL_NAME)->key = key;
}

static enum cell_kind kind_of(const struct report_column *column, bool slow)
{
	if (column->kind == REPORT_DERIVED)
		return CELL_DERIVED;
	if (column->kind == REPORT_SLOTS)
		return CELL_SLOTS;
	return column->decimals > 0 || (slow && column->unit == REPORT_NS) ?
		CELL_REAL : CELL_COUNT;
}

static struct cells *describe(const struct report_table *table, bool slow)
{
	struct cells *c = memory_zeros(1, sizeof(*c));
	char path[REPORT_NAME];
	size_t i;

	c->table = table;
	if (slow) {
		add_cell(c, "run", CELL_LEAD);
		add_cell(c, "end", CELL_LEAD)->type = "REAL";
		add_cell(c, "end_ns", CELL_LEAD);
	} else {
		add_cell(c, "report", CELL_LEAD);
	}
	for (i = 0; i < table->num_keys; i++)
		add_key(c, &table->keys[i]);
	for (i = 0; i < table->num_columns; i++) {
		const struct report_column *column = &table->columns[i];

		if (column->key == NULL)
			continue;
		add_cell(c, report_column_path(table, column, path),
			 kind_of(column, slow))->column = column;
	}
	return c;
}

static bool is_there(const struct cells *c, sqlite3 *db, const char *column)
{
	return database_number(db, "SELECT count(*) FROM pragma_table_info(%Q) "
			       "WHERE name = %Q", c->table->name, column) == 1;
}

static bool create(const struct cells *c, sqlite3 *db)
{
	size_t i;

	if (!database_run(db, "CREATE TABLE IF NOT EXISTS \"%w\" "
			  "(id INTEGER PRIMARY KEY)", c->table->name))
		return false;
	for (i = 0; i < c->count; i++) {
		const struct cell *cell = &c->cells[i];

		if (!is_there(c, db, cell->name) &&
		    !database_run(db, "ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s",
				  c->table->name, cell->name, cell->type))
			return false;
	}
	return true;
}

/* Leaves those that the database has; false if it lacks what is needed. */
static bool leave(struct cells *c, sqlite3 *db)
{
	size_t i, count = 0;

	for (i = 0; i < c->count; i++) {
		if (is_there(c, db, c->cells[i].name))
			c->cells[count++] = c->cells[i];
		else if (c->cells[i].kind == CELL_LEAD)
			return false;
	}
	c->count = count;
	return true;
}

/* Other versions may have more columns, and in another order. */
static void prepare(struct cells *c, sqlite3 *db, const char *begin,
		    const char *middle, const char *each, const char *end)
{
	sqlite3_str *sql = sqlite3_str_new(db);
	char *text;
	size_t i;

	sqlite3_str_appendf(sql, begin, c->table->name);
	for (i = 0; i < c->count; i++)
		sqlite3_str_appendf(sql, ", \"%w\"", c->cells[i].name);
	sqlite3_str_appendf(sql, middle, c->table->name);
	for (i = 0; i < c->count; i++)
		sqlite3_str_appendall(sql, each);
	sqlite3_str_appendall(sql, end);
	text = memory_of(sqlite3_str_finish(sql));
	c->statement = database_prepare(db, "%s", text);
	sqlite3_free(text);
}

static struct cells *finish(struct cells *c)
{
	if (c->statement != NULL)
		return c;
	cells_close(c);
	return NULL;
}

struct cells *cells_create(sqlite3 *db, const struct report_table *table,
			   bool slow)
{
	struct cells *c = describe(table, slow);

	if (create(c, db))
		prepare(c, db, "INSERT INTO \"%w\" (id", ") VALUES (?", ", ?",
			")");
	return finish(c);
}

struct cells *cells_open(sqlite3 *db, const struct report_table *table,
			 bool slow)
{
	struct cells *c = describe(table, slow);

	if (database_has(db, table->name) && leave(c, db))
		prepare(c, db, "SELECT id", " FROM \"%w\" WHERE id >= ?1 "
			"AND id < ?2 ORDER BY id", "", "");
	return finish(c);
}

void cells_close(struct cells *c)
{
	if (c == NULL)
		return;
	sqlite3_finalize(c->statement);
	free(c->slots.bytes);
	free(c->cells);
	free(c);
}

sqlite3_stmt *cells_statement(const struct cells *c)
{
	return c->statement;
}

/* A name is UTF-8 here as in JSON, so that everybody can read it. */
static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
	json_t *string = memory_of(text_json(text));

	sqlite3_bind_text(s, at, json_string_value(string), -1,
			  SQLITE_TRANSIENT);
	json_decref(string);
}

static void bind_key(sqlite3_stmt *s, int at, const struct cell *cell,
		     const void *row)
{
	const struct report_key *key = cell->key;
	char buffer[REPORT_NAME];

	if (cell->kind != CELL_NUMBER)
		bind_text(s, at, report_key_text(key, row, buffer));
	else if (key->optional && report_key_number(key, row) == 0)
		sqlite3_bind_null(s, at);
	else
		sqlite3_bind_int64(s, at, (sqlite3_int64)
				   report_key_number(key, row) -
				   (sqlite3_int64)key->bias);
}

static double scale_of(const struct report_column *column)
{
	return column->unit == REPORT_NS ? 1000 : report_scale(column);
}

static void bind_number(sqlite3_stmt *s, int at, const struct cell *cell,
			const void *row)
{
	const struct report_column *column = cell->column;
	unsigned long long value = report_get(column, row);

	if (column->kind == REPORT_ID && value == 0)
		sqlite3_bind_null(s, at);
	else if (column->kind == REPORT_ID)
		sqlite3_bind_int64(s, at, (sqlite3_int64)value - 1);
	else if (cell->kind == CELL_REAL || column->decimals > 0)
		sqlite3_bind_double(s, at, (double)value / scale_of(column));
	else
		sqlite3_bind_int64(s, at, (sqlite3_int64)
				   report_value(column, row));
}

static void bind_slots(struct cells *c, int at, const struct cell *cell,
		       const void *row)
{
	c->slots.length = 0;
	report_pack_slots(cell->column, row, &c->slots);
	sqlite3_bind_blob(c->statement, at, c->slots.bytes,
			  (int)c->slots.length, SQLITE_TRANSIENT);
}

void cells_bind(struct cells *c, const void *row)
{
	size_t i;

	for (i = 0; i < c->count; i++) {
		const struct cell *cell = &c->cells[i];
		int at = (int)i + 2;

		if (cell->key != NULL)
			bind_key(c->statement, at, cell, row);
		else if (cell->kind == CELL_SLOTS)
			bind_slots(c, at, cell, row);
		else if (cell->kind != CELL_LEAD)
			bind_number(c->statement, at, cell, row);
	}
}

/* A number that SQLite stores takes so many bytes, and one in its header. */
static size_t bytes_of(unsigned long long value)
{
	return value < 2 ? 1 : (71 - (size_t)__builtin_clzll(value)) / 8 + 1;
}

static size_t size_of_slots(const struct report_column *column, const void *row)
{
	size_t size = 3;
	unsigned int i;

	for (i = 0; i < column->slots; i++)
		size += report_slot(column, row, i) == 0 ? 0 :
			report_slot(column, row, i) > 127 ? 3 : 2;
	return size;
}

size_t cells_size(const struct report_table *table, const void *row)
{
	char buffer[REPORT_NAME];
	size_t i, size = 12;

	for (i = 0; i < table->num_keys; i++)
		size += 2 + strlen(report_key_text(&table->keys[i], row,
						   buffer));
	for (i = 0; i < table->num_columns; i++) {
		const struct report_column *column = &table->columns[i];

		if (column->kind == REPORT_SLOTS)
			size += size_of_slots(column, row);
		else if (column->key != NULL)
			size += column->decimals > 0 ? 9 :
				bytes_of(report_value(column, row));
	}
	return size;
}

/* The number of a name, or more than there may be. */
static unsigned long long number_of(const struct report_key *key,
				    const char *name)
{
	char buffer[REPORT_NAME];
	unsigned long long number;

	if (key->parse != NULL)
		return key->parse(name, &number) ? number : key->most + 1;
	for (number = 0; number <= key->most && number < 4096; number++) {
		if (strcmp(key->name(number, buffer), name) == 0)
			return number;
	}
	return key->most + 1;
}

static bool read_key(sqlite3_stmt *s, int at, const struct cell *cell,
		     void *row)
{
	const struct report_key *key = cell->key;
	const char *text = (const char *)sqlite3_column_text(s, at);
	unsigned long long number = 0;

	if (cell->kind == CELL_TEXT) {
		report_key_copy(key, row, text == NULL ? "" : text);
		return true;
	}
	if (cell->kind == CELL_NAME && key->key != NULL)
		return true;
	if (cell->kind == CELL_NAME)
		number = number_of(key, text == NULL ? "" : text);
	else if (text != NULL)
		number = (unsigned long long)sqlite3_column_int64(s, at) +
			key->bias;
	report_key_set(key, row, number);
	return number <= key->most;
}

static bool read_real(sqlite3_stmt *s, int at,
		      const struct report_column *column, void *row)
{
	double value = sqlite3_column_double(s, at);

	if (!(value >= 0 && value <= MOST))
		return false;
	report_set(column, row, (unsigned long long)
		   llround(value * scale_of(column)));
	return true;
}

static bool read_count(sqlite3_stmt *s, int at,
		       const struct report_column *column, void *row)
{
	unsigned long long value = (unsigned long long)
		sqlite3_column_int64(s, at);

	if (column->kind == REPORT_ID &&
	    sqlite3_column_type(s, at) != SQLITE_NULL)
		value++;
	if (column->unit == REPORT_NS) {
		if ((double)value > MOST)
			return false;
		value *= 1000;
	}
	report_set(column, row, value);
	return true;
}

static bool read_slots(sqlite3_stmt *s, int at,
		       const struct report_column *column, void *row)
{
	const void *bytes = sqlite3_column_blob(s, at);
	size_t length = (size_t)sqlite3_column_bytes(s, at);

	return bytes == NULL ||
	       report_unpack_slots(column, row, bytes, length);
}

static bool read_cell(sqlite3_stmt *s, int at, const struct cell *cell,
		      void *row)
{
	switch (cell->kind) {
	case CELL_LEAD:
	case CELL_DERIVED:
		return true;
	case CELL_SLOTS:
		return read_slots(s, at, cell->column, row);
	case CELL_REAL:
		return read_real(s, at, cell->column, row);
	case CELL_COUNT:
		return read_count(s, at, cell->column, row);
	default:
		return read_key(s, at, cell, row);
	}
}

bool cells_read(const struct cells *c, void *row)
{
	size_t i;

	for (i = 0; i < c->count; i++) {
		if (!read_cell(c->statement, (int)i + 1, &c->cells[i], row))
			return false;
	}
	return true;
}
