/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See create.h, and file.h for the layout. The file is sparse: a ring takes
 * memory when a thread takes it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/clock.h"
#include "create.h"
#include "read_parts.h"

enum {
	ALIGN = SDTKIT_RECORD_PAGE,
	ATTEMPTS = 1000,
	/* Free addresses on both sides of the file. */
	FAR_GIB = 4,
};

static uint64_t align(uint64_t size)
{
	return (size + ALIGN - 1) / ALIGN * ALIGN;
}

/*
 * The kernel itself does not trust ticks that stop, or that differ between
 * processors: then its source of time is another one.
 */
static bool ticks_are_good(void)
{
#ifdef __x86_64__
	static const char path[] = "/sys/devices/system/clocksource/"
				   "clocksource0/current_clocksource";
	unsigned int a, b, c, d = 0;
	char source[32] = "";
	int may_read = 0, fd;

	__asm__("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
		: "a" (0x80000007), "c" (0));
	if (!(d & 1 << 8) || (prctl(PR_GET_TSC, &may_read) == 0 &&
			      may_read != PR_TSC_ENABLE))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (read(fd, source, sizeof(source) - 1) < 0)
		source[0] = '\0';
	close(fd);
	return strncmp(source, "hpet", 4) != 0 &&
	       strncmp(source, "acpi_pm", 7) != 0 &&
	       strncmp(source, "jiffies", 7) != 0;
#else
	return false;
#endif
}

static void name_program(char *to, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", to, size - 1);

	/* The main thread has ended. */
	if (length < 0)
		length = readlink("/proc/thread-self/exe", to, size - 1);
	to[length > 0 ? length : 0] = '\0';
}

/* The offsets, and in file->size the size of all. */
static int lay_out(const struct sdtkit_record_settings *settings,
		   struct sdtkit_record_file *file)
{
	uint64_t size = settings->size != 0 ? settings->size :
			SDTKIT_RECORD_SIZE, rings;

	file->ring_size = settings->ring_size != 0 ? settings->ring_size :
			  SDTKIT_RECORD_RING;
	if (file->ring_size < SDTKIT_RECORD_RING_MIN ||
	    file->ring_size > SDTKIT_RECORD_RING_MAX ||
	    (file->ring_size & (file->ring_size - 1)) != 0)
		return sdtkit_record_fail(EINVAL, "a ring has to have a power "
					  "of two of bytes, from %d KiB to %d "
					  "MiB", SDTKIT_RECORD_RING_MIN >> 10,
					  SDTKIT_RECORD_RING_MAX >> 20);
	file->slot_count = SDTKIT_RECORD_SLOTS;
	file->texts_size = SDTKIT_RECORD_TEXTS;
	file->slots_at = align(sizeof(*file));
	file->texts_at = file->slots_at + align(file->slot_count *
		sizeof(struct sdtkit_record_slot));
	file->rings_at = file->texts_at + align(file->texts_size);
	rings = size / (file->ring_size + sizeof(struct sdtkit_record_ring));
	if (rings > SDTKIT_RECORD_RINGS_MAX)
		rings = SDTKIT_RECORD_RINGS_MAX;
	if (rings == 0)
		return sdtkit_record_fail(EINVAL, "a size of %llu bytes does "
					  "not hold one ring of %u and its head",
					  (unsigned long long)size,
					  file->ring_size);
	file->ring_count = (uint32_t)rings;
	file->data_at = file->rings_at +
			align(rings * sizeof(struct sdtkit_record_ring));
	file->size = file->data_at + rings * file->ring_size;
	return 0;
}

static int open_named(const char *directory, const char *kind, char *path)
{
	static unsigned int count;
	int i, fd = -1, error;

	for (i = 0; fd < 0 && i < 100; i++) {
		int length = snprintf(path, PATH_MAX, "%s/sdtkit-%s-%d.%u",
				      directory, kind, (int)getpid(), ++count);

		if (length >= PATH_MAX)
			return sdtkit_record_fail(ENAMETOOLONG, "%s: %s",
				directory, strerror(ENAMETOOLONG));
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
			  O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0) {
		fd = sdtkit_record_above_standard(fd);
		if (fd >= 0)
			return fd;
		error = errno;
		unlink(path);
		errno = error;
	}
	/* ENOENT is kept for "no probe matches". */
	if (errno == ENOENT)
		return sdtkit_record_fail(ENOTDIR, "%s: there is no such "
					  "directory", directory);
	return sdtkit_record_fail(errno, "%s: %s", path, strerror(errno));
}

/* As in sdtkit_record_tick(): the attempt that took the fewest ticks. */
static void note_clocks(uint32_t clock, struct sdtkit_record_clock *pair)
{
	const struct sdtkit_record_writer of = {
		.clock = clock, .read_clock = sdtkit_record_monotonic,
	};
	uint64_t best = UINT64_MAX;
	int i;

	for (i = 0; i < 3; i++) {
		uint64_t before = sdtkit_record_now(&of);
		uint64_t time = sdtkit_record_monotonic();
		uint64_t took = sdtkit_record_now(&of) - before;

		if (took >= best)
			continue;
		best = took;
		atomic_store(&pair->time, time);
		atomic_store(&pair->ticks, before + took / 2);
	}
}

/* The second pair is that of the first writer, see writer.c. */
static void start_clock(struct sdtkit_record_file *file)
{
	if (file->clock == SDTKIT_RECORD_TICKS)
		note_clocks(file->clock, &file->clocks[0]);
	else
		atomic_store(&file->clock_due, UINT64_MAX);
}

static uint64_t find_time_namespace(void)
{
	struct stat status;

	return stat("/proc/self/ns/time", &status) == 0 ? status.st_ino : 0;
}

/* Writes what does not change, and last what tells that it is complete. */
static void begin(const struct sdtkit_record_settings *settings,
		  const struct sdtkit_record_file *layout,
		  struct sdtkit_record_file *file)
{
	*file = *layout;
	file->version = SDTKIT_RECORD_VERSION;
	file->byte_order = SDTKIT_RECORD_BYTE_ORDER;
	file->word_size = sizeof(long);
	file->mode = settings->mode;
	file->string_limit = settings->string_limit;
	file->content = settings->content;
	file->pid_namespace = settings->pid_namespace;
	file->time_namespace = find_time_namespace();
	file->patience_ms = settings->patience_ms;
	file->clock = ticks_are_good() ? SDTKIT_RECORD_TICKS :
					 SDTKIT_RECORD_MONOTONIC;
	file->pid = (uint32_t)getpid();
	file->uid = (uint32_t)geteuid();
	if (settings->patterns != NULL)
		snprintf(file->patterns, sizeof(file->patterns), "%s",
			 settings->patterns);
	file->start_monotonic = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	file->start_realtime = sdtkit_nanoseconds(CLOCK_REALTIME);
	start_clock(file);
	atomic_thread_fence(memory_order_release);
	memcpy(file->magic, SDTKIT_RECORD_MAGIC, sizeof(file->magic));
}

/*
 * At an address that is far from what is mapped now: the stubs of jumps have to
 * be 1.94 GiB below their sites, those of libraries that are loaded later too.
 */
static void *map_far(int fd, uint64_t size)
{
	size_t apart = (size_t)FAR_GIB << 30;
	char *all = MAP_FAILED;

	if (sizeof(void *) >= sizeof(uint64_t))
		all = mmap(NULL, align(size) + 2 * apart, PROT_NONE, MAP_PRIVATE |
			   MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	/* A limit of address space, maybe. */
	if (all == MAP_FAILED)
		return mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (mmap(all + apart, size, PROT_READ | PROT_WRITE, MAP_SHARED |
		 MAP_NORESERVE | MAP_FIXED, fd, 0) == MAP_FAILED) {
		int error = errno;

		munmap(all, align(size) + 2 * apart);
		errno = error;
		return MAP_FAILED;
	}
	munmap(all, apart);
	munmap(all + apart + align(size), apart);
	return all + apart;
}

int sdtkit_record_resize(int fd, uint64_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur)
		return -EFBIG;
	return ftruncate(fd, (off_t)size) < 0 ? -errno : 0;
}

/* A signal that comes all the time, as that of a profiler, interrupts it. */
static int allocate(int fd, uint64_t from, uint64_t size)
{
	int error, i = 0;

	do {
		error = posix_fallocate(fd, (off_t)from, (off_t)size);
	} while (error == EINTR && ++i < ATTEMPTS);
	return error;
}

/* Checks the header, and keeps the numbers that writers go by. */
static int keep_header(struct sdtkit_record_output *output)
{
	struct sdtkit_record_map map = {
		.file = output->file, .size = output->size,
	};
	char *file = (char *)output->file;
	int ret = sdtkit_record_read_header(&map);

	output->slots = (void *)(file + map.slots_at);
	output->texts = file + map.texts_at;
	output->rings = (void *)(file + map.rings_at);
	output->data = (void *)(file + map.data_at);
	output->texts_size = map.texts_size;
	output->slot_count = map.slot_count;
	output->ring_count = map.ring_count;
	output->ring_size = map.ring_size;
	return ret;
}

/* Maps the file. All but the rings, which get memory later, has memory now. */
static int map(const struct sdtkit_record_file *layout,
	       struct sdtkit_record_output *output)
{
	int fd = output->descriptor.fd, error;
	void *at;

	error = -sdtkit_record_resize(fd, layout->size);
	if (error == 0)
		error = allocate(fd, 0, layout->texts_at + ALIGN);
	if (error == 0)
		error = allocate(fd, layout->rings_at,
				 layout->data_at - layout->rings_at);
	at = error == 0 ? map_far(fd, layout->size) : MAP_FAILED;
	if (error == 0 && at == MAP_FAILED)
		error = errno;
	if (error != 0)
		return sdtkit_record_fail(error, "%s: %s",
			output->path[0] != '\0' ? output->path :
			"a file in memory", strerror(error));
	output->file = at;
	output->size = layout->size;
	return 0;
}

/*
 * Returns the descriptor, or -errno. The lock stays until no process has the
 * file any more: a mapping keeps what was opened, and so does a child's.
 */
static int open_output(const struct sdtkit_record_settings *settings,
		       const char *program, char *path)
{
	int fd;

	if (settings->directory != NULL) {
		sdtkit_record_remove_left(settings->directory, program,
					  settings->kept);
		fd = open_named(settings->directory, "recorder", path);
		if (fd >= 0)
			flock(fd, LOCK_SH | LOCK_NB);
		return fd;
	}
	fd = sdtkit_record_above_standard(memfd_create(SDTKIT_RECORD_FILE_NAME,
				MFD_CLOEXEC | MFD_ALLOW_SEALING));
	return fd >= 0 ? fd : sdtkit_record_fail(errno, "memfd_create: %s",
						 strerror(errno));
}

int sdtkit_record_create(const struct sdtkit_record_settings *settings,
			 struct sdtkit_record_output *output)
{
	struct sdtkit_record_file *layout = calloc(1, sizeof(*layout));
	int ret = layout != NULL ? lay_out(settings, layout) :
				   sdtkit_record_no_memory(), fd = -1;

	output->path[0] = '\0';
	output->descriptor.fd = -1;
	output->file = NULL;
	if (ret == 0) {
		name_program(layout->program, sizeof(layout->program));
		ret = fd = open_output(settings, layout->program,
				       output->path);
	}
	if (fd >= 0) {
		sdtkit_record_note_descriptor(&output->descriptor, fd);
		ret = map(layout, output);
	}
	if (ret == 0) {
		begin(settings, layout, output->file);
		ret = keep_header(output);
	}
	if (ret == 0) {
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
		      F_SEAL_SEAL);
	} else if (fd >= 0) {
		sdtkit_record_drop(&output->descriptor);
		if (output->path[0] != '\0')
			unlink(output->path);
	}
	free(layout);
	return ret;
}

int sdtkit_record_join_file(int fd, struct sdtkit_record_output *output)
{
	struct sdtkit_record_map map = { .file = NULL };
	int ret = sdtkit_record_map(fd, true, &map);
	void *at;

	output->path[0] = '\0';
	output->descriptor.fd = -1;
	output->file = NULL;
	if (ret < 0)
		return ret;
	output->size = map.size;
	sdtkit_record_unmap(&map);
	at = map_far(fd, output->size);
	if (at == MAP_FAILED)
		return sdtkit_record_fail(errno, "cannot map the file: %s",
					  strerror(errno));
	/* It would be in the core dumps of all programs that have it. */
	madvise(at, output->size, MADV_DONTDUMP);
	output->file = at;
	return keep_header(output);
}

void sdtkit_record_abandon(struct sdtkit_record_output *output)
{
	sdtkit_record_drop(&output->descriptor);
}

void sdtkit_record_release(struct sdtkit_record_output *output)
{
	if (output->file != NULL)
		munmap(output->file, output->size);
	output->file = NULL;
	sdtkit_record_abandon(output);
}

uint64_t sdtkit_record_monotonic(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

const char *sdtkit_record_directory(void)
{
	const char *directory = secure_getenv("XDG_RUNTIME_DIR");

	return directory != NULL && directory[0] == '/' &&
	       access(directory, W_OK) == 0 ? directory : "/dev/shm";
}
