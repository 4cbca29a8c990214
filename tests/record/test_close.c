/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recorder is opened while signals come, and closed while a hit is inside,
 * which returns later.
 */
#define _GNU_SOURCE
#include "../cmocka_all.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "inside.h"
#include "machine.h"
#include "recorded_probes.h"
#include "sdtkit/recorder.h"

static sem_t is_inside, may_go_on;
static atomic_bool is_caught, is_over;

/* Stays if it has interrupted a hit. */
static void on_signal(int number)
{
	if (sdtkit_tap_self == NULL || sdtkit_tap_self->depth == 0 ||
	    atomic_exchange(&is_caught, true))
		return;
	sem_post(&is_inside);
	while (sem_wait(&may_go_on) < 0)
		;
}

static void *hit_until_over(void *unused)
{
	static char text[256];
	size_t i;

	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = 'x';
	while (!atomic_load(&is_over))
		REC_STEP(1, text);
	return unused;
}

static void open_recorder(struct sdtkit_recorder **recorder)
{
	static const struct sdtkit_recorder_options options = {
		.flags = SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_NO_LISTEN,
	};

	if (sdtkit_recorder_open("rec:step", &options, recorder) < 0)
		fail_msg("%s", sdtkit_recorder_error());
}

/* Interrupts the thread until that is in the middle of a hit. */
static void catch_hit(pthread_t thread)
{
	const struct sigaction action = { .sa_handler = on_signal,
					  .sa_flags = SA_RESTART };
	const struct timespec pause = { .tv_nsec = 100000 };

	sem_init(&is_inside, 0, 0);
	sem_init(&may_go_on, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	while (!atomic_load(&is_caught)) {
		pthread_kill(thread, SIGUSR1);
		nanosleep(&pause, NULL);
	}
	sem_wait(&is_inside);
}

/*
 * What it uses is there when it goes on, whatever was opened meanwhile. Without
 * jumps no hit can be caught inside.
 */
TEST(test_hit_that_stays)
{
	struct sdtkit_recorder *recorder, *other;
	pthread_t thread;

	if (sdtkit_tap_machine.jump == NULL)
		return;
	open_recorder(&recorder);
	pthread_create(&thread, NULL, hit_until_over, NULL);
	catch_hit(thread);
	sdtkit_recorder_close(recorder);
	open_recorder(&other);
	atomic_store(&is_over, true);
	sem_post(&may_go_on);
	pthread_join(thread, NULL);
	sdtkit_recorder_close(other);
}

static void on_timer(int number)
{
}

/* As in a program that is profiled. */
TEST(test_open_is_interrupted)
{
	const struct sigaction action = { .sa_handler = on_timer };
	const struct itimerval none = { .it_value = { 0 } };
	const struct itimerval often = { .it_value = { .tv_usec = 50 },
					 .it_interval = { .tv_usec = 50 } };
	struct sdtkit_recorder *recorder;
	int i;

	if (sdtkit_tap_machine.jump == NULL)
		return;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 50; i++) {
		open_recorder(&recorder);
		sdtkit_recorder_close(recorder);
	}
	setitimer(ITIMER_REAL, &none, NULL);
}
