/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of records: by name, in expectations and in events. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "key.h"
#include "record_value.h"
#include "tap_all.h"

struct request {
	uint64_t mid;
	int left;
	char host[16];
	uint16_t port;
	const char *user;
	void *next;
	uint8_t id[4];
	int16_t grid[2][3];
	int64_t numbers[300];
	int modes[3];
};

#include "records_probes.h"

static struct request request = {
	.mid = UINT64_MAX,
	.left = -5,
	.host = "a.example",
	.port = 445,
	.user = "bob",
	.id = { 1, 2, 3, 255 },
	.grid = { { 1, 2, 3 }, { -4, -5, -6 } },
};

TEST(test_members)
{
	struct sdtkit_tap *tap = open_tap("recs:*");

	request.next = &request;
	RECS_DONE(1, &request, 2);
	good(sdtkit_tap_expect(tap, "recs:done",
			       sdtkit_tap_int("before", 1),
			       sdtkit_tap_uint("req.mid", UINT64_MAX),
			       /*
			        * In the list of values, members come after
			        * their argument.
			        */
			       sdtkit_tap_int(NULL, 2),
			       sdtkit_tap_int("req.s1", -5),
			       sdtkit_tap_uint("req.yes", 1),
			       sdtkit_tap_int("req.letter", 'a'),
			       sdtkit_tap_int("req.kind", 7),
			       sdtkit_tap_int("req.left", -5),
			       sdtkit_tap_str("req.peer.host", "a.ex..."),
			       sdtkit_tap_uint("req.peer.port", 445),
			       sdtkit_tap_str("req.user", "bob"),
			       sdtkit_tap_like("req.path", "b*"),
			       sdtkit_tap_pointer("req.next", &request),
			       sdtkit_tap_int("req.word", -5),
			       sdtkit_tap_uint("req.id[3]", 255),
			       sdtkit_tap_int("req.grid[0][0]", 1),
			       sdtkit_tap_int("req.grid[1][2]", -6),
			       sdtkit_tap_any("req.id"),
			       sdtkit_tap_any("req"),
			       sdtkit_tap_str("1.user", "bob"),
			       sdtkit_tap_str("req.tag", "...")));
	sdtkit_tap_close(tap);
}

TEST(test_alias)
{
	struct sdtkit_tap *tap = open_tap("akin:*");

	RECS_DONE(1, &request, 2);
	good(sdtkit_tap_expect(tap, "akin:done",
			       sdtkit_tap_uint("req.peer.port", 445)));
	sdtkit_tap_close(tap);
}

/* The message of a failed expectation names the member and its value. */
TEST(test_messages)
{
	struct sdtkit_tap *tap = open_tap("recs:*");

	RECS_DONE(1, &request, 2);
	bad(EILSEQ, "\nreq.peer.port: expected 80, is 445",
	    sdtkit_tap_expect(tap, "recs:done",
			      sdtkit_tap_int("req.peer.port", 80)));
	bad(EILSEQ, "\nreq.grid[1][0]: expected 4, is -4",
	    sdtkit_tap_expect(tap, "recs:done",
			      sdtkit_tap_int("req.grid[1][0]", 4)));
	bad(EILSEQ, "\nreq.id: expected 4, is [1 2 3 255]",
	    sdtkit_tap_expect(tap, "recs:done", sdtkit_tap_int("req.id", 4)));
	bad(EILSEQ, "peer={host=\"a.ex...\" port=445} user=\"bob\"",
	    sdtkit_tap_expect(tap, "recs:done", sdtkit_tap_int("before", 4)));
	bad(EINVAL, "has no argument req.peer.prot; similar ones: "
	    "req.peer.port", sdtkit_tap_expect(tap, "recs:done",
				sdtkit_tap_int("req.peer.prot", 1)));
	bad(EINVAL, "it has 3: before, req, status; req has mid, s1, ",
	    sdtkit_tap_expect(tap, "recs:done", sdtkit_tap_int("req.x", 1)));
	bad(EINVAL, "has no argument before.x; similar ones: before; it has 3",
	    sdtkit_tap_expect(tap, "recs:done",
			      sdtkit_tap_int("before.x", 1)));
	sdtkit_tap_close(tap);
}

static const char *const no_parts[] = {
	"req.", "req..", ".", ".mid", "req.peer", "req.peer.", "req.mid.x",
	"req.mid[0]", "req.id[4]", "req.id[-1]", "req.id[ 1]", "req.id[",
	"req.id[1", "req.id[]", "req.id[1]x", "req.id[1][0]", "req.grid[0]",
	"req.grid[2][0]", "req.grid[0][3]", "req[0]", "req.tag[0]",
	"req.id[99999999999999999999]", "3.mid", "-1.mid", "1x.mid",
};

TEST(test_no_such_part)
{
	struct sdtkit_tap *tap = open_tap("recs:*");
	size_t i;

	RECS_DONE(1, &request, 2);
	for (i = 0; i < ROWS(no_parts); i++)
		bad(EINVAL, "has no argument ",
		    sdtkit_tap_expect(tap, "recs:done",
				      sdtkit_tap_any(no_parts[i])));
	sdtkit_tap_close(tap);
}

TEST(test_event)
{
	struct sdtkit_tap *tap = open_tap("recs:done");
	const struct sdtkit_tap_event *event;
	const struct sdtkit_tap_field *field;
	const struct sdtkit_tap_value *value;
	char line[512];

	request.next = NULL;
	RECS_DONE(1, &request, 2);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	field = &event->probe->fields[1];
	value = &event->values[1];
	assert_int_equal(field->member_count, 15);
	assert_string_equal(field->members[6].name, "peer.host");
	assert_string_equal(field->members[6].wire, "a8");
	assert_string_equal(field->members[12].type, "uint8_t[4]");
	assert_int_equal(event->probe->fields[0].member_count, 0);
	assert_int_equal(value->kind, SDTKIT_TAP_POINTER);
	assert_int_equal(value->member_count, 15);
	assert_int_equal(value->members[12].kind, SDTKIT_TAP_ARRAY);
	assert_int_equal(sdtkit_tap_element(&value->members[12], 3), 255);
	assert_int_equal(sdtkit_tap_element(&value->members[12], 4), 0);
	assert_int_equal((int64_t)sdtkit_tap_element(&value->members[13], 5),
			 -6);
	sdtkit_tap_format(event, line, sizeof(line));
	assert_string_equal(line, "recs:done(before=1, req={"
		"mid=18446744073709551615 s1=-5 yes=true letter=97 kind=LARGE(7) "
		"left=-5 peer={host=\"a.ex...\" port=445} user=\"bob\" "
		"path=\"bob\" next=NULL word=-5 id=[1 2 3 255] "
		"grid=[[1 2 3] [-4 -5 -6]] tag=\"...\"}, status=2)");
	sdtkit_tap_close(tap);
}

/* An expectation takes the number. */
TEST(test_names)
{
	struct sdtkit_tap *tap = open_tap("recs:named");
	const struct sdtkit_tap_event *event;
	const struct sdtkit_tap_field *op;
	char line[256];

	request.modes[0] = 1;
	request.modes[1] = 3;
	request.modes[2] = -1;
	RECS_NAMED(2, 1, &request);
	good(sdtkit_tap_expect(tap, "recs:named", sdtkit_tap_int("op", 2),
			       sdtkit_tap_int("kind", 1),
			       sdtkit_tap_int("req.modes[2]", -1)));
	RECS_NAMED(2, 7, &request);
	bad(EILSEQ, "op: expected READ, is WRITE\nkind: expected SMALL, is "
	    "LARGE\nreq.modes[2]: expected WRITE, is LAST",
	    sdtkit_tap_expect(tap, "recs:named",
			      sdtkit_tap_name("op", "READ"),
			      sdtkit_tap_name("kind", "SMALL"),
			      sdtkit_tap_name("req.modes[2]", "WRITE")));
	bad(EINVAL, "no value of op has the name LARGE; the names are: READ "
	    "WRITE LAST", sdtkit_tap_expect(tap, "recs:named",
					    sdtkit_tap_name("op", "LARGE")));
	good(sdtkit_tap_expect(tap, "recs:named",
			       sdtkit_tap_name(NULL, "WRITE"),
			       sdtkit_tap_name(NULL, "LARGE"),
			       sdtkit_tap_name("req.modes[2]", "LAST"),
			       sdtkit_tap_name("req.mode", "WRITE")));
	RECS_NAMED(-1, 7, &request);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	sdtkit_tap_format(event, line, sizeof(line));
	assert_string_equal(line, "recs:named(op=LAST(-1), kind=LARGE(7), "
			    "req={modes=[READ(1) 3 LAST(-1)] mode=WRITE(2) "
			    "op=-5})");
	op = &event->probe->fields[0];
	assert_int_equal(op->enumerator_count, 3);
	assert_string_equal(op->enumerators[1].name, "WRITE");
	assert_int_equal(op->enumerators[2].value, -1);
	assert_string_equal(sdtkit_tap_value_name(op, 1), "READ");
	assert_null(sdtkit_tap_value_name(op, 0));
	assert_null(sdtkit_tap_value_name(&event->probe->fields[2], 1));
	sdtkit_tap_close(tap);
}

/* A record of the largest size that is allowed, with one text in it. */
TEST(test_large)
{
	struct sdtkit_tap *tap = open_tap("recs:*"), *cut;

	cut = open_with("recs:large", .string_limit = 4);
	RECS_LARGE(&request);
	good(sdtkit_tap_expect(tap, "recs:large",
			       sdtkit_tap_str("req.text", "a.example")));
	good(sdtkit_tap_expect(cut, "recs:large",
			       sdtkit_tap_like("req.text", "a.ex")));
	sdtkit_tap_close(cut);
	/* Two of 2408 bytes are more than there is space for. */
	RECS_TWICE(&request, &request);
	good(sdtkit_tap_expect(tap, "recs:twice",
			       sdtkit_tap_int("req.b", -5)));
	RECS_TWICE(&request, &request);
	bad(EILSEQ, "other.b: expected -5, is ? (the records before it took "
	    "the space)", sdtkit_tap_expect(tap, "recs:twice",
				sdtkit_tap_int("other.b", -5)));
	sdtkit_tap_close(tap);
}

/*
 * An argument that should be the address of a record and is not a valid one, as
 * after an error in a program.
 */
TEST(test_no_memory)
{
	static const struct sdtkit_layout_member member = {
		"m", "int", "u4", 0, 4, 4, { 0, 0 }, "", NULL,
	};
	static const struct sdtkit_layout layout = { 8, 1, &member };
	static const struct {
		uintptr_t address;
		const char *why;
		const char *line;
	} cases[] = {
		{ 0, "the record's address is NULL", "p:n(req=NULL)" },
		{ 1, "there is no memory at that address",
		  "p:n(req=0x1 (there is no memory at that address))" },
	};
	struct sdtkit_tap_record *record = sdtkit_tap_new_record(&layout);
	const struct sdtkit_tap_field member_field = { .name = "m" };
	const struct sdtkit_tap_field field = {
		.name = "req", .member_count = 1, .members = &member_field,
	};
	const struct sdtkit_tap_probe probe = {
		.provider = "p", .probe = "n", .field_count = 1,
		.fields = &field,
	};
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		struct sdtkit_tap_event event = {
			.probe = &probe, .value_count = 1,
		};
		struct sdtkit_tap_value members[1], value;
		struct sdtkit_tap_part part;
		char bytes[8], line[128];
		struct sdtkit_tap_space space = {
			.bytes = bytes, .bytes_left = sizeof(bytes),
			.members = members, .members_left = 1,
		};

		event.values[0].kind = SDTKIT_TAP_POINTER;
		event.values[0].bits = cases[i].address;
		sdtkit_tap_copy_record(record, getpid(), &event.values[0],
				       &space);
		assert_null(event.values[0].members);
		assert_true(sdtkit_tap_find_part(&probe, "req.m", -1, &part));
		value = sdtkit_tap_value_of_part(&event, &part);
		assert_int_equal(value.kind, SDTKIT_TAP_UNREADABLE);
		assert_string_equal(value.why, cases[i].why);
		sdtkit_tap_format(&event, line, sizeof(line));
		assert_string_equal(line, cases[i].line);
	}
	free(record);
}

/*
 * Members beyond SDTKIT_TAP_MEMBERS_MAX are left out, and the formatted event
 * shows that.
 */
TEST(test_many_members)
{
	enum { COUNT = SDTKIT_TAP_MEMBERS_MAX + 1 };
	static struct sdtkit_layout_member members[COUNT];
	static struct sdtkit_tap_field fields[COUNT];
	static struct sdtkit_tap_value values[SDTKIT_TAP_MEMBERS_MAX];
	static char source[COUNT], bytes[COUNT], line[4096];
	const struct sdtkit_layout layout = { COUNT, COUNT, members };
	const struct sdtkit_tap_field field = {
		.name = "r", .type = "", .member_count = COUNT,
		.members = fields,
	};
	const struct sdtkit_tap_probe probe = {
		.provider = "p", .probe = "n", .field_count = 1,
		.fields = &field,
	};
	struct sdtkit_tap_event event = { .probe = &probe, .value_count = 1 };
	struct sdtkit_tap_space space = {
		.bytes = bytes, .bytes_left = sizeof(bytes),
		.members = values, .members_left = ROWS(values),
	};
	struct sdtkit_tap_record *record;
	struct sdtkit_tap_value value;
	struct sdtkit_tap_part part;
	unsigned int i;

	for (i = 0; i < COUNT; i++) {
		members[i] = (struct sdtkit_layout_member) {
			"m", "int", "u1", i, 1, 1, { 0, 0 }, "", NULL,
		};
		fields[i] = (struct sdtkit_tap_field) {
			.name = i < COUNT - 1 ? "m" : "z", .type = "",
		};
	}
	record = sdtkit_tap_new_record(&layout);
	event.values[0].kind = SDTKIT_TAP_POINTER;
	event.values[0].bits = (uintptr_t)source;
	sdtkit_tap_copy_record(record, getpid(), &event.values[0], &space);
	assert_int_equal(event.values[0].member_count, COUNT - 1);
	assert_true(event.values[0].cut);
	sdtkit_tap_format(&event, line, sizeof(line));
	assert_non_null(strstr(line, " m=0 ...})"));
	assert_true(sdtkit_tap_find_part(&probe, "r.z", -1, &part));
	value = sdtkit_tap_value_of_part(&event, &part);
	assert_string_equal(value.why, "the event has more members than are "
			    "kept");
	free(record);
}

/*
 * Arguments that are addresses, but not of records, are printed as addresses.
 */
TEST(test_plain)
{
	struct sdtkit_tap *tap = open_tap("recs:plain");
	const struct sdtkit_tap_event *event;

	RECS_PLAIN(&request, &request);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_null(event->values[0].members);
	assert_null(event->values[1].members);
	sdtkit_tap_close(tap);
}
