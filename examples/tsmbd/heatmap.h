/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture of how long requests took, as time goes by. */
#ifndef TSMBD_HEATMAP_H
#define TSMBD_HEATMAP_H

struct tsmbd;	/* the skeleton */

/* Exits with a message if the file cannot be written. */
void heatmap_open(const char *path);

/* To be called now and then, with the time; does nothing if none is open. */
void heatmap_sample(struct tsmbd *skel, unsigned long long now);

/* Writes the picture. */
void heatmap_close(void);

#endif /* TSMBD_HEATMAP_H */
