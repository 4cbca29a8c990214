/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * database.c - opens the file of a history.
 *
 * The file may come from anywhere. So it is checked before it is used, and
 * SQLite is told to trust nothing in it: no view, no trigger, no function.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "history/database.h"

enum {
	PAGE = 4096,
	MOST_LENGTH = 2 << 20,		/* of a text or a blob */
	MOST_SQL = 64 << 10,
	MOST_COLUMNS = 400,
	WAIT_MS = 200,			/* for others that write */
};

static const char schema[] =
"PRAGMA auto_vacuum = INCREMENTAL;"
"BEGIN;"
"CREATE TABLE layout (id INTEGER PRIMARY KEY, tables TEXT NOT NULL UNIQUE);"
"CREATE TABLE run (id INTEGER PRIMARY KEY, program TEXT NOT NULL,"
"	version TEXT, host TEXT, boot TEXT, recorded TEXT, layout INTEGER);"
"CREATE TABLE report (id INTEGER PRIMARY KEY, run INTEGER NOT NULL,"
"	\"begin\" REAL, \"end\" REAL, end_ns INTEGER, up_ns INTEGER,"
"	elapsed_ns INTEGER);"
"CREATE TABLE second (id INTEGER PRIMARY KEY, run INTEGER NOT NULL,"
"	end_ns INTEGER, up_ns INTEGER, elapsed_ns INTEGER, rows BLOB);"
"PRAGMA application_id = %d;"
"PRAGMA user_version = %d;"
"COMMIT;";

/* Returns a statement, or NULL if it has a mistake or a table is missing. */
static sqlite3_stmt *prepare(sqlite3 *db, const char *format, va_list args)
{
	char *sql = memory_of(sqlite3_vmprintf(format, args));
	sqlite3_stmt *statement = NULL;

	sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	sqlite3_free(sql);
	return statement;
}

sqlite3_stmt *database_prepare(sqlite3 *db, const char *format, ...)
{
	sqlite3_stmt *statement;
	va_list args;

	va_start(args, format);
	statement = prepare(db, format, args);
	va_end(args);
	return statement;
}

bool database_run(sqlite3 *db, const char *format, ...)
{
	va_list args;
	char *sql;
	int ret;

	va_start(args, format);
	sql = memory_of(sqlite3_vmprintf(format, args));
	va_end(args);
	ret = sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	return ret == SQLITE_OK;
}

long long database_number(sqlite3 *db, const char *format, ...)
{
	sqlite3_stmt *statement;
	long long number = 0;
	va_list args;

	va_start(args, format);
	statement = prepare(db, format, args);
	va_end(args);
	if (sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

const char *database_error(sqlite3 *db)
{
	int number = sqlite3_system_errno(db);

	if (sqlite3_errcode(db) == SQLITE_FULL)
		number = ENOSPC;
	else if ((sqlite3_errcode(db) & 0xff) != SQLITE_IOERR)
		number = 0;
	return number != 0 ? strerror(number) : sqlite3_errmsg(db);
}

bool database_has(sqlite3 *db, const char *table)
{
	return database_number(db, "SELECT count(*) FROM sqlite_master WHERE "
			       "type = 'table' AND name = %Q AND "
			       "sql LIKE 'CREATE TABLE%%'", table) == 1;
}

static void harden(sqlite3 *db)
{
	static const struct {
		int option;
		int value;
	} rows[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FKEY, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		sqlite3_db_config(db, rows[i].option, rows[i].value, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MOST_LENGTH);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, MOST_SQL);
	sqlite3_limit(db, SQLITE_LIMIT_COLUMN, MOST_COLUMNS);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_busy_timeout(db, WAIT_MS);
	database_run(db, "PRAGMA cell_size_check = ON;"
		     "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
		     "PRAGMA cache_size = -1024;");
}

static bool has_ids(sqlite3 *db, const char *table, long long most)
{
	return database_number(db, "SELECT min(id) FROM \"%w\"", table) >= 0 &&
	       database_number(db, "SELECT max(id) FROM \"%w\"", table) < most;
}

/* Returns whether another program has written it, and says which one. */
static bool is_of_other(sqlite3 *db, const char *path,
			const struct report_program *program)
{
	sqlite3_stmt *other = database_prepare(
		db, "SELECT program FROM run WHERE program <> %Q",
		program->name);
	bool found = sqlite3_step(other) == SQLITE_ROW;
	const char *name = !found ? NULL :
		(const char *)sqlite3_column_text(other, 0);
	char plain[64];

	if (found)
		warnx("history: %s: not a history of %s, but of %s", path,
		      program->name, text_plain(name == NULL ? "" : name,
						plain, sizeof(plain)));
	sqlite3_finalize(other);
	return found;
}

/* Whether the database is a history that this program has written. */
static bool is_ours(sqlite3 *db, const char *path,
		    const struct report_program *program)
{
	long long application = database_number(db, "PRAGMA application_id");
	bool has_all = database_has(db, "report") && database_has(db, "run") &&
		database_has(db, "second") && database_has(db, "layout") &&
		has_ids(db, "report", HISTORY_MOST_MINUTES) &&
		has_ids(db, "second", history_row_id(HISTORY_MOST_MINUTES)) &&
		has_ids(db, program->tables->table[program->slow].name,
			history_row_id(HISTORY_MOST_MINUTES));

	if (sqlite3_errcode(db) == SQLITE_CORRUPT) {
		warnx("history: %s is damaged: %s", path, database_error(db));
		return false;
	}
	if (application != HISTORY_APPLICATION || !has_all) {
		warnx("history: %s: not a history of %s", path, program->name);
		return false;
	}
	if (is_of_other(db, path, program))
		return false;
	if (database_number(db, "PRAGMA user_version") != HISTORY_VERSION) {
		warnx("history: %s has a format that this version of %s does "
		      "not know: use the version that wrote it", path,
		      program->name);
		return false;
	}
	return true;
}

static bool is_sound(sqlite3 *db, const char *path)
{
	sqlite3_stmt *check = database_prepare(db, "PRAGMA quick_check(1)");
	const char *said = NULL;
	bool good = false;

	if (sqlite3_step(check) == SQLITE_ROW) {
		said = (const char *)sqlite3_column_text(check, 0);
		good = said != NULL && strcmp(said, "ok") == 0;
	}
	if (!good)
		warnx("history: %s is damaged: %.200s", path,
		      said != NULL ? said : database_error(db));
	sqlite3_finalize(check);
	return good;
}

static bool is_regular(const char *path, const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return true;
	if (S_ISDIR(st->st_mode))
		warnx("history: %s is a directory: give the name of a file",
		      path);
	else
		warnx("history: %s is not a regular file", path);
	return false;
}

/* Names of files and users are in it: nobody else may write or read them. */
static bool is_private(const char *path, const struct stat *st)
{
	if (st->st_mode & S_IWOTH) {
		warnx("history: everybody can write to %s: use a directory "
		      "and a file of its own", path);
		return false;
	}
	if (geteuid() != 0 && st->st_uid != geteuid() && st->st_uid != 0) {
		warnx("history: %s belongs to another user (%u): use a "
		      "file that belongs to the user of the program", path,
		      (unsigned int)st->st_uid);
		return false;
	}
	return true;
}

static bool is_directory_private(const char *path)
{
	char *copy;
	struct stat st;
	bool good;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return is_regular(path, &st);
	copy = memory_of(strdup(path));
	good = stat(dirname(copy), &st) == 0;
	if (!good)
		warn("history: cannot create %s", path);
	else
		good = is_private(copy, &st);
	free(copy);
	return good;
}

/* Who starts a service as root does not expect that it may not write. */
static void complain_of_open(const char *path)
{
	const struct passwd *user = NULL;
	int error = errno;

	if (error == EACCES)
		user = getpwuid(geteuid());
	errno = error;
	if (user == NULL)
		warn("history: cannot open %s", path);
	else
		warn("history: the user %s cannot open %s", user->pw_name,
		     path);
}

/* Returns a descriptor that locks the file, or -1 after a message. */
static int lock_file(const char *path, const struct report_program *program)
{
	struct stat st;
	int file;

	if (!is_directory_private(path))
		return -1;
	file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (file < 0 && errno == ELOOP) {
		warnx("history: %s is a symbolic link: use the file that it "
		      "points to", path);
		return -1;
	}
	if (file < 0 || fstat(file, &st) != 0) {
		complain_of_open(path);
		return -1;
	}
	if (!is_regular(path, &st) || !is_private(path, &st)) {
		close(file);
		return -1;
	}
	if (flock(file, LOCK_EX | LOCK_NB) == 0)
		return file;
	if (errno == EWOULDBLOCK)
		warnx("history: another %s writes to %s: end it, or use "
		      "another file", program->name, path);
	else
		warn("history: cannot lock %s", path);
	close(file);
	return -1;
}

/* How many pages the log of changes may have before they go to the file. */
static unsigned long long log_pages(unsigned long long size)
{
	unsigned long long pages = size / PAGE / 16;

	return pages < 32 ? 32 : pages > 512 ? 512 : pages;
}

/* Whether the file has no tables, also because a process was killed before. */
static bool is_empty(sqlite3 *db, int file)
{
	struct stat st;

	database_number(db, "PRAGMA page_count");
	return fstat(file, &st) == 0 && st.st_size == 0;
}

static bool create_tables(sqlite3 *db)
{
	return database_run(db, schema, HISTORY_APPLICATION, HISTORY_VERSION);
}

/* The log has a header beside its pages, and readers share a few more. */
long long database_pages(unsigned long long size)
{
	return (long long)(size / PAGE - log_pages(size) - 16);
}

static bool begin_writing(sqlite3 *db, unsigned long long size)
{
	unsigned long long log = log_pages(size);

	return database_run(db, "PRAGMA journal_mode = WAL;"
			    "PRAGMA synchronous = NORMAL;"
			    "PRAGMA wal_autocheckpoint = %llu;"
			    "PRAGMA journal_size_limit = %llu;"
			    "PRAGMA max_page_count = %lld;", log / 2,
			    log * PAGE, database_pages(size));
}

sqlite3 *database_create(const char *path, unsigned long long size,
			 const struct report_program *program, int *lock)
{
	sqlite3 *db = NULL;

	*lock = lock_file(path, program);
	if (*lock < 0)
		return NULL;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE |
			    SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
		harden(db);
		if (is_empty(db, *lock) && !create_tables(db))
			warnx("history: cannot write to %s: %s", path,
			      database_error(db));
		else if (!is_ours(db, path, program) || !is_sound(db, path))
			;
		else if (!begin_writing(db, size))
			warnx("history: cannot write to %s: %s", path,
			      database_error(db));
		else
			return db;
	} else {
		warnx("history: cannot open %s: %s", path,
		      sqlite3_errmsg(db));
	}
	sqlite3_close(db);
	close(*lock);
	return NULL;
}

/* A path as a URI. */
static char *uri_of(const char *path, const char *options)
{
	char *uri = memory_of(malloc(3 * strlen(path) + strlen(options) + 8));
	char *to;

	to = stpcpy(uri, "file:");
	for (; *path != '\0'; path++)
		to += sprintf(to, strchr("?#%", *path) != NULL ? "%%%02x" :
			      "%c", (unsigned char)*path);
	strcpy(to, options);
	return uri;
}

static sqlite3 *open_with(const char *path, const char *options)
{
	char *uri = uri_of(path, options);
	sqlite3 *db = NULL;
	int ret;

	ret = sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY |
			      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
	free(uri);
	if (ret == SQLITE_OK) {
		harden(db);
		ret = sqlite3_exec(db, "SELECT count(*) FROM sqlite_master",
				   NULL, NULL, NULL);
	}
	if (ret != SQLITE_CANTOPEN && ret != SQLITE_READONLY)
		return db;
	sqlite3_close(db);
	return NULL;
}

/*
 * The file is not opened here: to close it would end the locks that this
 * process has, if it writes the history as well.
 */
sqlite3 *database_open(const char *path, const struct report_program *program)
{
	sqlite3 *db = NULL;
	struct stat st;

	if (stat(path, &st) != 0 || euidaccess(path, R_OK) != 0) {
		warn("history: cannot open %s", path);
		return NULL;
	}
	if (!is_regular(path, &st))
		return NULL;
	/* who may not write beside it can read it if nobody writes */
	db = open_with(path, "");
	if (db == NULL)
		db = open_with(path, "?immutable=1");
	if (db == NULL)
		warnx("history: cannot open %s", path);
	else if (is_ours(db, path, program) && is_sound(db, path))
		return db;
	sqlite3_close(db);
	return NULL;
}
