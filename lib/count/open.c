/* SPDX-License-Identifier: BSD-2-Clause */
/* A counter, as a recorder: see count.h. */
#include "count.h"

static const struct sdtkit_record_way kind = {
	.begin = sdtkit_count_begin,
	.attach = sdtkit_count_attach,
	.detach = sdtkit_count_detach,
	.hit = sdtkit_count_hit,
	.free = sdtkit_count_free_plan,
};

int sdtkit_recorder_count(const char *patterns,
			  const struct sdtkit_recorder_options *options,
			  struct sdtkit_recorder **recorder)
{
	struct sdtkit_counter *counter;
	int ret = sdtkit_count_make_plan(patterns, &counter);

	if (ret < 0)
		return ret;
	return sdtkit_record_open_with(counter->patterns, options, &kind,
				       counter, recorder);
}

static int prepare(const char *spans, struct sdtkit_record_settings *settings,
		   const char **patterns)
{
	struct sdtkit_counter *counter;
	int ret = sdtkit_count_make_plan(spans, &counter);

	if (ret < 0)
		return ret;
	settings->kind = &kind;
	settings->user = counter;
	settings->mode = SDTKIT_RECORD_COUNT;
	*patterns = counter->patterns;
	return 0;
}

/* A recorder of events counts for those who ask for it. */
__attribute__((constructor))
static void offer(void)
{
	sdtkit_record_prepare_counts = prepare;
}
