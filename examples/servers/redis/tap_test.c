/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tap_test.c - a module of Redis that tests the probes of the server that it is
 * loaded into.
 *
 *	redis-server --loadmodule ./tap_test.so
 *	> TAP.OPEN
 *	> SET key value			what a client does here,
 *	> GET key			TAP.CHECK expects
 *	> GET nothing
 *	> LPUSH key item
 *	> TAP.CHECK
 *	OK
 *
 * redis_server.py sends that. The error of TAP.CHECK is the first expectation
 * that was not met.
 */
#include "redismodule.h"

#include <sdtkit/tap.h>

static struct sdtkit_tap *tap;

static int open_tap(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
	if (sdtkit_tap_open("redis:*,!redis:loop_*", &tap) < 0)
		return RedisModule_ReplyWithError(ctx, sdtkit_tap_error());
	return RedisModule_ReplyWithSimpleString(ctx, "OK");
}

/* One command of a client: its key, the reply in bytes, what it changed. */
static int expect(const char *command, const char *key, int found, int failed,
		  int changes, int bytes)
{
	return sdtkit_tap_expect(tap, "redis:command_start",
				 sdtkit_tap_str("command", command)) < 0 ||
	       sdtkit_tap_expect(tap, "redis:key_lookup",
				 sdtkit_tap_int("database", 0),
				 sdtkit_tap_str("key", key),
				 sdtkit_tap_int("found", found)) < 0 ||
	       sdtkit_tap_expect(tap, "redis:command_done",
				 sdtkit_tap_str("command", command),
				 sdtkit_tap_int("failed", failed),
				 sdtkit_tap_int("changes", changes)) < 0 ||
	       sdtkit_tap_expect(tap, "redis:client_write",
				 sdtkit_tap_int("bytes", bytes)) < 0;
}

static int is_as_expected(void)
{
	/* the rest of TAP.OPEN */
	if (sdtkit_tap_expect(tap, "redis:command_done",
			      sdtkit_tap_str("command", "tap.open")) < 0 ||
	    sdtkit_tap_expect(tap, "redis:client_write",
			      sdtkit_tap_int("bytes", 5)) < 0)
		return 0;
	/* +OK; $5, value; $-1; -WRONGTYPE and what it means */
	if (expect("set", "key", 0, 0, 1, 5) ||
	    expect("get", "key", 1, 0, 0, 11) ||
	    expect("get", "nothing", 0, 0, 0, 5) ||
	    expect("lpush", "key", 1, 1, 0, 68))
		return 0;
	return sdtkit_tap_expect(tap, "redis:command_start",
				 sdtkit_tap_str("command", "tap.check"),
				 sdtkit_tap_int("arguments", 1)) >= 0 &&
	       sdtkit_tap_expect_none(tap, "redis:command_*") >= 0 &&
	       sdtkit_tap_expect_none(tap, "redis:client_open") >= 0;
}

static int check(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
	int good = is_as_expected();

	if (good)
		RedisModule_ReplyWithSimpleString(ctx, "OK");
	else
		RedisModule_ReplyWithError(ctx, sdtkit_tap_error());
	sdtkit_tap_close(tap);
	return REDISMODULE_OK;
}

int RedisModule_OnLoad(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
	if (RedisModule_Init(ctx, "tap", 1, REDISMODULE_APIVER_1) ==
	    REDISMODULE_ERR)
		return REDISMODULE_ERR;
	if (RedisModule_CreateCommand(ctx, "tap.open", open_tap, "", 0, 0, 0) ==
	    REDISMODULE_ERR)
		return REDISMODULE_ERR;
	return RedisModule_CreateCommand(ctx, "tap.check", check, "", 0, 0, 0);
}
