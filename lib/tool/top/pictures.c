/* SPDX-License-Identifier: BSD-2-Clause */
/* pictures.c - begins and writes the pictures of a run. */
#include <stddef.h>

#include "lib/picture/picture.h"
#include "top/flame.h"
#include "top/map.h"
#include "top/outcome.h"
#include "top/pictures.h"

bool pictures_check(const struct options *options)
{
	return picture_check("--heatmap", options->heatmap) &&
	       picture_check("--flame", options->flame);
}

void pictures_begin(const struct options *options, const struct engine *engine,
		    const struct plan *plan, const struct found *found,
		    unsigned long long sample_ns)
{
	if (options->heatmap != NULL)
		map_begin(engine->began_ns, sample_ns);
	if (options->flame != NULL)
		flame_begin(engine, plan, found, options->hertz, true);
}

/* One that fails does not prevent the other. */
bool pictures_write(const struct options *options, const struct engine *engine)
{
	unsigned long long lost = *engine->lost_samples;
	bool good = true;

	if (options->heatmap != NULL)
		good = map_write(options->heatmap);
	if (options->flame == NULL)
		return good;
	outcome_tell_samples(lost);
	return flame_write(options->flame, lost) && good;
}
