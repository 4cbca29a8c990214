/* SPDX-License-Identifier: BSD-2-Clause */

/* as CHILD_TYPE_* of server.h */
enum redis_child { NONE, RDB, AOF, LDB, MODULE };
#pragma sdtkit names redis_child purpose
/* as BLOCKED_* of server.h */
enum redis_block { NOTHING, LIST, WAIT, BY_MODULE, STREAM, ZSET, POSTPONE,
	SHUTDOWN };
#pragma sdtkit names redis_block reason

/* A command, as INFO commandstats counts it: in a transaction or a script, too.
 * Its errors are those of failed_calls. */
#pragma sdtkit span command start=command_start end=command_done key=tid
#pragma sdtkit span command name=command error=failed sum=changes
/* A client waits, in BLPOP say. */
#pragma sdtkit span blocked start=client_block end=client_unblock key=client
#pragma sdtkit span blocked name=reason
/* A client, from its connection to its end. */
#pragma sdtkit span connection start=client_open end=client_close key=client
/* What the event loop does between two waits. While it lasts, nobody else is
 * served. */
#pragma sdtkit span cycle start=loop_wake end=loop_wait key=tid
/* The snapshot is written, by a child or by SAVE. */
#pragma sdtkit span save start=save_start end=save_done key=tid error=status
/* The append-only file is written, by the thread of the commands. */
#pragma sdtkit span append start=append_start end=append_done key=tid
#pragma sdtkit span append error=written<0 sum=written
/* It is brought to the disk, by a thread of its own unless appendfsync is
 * always. */
#pragma sdtkit span fsync start=fsync_start end=fsync_done key=tid

/* Redis 7.0: commands, clients, keys, files and the event loop. */
provider redis {
	/* A command begins. */
	probe command_start(
		uint64_t client,	/* id of the client, as in CLIENT LIST */
		char *command,		/* its name, as in COMMAND LIST */
		int arguments);		/* with the name */

	/* It has ended, or its client waits now. */
	probe command_done(
		uint64_t client,
		char *command,
		int64_t usec,		/* its duration, as the server measured */
		uint64_t failed,	/* 1 if it has answered an error */
		int64_t changes);	/* of keys */

	/* A command was refused: the memory is full, say. */
	probe command_reject(uint64_t client, sdtkit_str_t command);

	/* A client is connected. */
	probe client_open(uint64_t client, int fd, char *address);
	/* A client ends; fd is -1 if it is none of the network. */
	probe client_close(uint64_t client, int fd);
	/* Bytes were read from a client. */
	probe client_read(uint64_t client, int bytes);
	/* Replies were written to a client. */
	probe client_write(uint64_t client, ssize_t bytes);
	/* A client waits. */
	probe client_block(uint64_t client, int reason);
	/* It does not wait any more. */
	probe client_unblock(uint64_t client);

	/* A key was looked up. */
	probe key_lookup(
		int database,
		char *key,
		bool found,
		bool counted);		/* in keyspace_hits or keyspace_misses */
	/* A key has reached the end of its time. */
	probe key_expire(int database, char *key);
	/* A key had to make room. */
	probe key_evict(int database, char *key);

	/* The event loop wakes up. */
	probe loop_wake();
	/* It is about to wait. */
	probe loop_wait();

	/* A child was started. */
	probe fork(int purpose, pid_t child, int64_t usec);
	/* The snapshot is written to this file. */
	probe save_start(char *file);
	/* It is written; status is 0, or an errno. */
	probe save_done(int status);
	/* The append-only file is written. */
	probe append_start(uint64_t bytes);
	/* written is -1 if it could not be written. */
	probe append_done(ssize_t written);
	/* The append-only file is brought to the disk. */
	probe fsync_start(int fd);
	/* It is there. */
	probe fsync_done(int fd);
};
