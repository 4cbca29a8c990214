/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring for a new thread, or for a new process. See write.h for the rules.
 *
 * A thread does not give its ring back. A thread that needs a ring takes, of
 * those whose thread has ended, one that has been read, and if there are no free
 * ones any more, the one that was written to longest ago. The contents stay
 * until they are overwritten. So it does not matter how a thread ends.
 *
 * The child of a vfork() has the memory of its parent, whose thread goes on
 * with it later. If that thread has a lane, the child writes with it; otherwise
 * it is a guest, which has a ring for one hit at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "reader.h"
#include "system.h"
#include "write.h"

enum {
	/* At how many rings a thread looks before it takes a new one. */
	SEARCHED = 4,
};

static long call(long number, long a, long b, long c)
{
	return sdtkit_record_system(number, a, b, c, 0, 0, 0);
}

/* Whose a ring is. */
struct owner {
	/* The thread's numbers, and those of the file's PID namespace. */
	uint32_t pid;
	uint32_t tid;
	uint32_t shown_pid;
	uint32_t shown_tid;
	uint32_t level;
	/* The inode of its PID namespace; 0: not known. */
	uint64_t pid_namespace;
	/* The process may be the child of a vfork(). */
	bool is_guest;
};

/* Whether the thread that the ring belongs to exists. */
static bool is_alive(const struct owner *self, struct sdtkit_record_ring *ring)
{
	/* Numbers of another PID namespace mean other threads here. */
	if (self->pid_namespace == 0 ||
	    ring->pid_namespace != self->pid_namespace)
		return true;
	return call(SYS_tgkill, (long)ring->own_pid, (long)ring->own_tid, 0) !=
	       -ESRCH;
}

/* Backs the first step; others get memory when they are needed: advance.c. */
static bool back_first(const struct sdtkit_record_writer *writer, uint32_t i)
{
	uint32_t size = sdtkit_record_step_size(writer);

	if (!sdtkit_record_back(writer->data + (uint64_t)i * writer->ring_size,
				size))
		return false;
	writer->rings[i].backed = size;
	return true;
}

static struct sdtkit_record_ring *
take_new(const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_file *file = writer->file;
	uint32_t i, used;

	for (i = atomic_load(&file->rings_used); i < writer->ring_count; i++) {
		uint32_t state = SDTKIT_RECORD_FREE;

		if (!atomic_compare_exchange_strong(&writer->rings[i].state,
						    &state,
						    SDTKIT_RECORD_TAKEN))
			continue;
		if (!back_first(writer, i)) {
			atomic_store(&writer->rings[i].state,
				     SDTKIT_RECORD_FREE);
			return NULL;
		}
		used = atomic_load(&file->rings_used);
		while (used <= i && !atomic_compare_exchange_weak(
				&file->rings_used, &used, i + 1))
			;
		return &writer->rings[i];
	}
	return NULL;
}

/* Whether an earlier thread with the numbers of this one has left the ring. */
static bool is_mine(const struct owner *self, struct sdtkit_record_ring *ring)
{
	return self->pid_namespace != 0 &&
	       ring->pid_namespace == self->pid_namespace &&
	       ring->level == self->level &&
	       ring->own_pid == self->pid && ring->own_tid == self->tid;
}

/*
 * The ring that was written to longest ago, of those whose thread is gone or
 * has the numbers of this one; with only_mine, of the latter. NULL: none.
 */
static struct sdtkit_record_ring *
find_old(const struct sdtkit_record_writer *writer, const struct owner *self,
	 bool only_mine)
{
	uint32_t used = atomic_load(&writer->file->rings_used), i;
	struct sdtkit_record_ring *oldest = NULL;

	for (i = 0; i < used && i < writer->ring_count; i++) {
		struct sdtkit_record_ring *ring = &writer->rings[i];

		if (atomic_load(&ring->state) != SDTKIT_RECORD_USED ||
		    (oldest != NULL &&
		     atomic_load(&ring->last) >= atomic_load(&oldest->last)) ||
		    (!is_mine(self, ring) &&
		     (only_mine || is_alive(self, ring))))
			continue;
		oldest = ring;
	}
	return oldest;
}

/* False: another thread has taken it since it was found, or takes it. */
static bool take_used(const struct owner *self, struct sdtkit_record_ring *ring)
{
	uint32_t state = SDTKIT_RECORD_USED;

	if (!atomic_compare_exchange_strong(&ring->state, &state,
					    SDTKIT_RECORD_TAKEN))
		return false;
	if (is_mine(self, ring) || !is_alive(self, ring))
		return true;
	atomic_store(&ring->state, SDTKIT_RECORD_USED);
	return false;
}

static struct sdtkit_record_ring *
take_old(const struct sdtkit_record_writer *writer, const struct owner *self,
	 bool only_mine)
{
	struct sdtkit_record_ring *ring;

	while ((ring = find_old(writer, self, only_mine)) != NULL) {
		if (take_used(self, ring))
			return ring;
	}
	return NULL;
}

/*
 * A ring whose thread is gone and whose contents have been read: it has its
 * memory. Looks at a few rings only, the next ones at each call.
 */
static struct sdtkit_record_ring *
take_read(const struct sdtkit_record_writer *writer, const struct owner *self)
{
	struct sdtkit_record_file *file = writer->file;
	uint32_t used = atomic_load(&file->rings_used), i;

	if (used > writer->ring_count)
		used = writer->ring_count;
	for (i = 0; i < SEARCHED && i < used &&
		    writer->mode != SDTKIT_RECORD_OVERWRITE; i++) {
		struct sdtkit_record_ring *ring = &writer->rings
			[atomic_fetch_add(&file->search_at, 1) % used];

		if (atomic_load(&ring->state) == SDTKIT_RECORD_USED &&
		    atomic_load(&ring->tail) == atomic_load(&ring->head) &&
		    !is_alive(self, ring) && take_used(self, ring))
			return ring;
	}
	return NULL;
}

static uint64_t find_namespace(const char *path)
{
	struct stat status;

	status.st_ino = 0;
#if SDTKIT_RECORD_CALLS_KERNEL
	sdtkit_record_system(SYS_newfstatat, AT_FDCWD,
			     (long)path, (long)&status, 0, 0, 0);
#else
	stat(path, &status);
#endif
	return status.st_ino;
}

static uint64_t find_pid_namespace(void)
{
	return find_namespace("/proc/self/ns/pid");
}

/*
 * In a process that does not see /proc, as in an empty chroot(2), it is that of
 * its parent: the number of a parent that is in another one would be 0.
 */
static uint64_t find_own_namespace(struct sdtkit_record_writer *writer)
{
	uint64_t found = find_pid_namespace();
	uint32_t parent = (uint32_t)call(SYS_getppid, 0, 0, 0);

	if (found == 0 && parent == atomic_load(&writer->pid))
		return atomic_load(&writer->pid_namespace);
	return found;
}

/* Without /proc, the answer of the process that forked stays. */
static void find_clock(struct sdtkit_record_writer *writer)
{
	uint64_t found = find_namespace("/proc/self/ns/time");

	if (found != 0)
		atomic_store(&writer->has_other_clock,
			     found != writer->file->time_namespace);
}

/* A new process gets a generation that no lane has yet. */
void sdtkit_record_begin_process(struct sdtkit_record_writer *writer)
{
	static _Atomic uint64_t generations = 1;
	uint64_t none = 0;

	if (atomic_load(writer->generation) != 0)
		return;
	atomic_store(&writer->pid_namespace, find_own_namespace(writer));
	find_clock(writer);
	atomic_compare_exchange_strong(writer->generation, &none,
				       atomic_fetch_add(&generations, 1));
	/*
	 * The number of the process is stored last: while it is missing,
	 * find_generation() takes the process for the child of a vfork(), which
	 * is slow but safe.
	 */
	atomic_store(&writer->pid, (uint32_t)call(SYS_getpid, 0, 0, 0));
}

/*
 * Returns the generation of this process, or 0 if the process is, or may be,
 * the child of a vfork(). That one has the memory of its parent, so it finds
 * the generation of the parent there. If there is no generation, and the parent
 * is the process that had one, this process was made otherwise, and gets its
 * own.
 */
static uint64_t find_generation(struct sdtkit_record_writer *writer)
{
	uint64_t generation = atomic_load(writer->generation);
	uint32_t pid = atomic_load(&writer->pid);

	if (generation != 0)
		return (uint32_t)call(SYS_getpid, 0, 0, 0) == pid ?
		       generation : 0;
	if ((uint32_t)call(SYS_getppid, 0, 0, 0) != pid)
		return 0;
	sdtkit_record_begin_process(writer);
	return atomic_load(writer->generation);
}

/* Reads the digits at *at, and moves it behind them. */
static uint32_t take_number(const char **at)
{
	uint32_t number = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		number = number * 10 + (uint32_t)(**at - '0');
	return number;
}

/*
 * In another PID namespace, the numbers to show can be read if /proc is that of
 * the file's namespace: /proc/thread-self -> 4711/task/4712. If /proc has the
 * numbers of this namespace, those to show are not known: 0.
 */
static void find_shown(struct owner *owner)
{
	char text[64];
	const char *at = text;
	long length = sdtkit_record_system(SYS_readlinkat, AT_FDCWD,
					   (long)"/proc/thread-self",
					   (long)text, sizeof(text) - 1, 0, 0);

	text[length > 0 ? length : 0] = '\0';
	owner->shown_pid = take_number(&at);
	while (*at != '\0' && (*at < '0' || *at > '9'))
		at++;
	owner->shown_tid = take_number(&at);
	if (owner->shown_pid == owner->pid && owner->shown_tid == owner->tid)
		owner->shown_pid = owner->shown_tid = 0;
}

static struct owner find_owner(const struct sdtkit_record_writer *writer,
			       uint32_t level, bool is_guest)
{
	uint64_t shown = writer->file->pid_namespace;
	struct owner owner = {
		.pid = (uint32_t)call(SYS_getpid, 0, 0, 0),
		.tid = (uint32_t)call(SYS_gettid, 0, 0, 0),
		.level = level,
		.is_guest = is_guest,
		.pid_namespace = is_guest ? find_pid_namespace() :
				 atomic_load(&writer->pid_namespace),
	};

	owner.shown_pid = owner.pid;
	owner.shown_tid = owner.tid;
	if (shown != 0 && owner.pid_namespace != 0 &&
	    owner.pid_namespace != shown)
		find_shown(&owner);
	return owner;
}

static struct sdtkit_record_ring *
take(const struct sdtkit_record_writer *writer, const struct owner *self)
{
	struct sdtkit_record_ring *ring = NULL;

	if (self->is_guest)
		ring = take_old(writer, self, true);
	if (ring == NULL)
		ring = take_read(writer, self);
	if (ring == NULL)
		ring = take_new(writer);
	return ring != NULL ? ring : take_old(writer, self, false);
}

static bool claim(struct sdtkit_record_writer *writer,
		  const struct owner *self, uint64_t generation,
		  struct sdtkit_record_lane *lane)
{
	struct sdtkit_record_ring *ring = take(writer, self);

	if (ring == NULL)
		return false;
	atomic_store(&ring->pid, self->shown_pid);
	atomic_store(&ring->tid, self->shown_tid);
	ring->own_pid = self->pid;
	ring->own_tid = self->tid;
	ring->level = self->level;
	ring->pid_namespace = self->pid_namespace;
	call(SYS_prctl, PR_GET_NAME, (long)ring->name, 0);
	lane->ring = ring;
	lane->data = writer->data + (uint64_t)(ring - writer->rings) *
				    writer->ring_size;
	/* Another process of this user may have written anything there. */
	lane->head = (atomic_load(&ring->head) + 7) & ~(uint64_t)7;
	lane->end = 0;
	lane->ready = lane->head & ~(uint64_t)(SDTKIT_RECORD_STEP - 1);
	lane->unready = writer->ring_size;
	lane->events = atomic_load(&ring->events);
	lane->generation = ~generation;
	atomic_store(&ring->state, SDTKIT_RECORD_USED);
	if (writer->mode != SDTKIT_RECORD_COUNT)
		sdtkit_record_tell_owner(writer, lane);
	return true;
}

static bool is_wanted(const struct sdtkit_record_writer *writer,
		      uint64_t generation)
{
	return !sdtkit_record_is_over(writer->file) &&
	       (writer->only == 0 || writer->only == generation);
}

/*
 * A search for a ring takes long. After one that found none, hits do not search
 * until lane->again.
 */
struct sdtkit_record_lane *
sdtkit_record_claim(struct sdtkit_record_writer *writer,
		    struct sdtkit_record_thread *thread, uint32_t level,
		    struct sdtkit_record_lane *guests, bool *is_over)
{
	/*
	 * The generation is read first: if a handler of a signal forks during
	 * the claim, the child has another one, and the ring is not its own.
	 */
	uint64_t generation = find_generation(writer);
	struct sdtkit_record_lane *lane = generation == 0 ? guests :
		&thread->lanes[writer->index][level];
	uint64_t now = sdtkit_record_now(writer);
	struct owner self;

	if (!is_wanted(writer, generation)) {
		/* The child of a vfork() has the sites of its parent. */
		*is_over = generation != 0;
		return NULL;
	}
	if (generation == 0) {
		generation = atomic_load(writer->generation);
		lane->again = 0;
	}
	if (now >= lane->again) {
		self = find_owner(writer, level, lane == guests);
		thread->is_careful = sdtkit_record_is_careful();
		if (claim(writer, &self, generation, lane))
			return lane;
		lane->again = now + writer->clock_period_max / 16;
	}
	atomic_fetch_add(&writer->file->no_ring, 1);
	return NULL;
}
