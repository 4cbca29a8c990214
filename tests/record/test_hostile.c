/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reader and files that are damaged: truncated, random, with sizes that
 * overflow. It may find fewer events, and nothing worse may happen; build with
 * -Db_sanitize=address,undefined to see more. And a process whose answers are
 * not those of a recorder.
 */
#define _GNU_SOURCE
#include "../child.h"
#include "../descriptors.h"
#include "../slower.h"
#include "made.h"

#include <fcntl.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#include "attach.h"

enum {
	ROUNDS = 3000,
	CHANGES = 8,
};

static uint64_t seed = 88172645463325252;

static uint64_t random_number(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Reads all, in both ways; returns how many events there were. */
static uint64_t read_all(int fd)
{
	struct sdtkit_record_ring_info ring;
	uint64_t count = 0;
	char line[4096];
	uint32_t i;
	int way;

	for (way = 0; way < 3; way++) {
		static const unsigned int flags[] = {
			0, SDTKIT_RECORD_FOLLOW,
			SDTKIT_RECORD_FOLLOW | SDTKIT_RECORD_FROM_NOW,
		};

		if (sdtkit_record_open(fd, flags[way], &reader) < 0) {
			assert_int_not_equal(sdtkit_record_error()[0], '\0');
			continue;
		}
		while (sdtkit_record_next(reader, &item) > 0) {
			if (item.event == NULL)
				continue;
			count += way == 0;
			sdtkit_tap_format(item.event, line, sizeof(line));
		}
		look_at_info();
		for (i = 0; sdtkit_record_ring_info(reader, i, &ring); i++)
			;
		for (i = 0; sdtkit_record_probe_at(reader, i) != NULL; i++)
			;
		close_reader();
	}
	return count;
}

static void fill(enum sdtkit_record_mode mode)
{
	uint64_t i;

	make(4096, 3 * 8192, mode);
	for (i = 0; i < 500; i++)
		hit(i, "some text");
}

/* A copy that may have any size. */
static int copy_of(void)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, (off_t)made.output.size), 0);
	assert_int_equal(sdtkit_record_write_dump(made.output.file, fd, 0), 0);
	return fd;
}

MADE(test_truncated)
{
	struct stat status;
	int fd, i;

	fill(SDTKIT_RECORD_OVERWRITE);
	fd = copy_of();
	assert_true(read_all(fd) > 50);
	fstat(fd, &status);
	for (i = 0; i < ROUNDS / 10 / slower(); i++) {
		assert_int_equal(ftruncate(fd, (off_t)(random_number() %
			(uint64_t)status.st_size)), 0);
		assert_int_equal(read_all(fd), 0);
		close(fd);
		fd = copy_of();
	}
	close(fd);
}

/* The program that reads has no recorder, whose handler takes SIGBUS. */
static void truncate_before_next(unsigned int flags,
				 int expected)
{
	int fd = copy_of(), ret;

	signal(SIGBUS, SIG_DFL);
	assert_int_equal(sdtkit_record_open(fd, flags, &reader), 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	while ((ret = sdtkit_record_next(reader, &item)) > 0)
		;
	assert_int_equal(ret, expected);
	if (ret < 0)
		assert_string_equal(sdtkit_record_error(), "the file was "
				    "truncated while it was read");
	close_reader();
	close(fd);
}

MADE(test_truncated_before_next)
{
	fill(SDTKIT_RECORD_OVERWRITE);
	truncate_before_next(SDTKIT_RECORD_FOLLOW, -5);
	truncate_before_next(0, 0);
	fill(SDTKIT_RECORD_DISCARD);
	truncate_before_next(SDTKIT_RECORD_FOLLOW, -5);
}

static void truncate_for_ever(int fd)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		if (ftruncate(fd, (off_t)(random_number() %
					  made.output.size)) < 0 ||
		    sdtkit_record_write_dump(made.output.file, fd, 0) < 0)
			_exit(1);
	}
}

/* At any moment of an open and of a look at all that there is. */
MADE(test_truncated_meanwhile)
{
	pid_t child;
	int fd, i;

	fill(SDTKIT_RECORD_OVERWRITE);
	fd = copy_of();
	signal(SIGBUS, SIG_DFL);
	child = fork();
	if (child == 0)
		truncate_for_ever(fd);
	for (i = 0; i < ROUNDS / slower(); i++)
		read_all(fd);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(fd);
}

/* Where a change may matter: the parts of the file that are not empty. */
static uint64_t random_place(const struct sdtkit_record_file *file)
{
	switch (random_number() % 6) {
	case 0:
		return random_number() % 128;
	case 1:
		return random_number() % sizeof(*file);
	case 2:
		return file->slots_at + random_number() % 16;
	case 3:
		return file->texts_at + random_number() % 160;
	case 4:
		return file->rings_at + random_number() %
		       sizeof(struct sdtkit_record_ring);
	default:
		return file->data_at + random_number() % 4096;
	}
}

static void change(int fd, uint64_t place)
{
	static const uint64_t numbers[] = {
		0, 1, 7, 8, 0xff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff,
		UINT64_MAX, UINT64_MAX - 7, 1ull << 40, 0xfff0,
	};
	uint64_t number = random_number() % 3 == 0 ? random_number() :
			  numbers[random_number() % ROWS(numbers)];
	size_t size = (size_t)1 << random_number() % 4;

	place = place / size * size;
	assert_int_equal(pwrite(fd, &number, size, (off_t)place), size);
}

static void damage(enum sdtkit_record_mode mode)
{
	struct sdtkit_record_file *clean;
	int fd, i, j;

	fill(mode);
	clean = made.output.file;
	for (i = 0; i < ROUNDS / slower(); i++) {
		fd = copy_of();
		for (j = (int)(random_number() % CHANGES); j >= 0; j--)
			change(fd, random_place(clean));
		read_all(fd);
		close(fd);
	}
}

MADE(test_damaged)
{
	damage(SDTKIT_RECORD_OVERWRITE);
	damage(SDTKIT_RECORD_DISCARD);
}

MADE(test_other_files)
{
	static const char text[] = "this is not the file of a recorder";
	int fd = memfd_create("other", MFD_CLOEXEC), directory;
	uint64_t i;

	assert_int_equal(sdtkit_record_open(fd, 0, &reader), -8);
	assert_int_equal(write(fd, text, sizeof(text)), sizeof(text));
	assert_int_equal(sdtkit_record_open(fd, 0, &reader), -8);
	for (i = 0; i < 20000; i++) {
		uint64_t number = random_number();

		assert_int_equal(write(fd, &number, 8), 8);
	}
	assert_int_equal(sdtkit_record_open(fd, 0, &reader), -8);
	directory = open("/", O_RDONLY);
	assert_int_equal(sdtkit_record_open(directory, 0, &reader), -8);
	close(directory);
	close(fd);
}

/* A name that a terminal would obey is shown as other characters. */
MADE(test_escapes)
{
	char line[256];

	fill(SDTKIT_RECORD_OVERWRITE);
	((char *)made.output.file)[made.output.file->texts_at +
		sizeof(struct sdtkit_record_probe)] = '\033';
	open_reader(0);
	next_event();
	assert_string_equal(item.event->probe->provider, "\033ec");
	sdtkit_tap_format(item.event, line, sizeof(line));
	assert_memory_equal(line, "\\x1bec:step(", 12);
}

/* Adds a probe with one argument, a record of so many members; returns its id. */
static uint32_t describe_record(struct sdtkit_record_file *file,
				uint16_t members)
{
	const struct sdtkit_record_probe probe = { .field_count = 1 };
	struct sdtkit_record_field record = {
		.kind = SDTKIT_TAP_POINTER, .size = 8,
		.flags = SDTKIT_RECORD_HAS_RECORD,
		.record_size = members, .member_count = members,
	};
	static const struct sdtkit_record_field member = {
		.kind = SDTKIT_TAP_UNSIGNED, .size = 1, .bytes = 1,
	};
	struct sdtkit_record_slot *slots = (void *)((char *)file +
						    file->slots_at);
	uint32_t id = file->slots_used;
	uint64_t begin = file->slots_used * (uint64_t)(1 << 20);
	char *at = (char *)file + file->texts_at + begin;

	memcpy(at, &probe, sizeof(probe));
	at += sizeof(probe) + 4;
	memcpy(at, &record, sizeof(record));
	at += sizeof(record) + 4;
	for (; members > 0; members--) {
		memcpy(at, &member, sizeof(member));
		at += sizeof(member) + 4;
	}
	slots[id].at = begin;
	slots[id].size = (uint32_t)(at - (char *)file - file->texts_at -
				    begin);
	slots[id].ready = 1;
	file->slots_used++;
	return id;
}

/*
 * A probe whose text cannot be read is not read again, so that probes which
 * come later are seen.
 */
MADE(test_damaged_probe)
{
	struct sdtkit_record_slot *slots;
	uint32_t id;
	int i;

	fill(SDTKIT_RECORD_OVERWRITE);
	id = describe_record(made.output.file, 1);
	slots = (void *)((char *)made.output.file +
			 made.output.file->slots_at);
	/* Four times as much is almost all that the texts can have. */
	slots[id].size = (SDTKIT_RECORD_TEXTS >> 2) - 64;
	memset((char *)made.output.file + made.output.file->texts_at +
	       slots[id].at, 0xff, 64);
	open_reader(SDTKIT_RECORD_FOLLOW);
	for (i = 0; i < 8; i++) {
		hit(1, "again");
		read_to_end();
	}
	assert_null(sdtkit_record_probe_at(reader, 1));
	describe_record(made.output.file, 100);
	read_to_end();
	assert_non_null(sdtkit_record_probe_at(reader, 1));
}

/* More members than an event can have are no fault of the description. */
MADE(test_many_members)
{
	const struct sdtkit_tap_probe *probe;

	fill(SDTKIT_RECORD_OVERWRITE);
	describe_record(made.output.file, 4096);
	open_reader(0);
	probe = sdtkit_record_probe_at(reader, 1);
	assert_non_null(probe);
	assert_int_equal(probe->fields[0].member_count, 4096);
}

/* The first thread comes to a ring whose head another process has changed. */
MADE(test_heads)
{
	static const uint64_t heads[] = {
		1, 4, 4095, 4096 + 2, UINT64_MAX, UINT64_MAX - 4097,
	};
	size_t i;

	for (i = 0; i < ROWS(heads); i++) {
		int fd, j;

		make(4096, 1 << 16, SDTKIT_RECORD_OVERWRITE);
		atomic_store(&made.writer.rings[0].head, heads[i]);
		for (j = 0; j < 500; j++)
			hit((uint64_t)j, "some text");
		fd = copy_of();
		assert_true(read_all(fd) > 10);
		close(fd);
	}
}

/* A time that has not come yet: what is there is returned all the same. */
MADE(test_times_to_come)
{
	struct timespec pause = { .tv_nsec = 2000000 };
	struct sdtkit_record_entry *entry;
	int i, found = 0;

	make(4096, 1 << 16, SDTKIT_RECORD_BLOCK);
	hit(1, "one");
	hit(2, "two");
	/* Behind the OWNER. */
	entry = (void *)(made.writer.data + 40);
	assert_int_equal(entry->id, 0);
	entry->time += (uint64_t)1 << 60;
	open_reader(SDTKIT_RECORD_FOLLOW);
	for (i = 0; i < 100 && found < 2; i++) {
		while (sdtkit_record_next(reader, &item) > 0)
			assert_int_equal(item.event->values[0].bits,
					 ++found);
		nanosleep(&pause, NULL);
	}
	assert_int_equal(found, 2);
}

/*
 * The program overwrites the number at this place of its ring, and goes on: its
 * hits do not wait for a reader that cannot read them, but count as lost.
 */
static void go_on_behind(uint64_t number, bool in_data)
{
	enum { HITS = 200 };
	struct sdtkit_record_ring *ring;
	uint64_t at;
	int i;

	make(4096, 1 << 16, SDTKIT_RECORD_BLOCK);
	open_reader(SDTKIT_RECORD_FOLLOW);
	hit(1, "some text");
	while (read_to_end() == 0)
		;
	ring = &made.writer.rings[0];
	at = atomic_load(&ring->head);
	hit(2, "some text");
	if (in_data)
		memcpy(made.writer.data + at, &number, sizeof(number));
	else
		atomic_store(&ring->head, number);
	for (i = 0; i < HITS; i++) {
		assert_int_equal(read_to_end(), 0);
		hit(3, "some text");
	}
	read_to_end();
	sdtkit_record_end(reader);
	look_at_info();
	assert_int_equal(atomic_load(&ring->lost), 0);
	assert_int_equal(info.damaged, 1);
	assert_int_equal(info.lost, HITS + 1);
	assert_false(info.was_closed);
}

MADE(test_writer_of_a_damaged_ring)
{
	go_on_behind(0, true);
	go_on_behind(UINT64_MAX, true);
	go_on_behind(4, false);
	go_on_behind(UINT64_MAX, false);
}

/* What a process writes that does not stop at the end is not read for ever. */
MADE(test_end_of_a_writer_that_goes_on)
{
	int count = 0;

	make(4096, 1 << 16, SDTKIT_RECORD_BLOCK);
	open_reader(SDTKIT_RECORD_FOLLOW);
	hit(1, "one");
	hit(2, "two");
	sdtkit_record_end(reader);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_int_equal(item.event->values[0].bits, ++count);
		assert_true(count < 1000);
		atomic_store(&made.output.file->closed, 0);
		hit((uint64_t)count + 2, "more");
	}
	assert_true(count >= 2);
}

/* A wait ends although the head and the tail of a full ring are overwritten. */
MADE(test_writer_of_a_full_ring)
{
	struct sdtkit_record_ring *ring;
	pid_t child;
	int status;

	make(4096, 1 << 16, SDTKIT_RECORD_BLOCK);
	open_reader(SDTKIT_RECORD_FOLLOW);
	ring = &made.writer.rings[0];
	child = fork();
	if (child == 0) {
		while (atomic_load(&ring->events) < 500)
			hit(1, "some text");
		_exit(0);
	}
	while (atomic_load(&ring->head) < 4096 - 256)
		usleep(1000);
	atomic_store(&ring->tail, UINT64_MAX);
	atomic_store(&ring->head, 1 << 20);
	while (waitpid(child, &status, WNOHANG) == 0) {
		read_to_end();
		usleep(1000);
	}
	assert_int_equal(status, 0);
	assert_int_equal(atomic_load(&ring->lost), 0);
}

/* An answer of so many bytes, with so many descriptors. */
static void answer(int client, size_t size, int error, size_t count)
{
	struct sdtkit_record_answer text = { .error = error, .text = "no" };
	struct sdtkit_record_request request;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control = { .head = { CMSG_LEN(count * sizeof(int)), SOL_SOCKET,
				SCM_RIGHTS } };
	struct iovec part = { &text, size };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_SPACE(count * sizeof(int)),
	};

	memset(CMSG_DATA(&control.head), 0, count * sizeof(int));
	if (recv(client, &request, sizeof(request), 0) != sizeof(request) ||
	    sendmsg(client, &message, 0) < 0)
		_exit(1);
}

/* Listens in the name of this process, and answers three that ask. */
static int deceive(int ready)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t whole = sizeof(struct sdtkit_record_answer);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	int length = snprintf(address.sun_path + 1, 64, SDTKIT_RECORD_SOCKET,
			      (int)getpid());

	if (bind(fd, (void *)&address, (socklen_t)(offsetof(struct sockaddr_un,
				sun_path) + 1 + (size_t)length)) < 0 ||
	    listen(fd, 3) < 0 || write(ready, "", 1) != 1)
		return 1;
	answer(accept(fd, NULL, NULL), whole, -EINVAL, 1);
	answer(accept(fd, NULL, NULL), 1, 0, 1);
	answer(accept(fd, NULL, NULL), whole, 0, 2);
	return 0;
}

/* Descriptors in answers that are not good do not stay with the asker. */
TEST(test_descriptors_of_a_liar)
{
	int ready[2], before, fd;
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0)
		_exit(deceive(ready[1]));
	assert_int_equal(read(ready[0], &byte, 1), 1);
	before = count_descriptors();
	assert_int_equal(sdtkit_record_find(pid, &fd), -EINVAL);
	assert_int_equal(sdtkit_record_find(pid, &fd), -ECONNRESET);
	assert_int_equal(sdtkit_record_find(pid, &fd), 0);
	close(fd);
	assert_int_equal(count_descriptors(), before);
	assert_int_equal(status_of(pid), 0);
	close(ready[0]);
	close(ready[1]);
}
