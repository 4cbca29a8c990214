/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * configure.c - converts the options to constants of the programs in the kernel
 * and to sizes of maps, before they are loaded.
 */
#include <arpa/inet.h>
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "calls.h"
#include "configure.h"
#include "hash.h"
#include "raw.h"
#include "tsmbd.h"
#include "tsmbd.skel.h"

enum { EVENT_RING = 4 << 20, SMALL_RING = 1 << 16 };

/* Names in a second of the service, which has a limit for its memory. */
enum { SERVED_TOP = 2048 };

static const unsigned int all_names =
	1U << TSMBD_USERS | 1U << TSMBD_SHARES | 1U << TSMBD_FILES;

/* The names that have to be read for every request. */
static unsigned int names_of(const struct options *options)
{
	unsigned int names = options_tops(options) & all_names;
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (options->filters[kind].count > 0)
			names |= 1U << kind & all_names;
	}
	return options_slow_ms(options) >= 0 ? all_names : names;
}

unsigned int modes_of(const struct options *options)
{
	const unsigned int wanted[] = {
		options->slow ? TSMBD_SLOW | TSMBD_CALLS : 0,
		options->sink_slow ? TSMBD_SLOW : 0,
		options->errors ? TSMBD_ERRORS : 0,
		options->exits ? TSMBD_EXITS : 0,
		options->oplocks || options->sink_waits ? TSMBD_OPLOCKS : 0,
		options->calls ? TSMBD_CALLS : 0,
		options->distributions ? TSMBD_SIZES : 0,
		options->flame != NULL ? TSMBD_FLAME : 0,
		options->sink_samples ? TSMBD_SAMPLES : 0,
	};
	unsigned int modes = TSMBD_BASE;
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		modes |= wanted[i];
	if (names_of(options) != 0 ||
	    modes & (TSMBD_LINES | TSMBD_EXITS | TSMBD_OPLOCKS | TSMBD_SIZES |
		     TSMBD_SAMPLES))
		return modes | TSMBD_DETAILS;
	return modes | TSMBD_SUMMARY;
}

static struct tsmbd_secret new_secret(void)
{
	struct tsmbd_secret secret;

	if (getrandom(&secret, sizeof(secret), 0) != sizeof(secret))
		err(1, "cannot get random numbers");
	secret.factors[0] |= 1;
	secret.factors[1] |= 1;
	return secret;
}

static unsigned long long hash_of(const struct tsmbd_secret *secret,
				  const char *name)
{
	unsigned long long words[TSMBD_NAME / 8] = { 0 };
	size_t length = strnlen(name, TSMBD_NAME - 1);

	memcpy(words, name, length);
	return hash_words(secret, words, (unsigned int)length, TSMBD_NAME / 8);
}

/* Converts an address to the form of smbd, "ipv4:192.0.2.7". */
static void address_of(const char *text, char name[TSMBD_NAME])
{
	char short_form[INET6_ADDRSTRLEN];
	const char *address = text;
	struct in6_addr v6;
	struct in_addr v4;

	if (strncmp(text, "ipv4:", 5) == 0 || strncmp(text, "ipv6:", 5) == 0)
		address += 5;
	if (inet_pton(AF_INET, address, &v4) == 1)
		snprintf(name, TSMBD_NAME, "ipv4:%s", address);
	else if (inet_pton(AF_INET6, address, &v6) == 1)
		snprintf(name, TSMBD_NAME, "ipv6:%s",
			 inet_ntop(AF_INET6, &v6, short_form,
				   sizeof(short_form)));
	else
		errx(1, "--client: '%s' is not an address: write it as in "
		     "192.0.2.7 or 2001:db8::1", text);
}

/* If a logon is refused, the name is known only from the packet, as UTF-16. */
static unsigned long long hash_as_sent(const struct tsmbd_secret *secret,
				       const char *name)
{
	unsigned long long words[TSMBD_FILE / 8] = { 0 };
	unsigned int length = raw_from_text(name, (char *)words);

	return hash_words(secret, words, length, TSMBD_FILE / 8);
}

static void set_filter(struct tsmbd *skel, int kind,
		       const struct texts *filter)
{
	const struct tsmbd_secret *secret = &skel->rodata->secret;
	char name[TSMBD_NAME];
	int count = 0;
	int i;

	for (i = 0; i < filter->count; i++) {
		if (kind == TSMBD_CLIENTS)
			address_of(filter->items[i], name);
		else
			snprintf(name, sizeof(name), "%s", filter->items[i]);
		skel->rodata->wanted[kind][count++] = hash_of(secret, name);
		if (kind != TSMBD_CLIENTS)
			skel->rodata->wanted[kind][count++] =
				hash_as_sent(secret, name);
	}
	skel->rodata->num_wanted[kind] = (unsigned int)count;
}

/*
 * The samples of a second, which is longer than they ever stay there, with 8
 * KiB of stack each. The command maps the ring twice, and its memory is limited.
 */
static unsigned int samples_size(unsigned int hertz)
{
	unsigned long needed = (unsigned long)sysconf(_SC_NPROCESSORS_CONF) *
		hertz * (sizeof(struct tsmbd_sample) - STACKS_COPY +
			 2 * STACKS_PAGE);
	unsigned int size = SMALL_RING;

	while (size < needed && size < TSMBD_SAMPLE_RING)
		size *= 2;
	return size;
}

/* Makes the maps small that no option needs. */
static void shrink(struct tsmbd *skel, unsigned int modes,
		   const struct options *options)
{
	unsigned int lines = TSMBD_LINES | TSMBD_EXITS | TSMBD_OPLOCKS;
	unsigned int size = modes & lines ? EVENT_RING : SMALL_RING;
	unsigned int tops;

	if (names_of(options) == 0 &&
	    !(modes & (TSMBD_LINES | TSMBD_OPLOCKS)))
		bpf_map__set_max_entries(skel->maps.details, 1);
	if (options_tops(options) == 0 || options->service.daemon) {
		tops = options_tops(options) == 0 ? 1 : SERVED_TOP;
		bpf_map__set_max_entries(skel->maps.top_0, tops);
		bpf_map__set_max_entries(skel->maps.top_1, tops);
	}
	if (!(modes & TSMBD_OPLOCKS))
		bpf_map__set_max_entries(skel->maps.waits, 1);
	if (modes & (TSMBD_FLAME | TSMBD_SAMPLES)) {
		bpf_map__set_max_entries(skel->maps.samples,
					 samples_size(options->hertz));
	} else {
		bpf_map__set_max_entries(skel->maps.samples,
					 (unsigned int)sysconf(_SC_PAGESIZE));
		bpf_map__set_value_size(skel->maps.sampled, sizeof(int));
	}
	bpf_map__set_max_entries(skel->maps.events, size);
	skel->rodata->wake_bytes = size / 4;
}

static unsigned long long slow_ns_of(const struct options *options)
{
	double ms = options_slow_ms(options);

	return ms < 0 ? 0 : (unsigned long long)(ms * 1e6);
}

void configure(struct tsmbd *skel, const struct options *options,
	       unsigned int modes)
{
	int kind;

	skel->rodata->secret = new_secret();
	skel->bss->local_node = options->node;
	skel->rodata->only_pid = (unsigned int)options->pid;
	skel->rodata->modes = modes;
	skel->rodata->slow_ns = slow_ns_of(options);
	skel->rodata->tops = options_tops(options);
	skel->rodata->share_commands = options->share_commands;
	skel->rodata->names = names_of(options);
	skel->rodata->commands = options->commands;
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		set_filter(skel, kind, &options->filters[kind]);
	calls_configure(skel);
	shrink(skel, modes, options);
}
