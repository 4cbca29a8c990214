/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of the last failure of each thread. It is allocated at the first
 * failure: a library with thread variables of KiB cannot be loaded by dlopen()
 * if it also has some that hits read, since the loader then has to find place
 * for all of them in about 1.6 KiB.
 */
#ifndef SDTKIT_MESSAGE_H
#define SDTKIT_MESSAGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
	SDTKIT_MESSAGE_SIZE = 4096,
};

struct sdtkit_message {
	/* The key of the threads' texts, and 1; 0: there is none yet. */
	atomic_uint key;
	/* For all threads, if there is no memory. */
	char common[SDTKIT_MESSAGE_SIZE];
};

static inline char *sdtkit_message_make(pthread_key_t key)
{
	char *text = calloc(1, SDTKIT_MESSAGE_SIZE);

	if (text == NULL || pthread_setspecific(key, text) == 0)
		return text;
	free(text);
	return NULL;
}

/* Returns the text of this thread, SDTKIT_MESSAGE_SIZE bytes; "" at first. */
static inline char *sdtkit_message_text(struct sdtkit_message *message)
{
	unsigned int key = atomic_load(&message->key);
	pthread_key_t made;
	char *text;

	if (key == 0 && pthread_key_create(&made, free) == 0) {
		if (atomic_compare_exchange_strong(&message->key, &key,
						   made + 1))
			key = made + 1;
		else
			pthread_key_delete(made);
	}
	if (key == 0)
		return message->common;
	text = pthread_getspecific(key - 1);
	if (text == NULL)
		text = sdtkit_message_make(key - 1);
	return text != NULL ? text : message->common;
}

#endif /* SDTKIT_MESSAGE_H */
