/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of PostgreSQL's server, and what they tell together.
 *
 * PostgreSQL's own description names no arguments, so neither do the notes in
 * its binary. The names and the meaning are those of its manual, "Monitoring
 * Database Activity", "Dynamic Tracing"; the types are what the operands of
 * PostgreSQL 15 have. Every backend is a process with one thread, so that the
 * spans of one thread are those of one client.
 *
 *	sdtkit top --description postgresql.d /usr/lib/postgresql/15/bin/postgres
 */

/* A query of the simple protocol; what fails ends with its transaction. */
#pragma sdtkit span query start=query__start end=query__done,transaction__abort
#pragma sdtkit span query key=tid name=query__start.query
#pragma sdtkit span query error=transaction__abort.transaction

/* A transaction; one that was rolled back counts as an error. */
#pragma sdtkit span transaction start=transaction__start
#pragma sdtkit span transaction end=transaction__commit,transaction__abort
#pragma sdtkit span transaction key=tid error=transaction__abort.transaction

/* Making a tree of the text of a query. */
#pragma sdtkit span parse start=query__parse__start end=query__parse__done
#pragma sdtkit span parse key=tid parent=query

/* Replacing views and applying rules. */
#pragma sdtkit span rewrite start=query__rewrite__start
#pragma sdtkit span rewrite end=query__rewrite__done key=tid parent=query

/* Choosing a plan. */
#pragma sdtkit span plan start=query__plan__start end=query__plan__done
#pragma sdtkit span plan key=tid parent=query

/* Executing a plan, in the extended protocol too. */
#pragma sdtkit span execute start=query__execute__start
#pragma sdtkit span execute end=query__execute__done key=tid parent=query

/* Sorting; name is what is sorted. */
#pragma sdtkit span sort start=sort__start end=sort__done key=tid name=kind

/* Waiting for a lock on a table, a row or another object. */
#pragma sdtkit span lock start=lock__wait__start end=lock__wait__done key=tid
#pragma sdtkit span lock name=lock_type,lock_mode

/* Waiting for a lock on a structure in shared memory. */
#pragma sdtkit span lwlock start=lwlock__wait__start end=lwlock__wait__done
#pragma sdtkit span lwlock key=tid name=tranche,lwlock_mode

/* A page that was asked for, in the cache or not. */
#pragma sdtkit span buffer_read start=buffer__read__start
#pragma sdtkit span buffer_read end=buffer__read__done key=tid name=hit

/* A page that is read from a file. */
#pragma sdtkit span file_read start=smgr__md__read__start
#pragma sdtkit span file_read end=smgr__md__read__done key=tid sum=bytes

/* A page that is written to a file. */
#pragma sdtkit span file_write start=smgr__md__write__start
#pragma sdtkit span file_write end=smgr__md__write__done key=tid sum=bytes

/* A dirty page that a query had to write to find room for another. */
#pragma sdtkit span dirty_write start=buffer__write__dirty__start
#pragma sdtkit span dirty_write end=buffer__write__dirty__done key=tid

/* Writing the log because its buffers in memory were full. */
#pragma sdtkit span wal_write start=wal__buffer__write__dirty__start
#pragma sdtkit span wal_write end=wal__buffer__write__dirty__done key=tid

/* A checkpoint. */
#pragma sdtkit span checkpoint start=checkpoint__start end=checkpoint__done
#pragma sdtkit span checkpoint key=tid sum=written

/* Locks on objects: lock modes of the manual, "Explicit Locking". */
enum pg_lock_mode {
	ACCESS_SHARE = 1,
	ROW_SHARE = 2,
	ROW_EXCLUSIVE = 3,
	SHARE_UPDATE_EXCLUSIVE = 4,
	SHARE = 5,
	SHARE_ROW_EXCLUSIVE = 6,
	EXCLUSIVE = 7,
	ACCESS_EXCLUSIVE = 8
};

/* What is locked: column locktype of the view pg_locks. */
enum pg_lock_type {
	RELATION = 0,
	EXTEND = 1,
	FROZENID = 2,
	PAGE = 3,
	TUPLE = 4,
	TRANSACTIONID = 5,
	VIRTUALXID = 6,
	SPECTOKEN = 7,
	OBJECT = 8,
	USERLOCK = 9,
	ADVISORY = 10
};

enum pg_lwlock_mode {
	LW_EXCLUSIVE = 0,
	LW_SHARED = 1,
	LW_WAIT_UNTIL_FREE = 2
};

enum pg_sort {
	HEAP = 0,
	INDEX = 1,
	DATUM = 2,
	CLUSTER = 3
};

enum pg_hit {
	MISS = 0,
	HIT = 1
};

#pragma sdtkit names pg_lock_mode lock_mode
#pragma sdtkit names pg_lock_type lock_type
#pragma sdtkit names pg_lwlock_mode lwlock_mode
#pragma sdtkit names pg_sort kind
#pragma sdtkit names pg_hit hit

typedef unsigned int Oid;
typedef unsigned int BlockNumber;
typedef unsigned int LocalTransactionId;

provider postgresql {
	/* A transaction begins. */
	probe transaction__start(LocalTransactionId transaction);
	/* It ends well. */
	probe transaction__commit(LocalTransactionId transaction);
	/* It ends, and nothing of it is kept. */
	probe transaction__abort(LocalTransactionId transaction);

	/* A query of the simple protocol has arrived. */
	probe query__start(char *query);
	/* It is answered. Is not reached after an error. */
	probe query__done(char *query);
	probe query__parse__start(char *query);
	probe query__parse__done(char *query);
	probe query__rewrite__start(char *query);
	probe query__rewrite__done(char *query);
	probe query__plan__start();
	probe query__plan__done();
	probe query__execute__start();
	probe query__execute__done();
	/* What pg_stat_activity shows of this backend changes. */
	probe statement__status(char *query);

	/* A lock was taken; tranche says what kind of structure it guards. */
	probe lwlock__acquire(char *tranche, unsigned int lwlock_mode);
	probe lwlock__release(char *tranche);
	/* A lock is not free: the backend waits. */
	probe lwlock__wait__start(char *tranche, unsigned int lwlock_mode);
	probe lwlock__wait__done(char *tranche, unsigned int lwlock_mode);
	/* A lock was taken, or not, by a backend that does not wait. */
	probe lwlock__condacquire(char *tranche, unsigned int lwlock_mode);
	probe lwlock__condacquire__fail(char *tranche, unsigned int lwlock_mode);
	/* A lock was taken, or became free while it was waited for. */
	probe lwlock__acquire__or__wait(char *tranche, unsigned int lwlock_mode);
	probe lwlock__acquire__or__wait__fail(char *tranche, unsigned int lwlock_mode);

	/* A lock on an object is not free: the backend waits. */
	probe lock__wait__start(
		unsigned int field1,	/* usually the database */
		unsigned int field2,	/* usually the relation */
		unsigned int field3,
		uint16_t field4,
		uint8_t lock_type,
		int lock_mode);
	probe lock__wait__done(unsigned int field1, unsigned int field2,
		unsigned int field3, uint16_t field4, uint8_t lock_type,
		int lock_mode);
	probe deadlock__found();

	probe sort__start(
		int kind,
		int unique,
		int keys,
		int work_mem,		/* KiB */
		int random_access,
		int parallel);
	probe sort__done(
		int external,		/* 1: on disk */
		long used);		/* blocks on disk, or KiB of memory */

	/* A page is asked for. */
	probe buffer__read__start(int fork, BlockNumber block, Oid tablespace,
		Oid database, Oid relation,
		int backend,		/* -1: not a temporary table */
		uint8_t extend);
	probe buffer__read__done(int fork, BlockNumber block, Oid tablespace,
		Oid database, Oid relation, int backend, uint8_t extend,
		uint8_t hit);		/* it was in shared memory */
	/* A page in shared memory is written to its file. */
	probe buffer__flush__start(int fork, BlockNumber block, Oid tablespace,
		Oid database, Oid relation);
	probe buffer__flush__done(int fork, BlockNumber block, Oid tablespace,
		Oid database, Oid relation);
	/* A dirty page stands in the way of another: it is written first. */
	probe buffer__write__dirty__start(int fork, BlockNumber block,
		Oid tablespace, Oid database, Oid relation);
	probe buffer__write__dirty__done(int fork, BlockNumber block,
		Oid tablespace, Oid database, Oid relation);
	/* A page is read from its file. */
	probe smgr__md__read__start(int fork, BlockNumber block,
		Oid tablespace, Oid database, Oid relation, int backend);
	probe smgr__md__read__done(int fork, BlockNumber block,
		Oid tablespace, Oid database, Oid relation, int backend,
		int bytes, int wanted);
	/* A page is given to the operating system, for its file. */
	probe smgr__md__write__start(int fork, BlockNumber block,
		Oid tablespace, Oid database, Oid relation, int backend);
	probe smgr__md__write__done(int fork, BlockNumber block,
		Oid tablespace, Oid database, Oid relation, int backend,
		int bytes, int wanted);

	probe checkpoint__start(int flags);
	probe checkpoint__done(
		int written,		/* pages */
		int buffers,		/* pages that shared memory has */
		int added,		/* files of the log */
		int removed,
		int recycled);
	probe clog__checkpoint__start(int checkpoint);
	probe clog__checkpoint__done(int checkpoint);
	probe subtrans__checkpoint__start(int checkpoint);
	probe subtrans__checkpoint__done(int checkpoint);
	probe multixact__checkpoint__start(int checkpoint);
	probe multixact__checkpoint__done(int checkpoint);
	probe twophase__checkpoint__start();
	probe twophase__checkpoint__done();
	probe buffer__checkpoint__start(int flags);
	probe buffer__checkpoint__sync__start();
	probe buffer__checkpoint__done();
	probe buffer__sync__start(int buffers, int to_write);
	probe buffer__sync__written(int buffer);
	probe buffer__sync__done(int buffers, int written, int to_write);

	/* A record is added to the log. */
	probe wal__insert(uint8_t resource_manager, uint8_t info);
	probe wal__switch();
	probe wal__buffer__write__dirty__start();
	probe wal__buffer__write__dirty__done();
};
