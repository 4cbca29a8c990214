/* SPDX-License-Identifier: BSD-2-Clause */
#pragma D depends_on provider sched
#pragma sdtkit alias disk2 disk

/* What a request to a disk is for. */
enum purpose { READ, WRITE = 4, FLUSH };

typedef unsigned int sector_t;
typedef sector_t sectors_t[2], *sector_ref;
typedef void (*done_fn)(struct request *it, int status);

typedef struct {
	int minor;
	char *pathname;
} devinfo_t;

/* A request, as the program has it. */
struct request {
	uint64_t start;			/* first sector */
	uint16_t count;			/* sectors in it */
	unsigned urgent : 1, sync : 1;	/* flags */
	char tag[16];
	enum purpose purpose;
	size_t sizes[FLUSH];
	union {
		long number;
		struct { short low, high; } halves;
	} key;
	struct request *next;
	const char *owner;
	done_fn done;
	sectors_t range;
	sector_ref bad;
	bool finished;
};

typedef struct request request_t, *request_ref;
typedef struct list_head opaque_t;

/* Left out: only the program knows its size. */
struct queue {
	struct list_head head;
};

inline int SECTOR = 512;

translator devinfo_t < struct request *r > {
	minor = r->count;
	pathname = r->tag;
};

/*
 * Requests to a disk.
 *
 * - begin and end pair by (pid, request),
 *   also when it failed
 * - ~0 is `no sector`; <none> of *these* has one
 *
 *   begin
 *   end        'not' always\
 */
provider disk2 {
	/*
	 * A request begins.
	 * .So says a line with a dot, and | with a bar.
	 */
	probe begin__now(struct request *request, sector_t start, char *owner);

	/* It ends. */
	probe end(
		struct request *request,	/* which */
		int status,			/* 0 or -errno */
		enum purpose purpose,		/* what it was for */
		float load,
		double seconds,			/* how long it took */
		int8_t string,			/* a word of D */
		bool next,			/* a word of SystemTap */
		pid_t self,
		char last);
	probe idle();
};
#pragma D attributes Evolving/Evolving/Common provider disk2 provider
#pragma D attributes Private/Private/Unknown provider disk2 args
