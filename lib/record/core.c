/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recorder without a thread that listens: opens and closes it.
 *
 *	open --> tap --attach(), for each site--> program
 *	hit --> hit.c --> ring in the file
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "catalogue.h"
#include "open_recorder.h"
#include "place.h"
#include "program.h"
#include "raw.h"
#include "read_parts.h"
#include "state.h"

enum {
	/* A close waits for a second at most. */
	END_SECONDS = 2,
};

/* A page that the kernel clears in children; it is never unmapped. */
static _Atomic uint64_t *generations;

const char *sdtkit_recorder_error(void)
{
	return sdtkit_record_error();
}

static int make_page(void)
{
	void *page;

	if (generations != NULL)
		return 0;
	page = mmap(NULL, SDTKIT_RECORD_PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return sdtkit_record_fail(errno, "%s", strerror(errno));
	if (madvise(page, SDTKIT_RECORD_PAGE, MADV_WIPEONFORK) < 0) {
		int error = errno;

		munmap(page, SDTKIT_RECORD_PAGE);
		return sdtkit_record_fail(error, "a recorder needs Linux 4.14 "
					  "or later: %s", strerror(error));
	}
	generations = page;
	return 0;
}

static int find_index(void)
{
	int i;

	for (i = 0; i < SDTKIT_RECORD_WRITERS; i++) {
		if (atomic_load(&sdtkit_record_all[i]) == NULL)
			return i;
	}
	return sdtkit_record_fail(EMFILE, "this process has %d recorders, "
				  "which is all that it can have",
				  SDTKIT_RECORD_WRITERS);
}

/* Notes why a site was left out, if it is the first. */
static void leave_out(struct sdtkit_recorder *recorder, int error)
{
	if (recorder->problem[0] != '\0')
		return;
	recorder->problem_error = error;
	snprintf(recorder->problem, sizeof(recorder->problem), "%s",
		 sdtkit_record_error());
}

/* Notes for open_tap() whether a filter fits a probe. */
static void note_fit(struct sdtkit_recorder *recorder,
		     const struct sdtkit_record_filter *of, int ret)
{
	struct sdtkit_record_filter *filter;

	if (of == NULL)
		return;
	filter = &recorder->filters.filters[of - recorder->filters.filters];
	if (ret >= 0)
		filter->fits = true;
	else if (ret == -EINVAL && filter->misfit == NULL)
		filter->misfit = strdup(sdtkit_record_error());
}

static int make_site(struct sdtkit_recorder *recorder,
		     const struct sdtkit_tap_hook *hook, void **to)
{
	const struct sdtkit_tap_probe *probe = &hook->entry->shown;
	const struct sdtkit_record_filter *filter = sdtkit_record_find_filter(
		&recorder->filters, probe->provider, probe->probe);
	struct sdtkit_record_site *site = NULL;
	int ret = sdtkit_record_program(hook, &recorder->writer,
					recorder->string_limit, filter, &site);

	note_fit(recorder, filter, ret);
	if (ret < 0)
		return ret;
	/* the file has no probe that is left out */
	ret = sdtkit_record_describe(&recorder->output, hook->entry);
	if (ret < 0) {
		sdtkit_record_free_program(site);
		return sdtkit_record_fail(-ret, "%s:%s cannot be described: %s",
					  probe->provider, probe->probe,
					  strerror(-ret));
	}
	site->id = (uint16_t)ret;
	*to = site;
	return 0;
}

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	struct sdtkit_recorder *recorder = context;
	void *site = NULL;
	int ret = (recorder->kind != NULL ? recorder->kind->attach :
					    make_site)(recorder, hook, &site);

	if (ret < 0)
		leave_out(recorder, ret);
	else
		recorder->site_count++;
	return site;
}

static void detach(void *site, void *context)
{
	struct sdtkit_recorder *recorder = context;

	recorder->site_count--;
	if (recorder->kind != NULL)
		recorder->kind->detach(site);
	else
		sdtkit_record_free_program(site);
}

static bool has_sites(const struct sdtkit_tap *tap)
{
	const struct sdtkit_tap_probe *probe;
	size_t i;

	for (i = 0; (probe = sdtkit_tap_probe_at(tap, i)) != NULL; i++) {
		if (probe->site_count > 0)
			return true;
	}
	return false;
}

/* Why the first site was left out. */
static const char *problem_of(const struct sdtkit_recorder *recorder)
{
	return recorder->problem[0] != '\0' ? recorder->problem :
					      sdtkit_tap_error();
}

int sdtkit_record_fail_left_out(const struct sdtkit_recorder *recorder,
				int error, bool is_all)
{
	size_t count = sdtkit_recorder_left_out(recorder);

	return sdtkit_record_fail(error, "%s%zu site%s left out%s: %s",
		is_all && count > 1 ? "all " : "", count,
		count == 1 ? " is" : "s are",
		recorder->flags & SDTKIT_RECORDER_TRAPS ||
		recorder->problem_error == -EINVAL ? "" :
		" (the option traps, SDTKIT_RECORDER_TRAPS, allows for traps)",
		problem_of(recorder));
}

/* Says why no site is recorded: the tap does not, because it is lenient. */
static int fail_without_sites(const struct sdtkit_recorder *recorder)
{
	const char *patterns = recorder->filters.patterns;
	char names[SIMILAR_TEXT];

	if (sdtkit_tap_probe_at(recorder->tap, 0) != NULL)
		return sdtkit_record_fail_left_out(recorder, EOPNOTSUPP,
						   true);
	if (sdtkit_recorder_left_out(recorder) > 0)
		return sdtkit_record_fail(ENOENT, "no probe matches \"%s\": %s",
					  patterns, problem_of(recorder));
	sdtkit_similar_text(&recorder->tap->hint.similar, names);
	return sdtkit_record_fail(ENOENT, "no probe matches \"%s\"%s%s",
				  patterns, names[0] != '\0' ?
				  "; similar ones: " : "", names);
}

/*
 * A filter that fits no probe is an error of the caller. Counters (kind) have
 * compared their filters with spans before: what an attach refuses is an error.
 */
static int check_filters(const struct sdtkit_recorder *recorder)
{
	const struct sdtkit_record_filter *filter = recorder->filters.filters;
	size_t i;

	if (recorder->kind != NULL && recorder->problem_error == -EINVAL)
		return sdtkit_record_fail(EINVAL, "%s", recorder->problem);
	for (i = 0; i < recorder->filters.count; i++) {
		if (filter[i].misfit != NULL && !filter[i].fits)
			return sdtkit_record_fail(EINVAL, "%s",
						  filter[i].misfit);
	}
	return 0;
}

static int open_tap(struct sdtkit_recorder *recorder)
{
	const struct sdtkit_tap_raw raw = {
		.attach = attach,
		.detach = detach,
		.hit = recorder->kind != NULL ? recorder->kind->hit :
						sdtkit_record_hit,
		.has_no_traps = !(recorder->flags & SDTKIT_RECORDER_TRAPS),
	};
	const struct sdtkit_tap_options options = {
		.flags = SDTKIT_TAP_LENIENT,
		.capacity = 1,
		.context = recorder,
	};
	int ret = sdtkit_tap_open_raw(recorder->filters.patterns, &options,
				      &raw, &recorder->tap);

	if (ret < 0)
		return sdtkit_record_fail(-ret, "%s", sdtkit_tap_error());
	if (!recorder->has_joined)
		ret = check_filters(recorder);
	if (ret == 0 && !recorder->has_joined && !has_sites(recorder->tap))
		ret = fail_without_sites(recorder);
	if (ret < 0) {
		sdtkit_tap_close(recorder->tap);
		recorder->tap = NULL;
	}
	return ret;
}

/*
 * A hit that does not return (a handler of a signal waits in it, or has left it
 * by longjmp()) keeps its site for ever, and all that a hit uses.
 */
static void free_recorder(struct sdtkit_recorder *recorder)
{
	if (recorder->site_count > 0) {
		sdtkit_record_abandon(&recorder->output);
		return;
	}
	sdtkit_record_release(&recorder->output);
	sdtkit_record_free_filters(&recorder->filters);
	if (recorder->kind != NULL)
		recorder->kind->free(recorder->user);
	free(recorder);
}

/* The last process that has the file removes it. */
static void leave_file(struct sdtkit_recorder *recorder)
{
	if (recorder->output.file == NULL || recorder->has_joined ||
	    !sdtkit_record_remove_process(recorder->output.file))
		return;
	atomic_store(&recorder->output.file->closed, 1);
	if (recorder->output.path[0] != '\0' &&
	    !(recorder->flags & SDTKIT_RECORDER_KEEP))
		unlink(recorder->output.path);
}

/*
 * At a normal end; a process that was killed leaves the file behind, and so
 * does exit() from a handler of a signal that interrupted an open or a close.
 */
__attribute__((destructor))
static void at_end(void)
{
	struct sdtkit_recorder *recorder;
	struct timespec until;
	int i;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END_SECONDS;
	if (pthread_mutex_timedlock(&sdtkit_record_lock, &until) != 0)
		return;
	SDTKIT_RECORD_FOR_EACH(recorder, i)
		leave_file(recorder);
	pthread_mutex_unlock(&sdtkit_record_lock);
}

/* settings is NULL if another process has made the file. */
static int begin(struct sdtkit_recorder *recorder,
		 const struct sdtkit_record_settings *settings)
{
	int ret = make_page(), index = -1;

	if (ret == 0)
		ret = index = find_index();
	if (ret >= 0 && settings != NULL)
		ret = sdtkit_record_create(settings, &recorder->output);
	if (ret < 0)
		return ret;
	sdtkit_record_writer_init(&recorder->writer, &recorder->output,
				  (uint32_t)index, &generations[index]);
	if (recorder->is_alone)
		recorder->writer.only = atomic_load(&generations[index]);
	if (recorder->flags & SDTKIT_RECORDER_TRAPS)
		atomic_store(&sdtkit_record_has_traps, true);
	sdtkit_record_handle_faults(!recorder->has_joined);
	sdtkit_record_add_process(recorder->output.file);
	atomic_store(&sdtkit_record_all[index], recorder);
	ret = recorder->kind != NULL ? recorder->kind->begin(recorder) : 0;
	if (ret == 0)
		ret = open_tap(recorder);
	if (ret < 0) {
		atomic_store(&sdtkit_record_all[index], NULL);
		leave_file(recorder);
	}
	return ret;
}

static struct sdtkit_recorder *make_recorder(unsigned int flags,
					     size_t string_limit)
{
	struct sdtkit_recorder *recorder = calloc(1, sizeof(*recorder));

	if (recorder == NULL) {
		sdtkit_record_no_memory();
		return NULL;
	}
	recorder->output.descriptor.fd = -1;
	recorder->flags = flags;
	recorder->owner = getpid();
	recorder->string_limit = string_limit != 0 ? string_limit :
				 SDTKIT_RECORD_STRING;
	return recorder;
}

/* Opens what make_recorder() has returned, or frees it. */
static int open_made(struct sdtkit_recorder *r, const char *patterns,
		     const struct sdtkit_record_settings *settings,
		     struct sdtkit_recorder **recorder)
{
	int ret = 0;

	if (r->kind == NULL) {
		ret = sdtkit_record_read_filters(patterns, "probe", &r->filters);
	} else {
		r->filters.patterns = strdup(patterns);
		if (r->filters.patterns == NULL)
			ret = sdtkit_record_no_memory();
	}

	if (ret == 0) {
		pthread_mutex_lock(&sdtkit_record_lock);
		ret = begin(r, settings);
		pthread_mutex_unlock(&sdtkit_record_lock);
	}
	if (ret < 0) {
		free_recorder(r);
		return ret;
	}
	*recorder = r;
	return 0;
}

int sdtkit_record_open_recorder(const char *patterns, unsigned int flags,
				struct sdtkit_record_settings *settings,
				size_t string_limit,
				struct sdtkit_recorder **recorder)
{
	struct sdtkit_recorder *r = make_recorder(flags, string_limit);

	if (r == NULL && settings->kind != NULL)
		settings->kind->free(settings->user);
	if (r == NULL)
		return -ENOMEM;
	r->kind = settings->kind;
	r->user = settings->user;
	settings->patterns = patterns;
	settings->string_limit = (uint32_t)r->string_limit;
	return open_made(r, patterns, settings, recorder);
}

int sdtkit_record_join(const struct sdtkit_record_joining *joining,
		       struct sdtkit_recorder **recorder)
{
	struct sdtkit_recorder *r = make_recorder(joining->flags |
						  SDTKIT_RECORDER_NO_DUMP,
						  joining->string_limit);
	int ret;

	if (r == NULL)
		return -ENOMEM;
	r->has_joined = true;
	r->is_alone = joining->is_alone;
	ret = sdtkit_record_join_file(joining->fd, &r->output);
	if (ret < 0) {
		free_recorder(r);
		return ret;
	}
	return open_made(r, joining->patterns, NULL, recorder);
}

/*
 * Another thread may close a recorder, so this needs the lock. A thread that
 * has the lock may take those of the tap and of the loader's list after it, but
 * never dl_load_lock: a constructor that calls dlopen() has that one here.
 */
void sdtkit_record_rescan_all(void)
{
	struct sdtkit_recorder *recorder;
	int i;

	pthread_mutex_lock(&sdtkit_record_lock);
	SDTKIT_RECORD_FOR_EACH(recorder, i)
		sdtkit_recorder_rescan(recorder);
	pthread_mutex_unlock(&sdtkit_record_lock);
}

int sdtkit_recorder_rescan(struct sdtkit_recorder *recorder)
{
	int ret = sdtkit_tap_rescan(recorder->tap);

	return ret < 0 ? sdtkit_record_fail(-ret, "%s", sdtkit_tap_error()) :
			 0;
}

const char *sdtkit_recorder_path(const struct sdtkit_recorder *recorder)
{
	return recorder->output.path;
}

size_t sdtkit_recorder_left_out(const struct sdtkit_recorder *recorder)
{
	return sdtkit_tap_left_out(recorder->tap);
}

void sdtkit_record_close_recorder(struct sdtkit_recorder *recorder)
{
	pthread_mutex_lock(&sdtkit_record_lock);
	leave_file(recorder);
	sdtkit_tap_close(recorder->tap);
	atomic_store(&sdtkit_record_all[recorder->writer.index], NULL);
	pthread_mutex_unlock(&sdtkit_record_lock);
	free_recorder(recorder);
}
