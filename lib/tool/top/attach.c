/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.c - the sites of a plan, and the program that runs there.
 *
 * A site is attached to by file, for all processes: the kernel then also covers
 * processes that start later, and raises the semaphores in each. Where the
 * kernel has links of uprobe_multi, there is one for each file and part; else
 * each site has a perf event.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/base/clock.h"
#include "lib/uprobe/multi.h"
#include "top/attach.h"

enum { BATCHES = 20, CALLS = 100 };

/* Of uprobe_multi, or of a perf event. */
struct link {
	unsigned int part;
	int fd;
	struct bpf_link *single;
};

static struct bpf_program *hit;
static const struct plan *plan;
static const struct found *found;
static bool multi;
static unsigned char part_of[ATTACH_PARTS];
static struct link *links;
static size_t num_links, capacity;

/* The site whose price is known: a nop, as those of probes. */
extern const char attach_own_site[] __attribute__((visibility("hidden")));

static __attribute__((noinline)) void hit_own_site(void)
{
#ifdef __s390x__
	__asm__ volatile(".globl attach_own_site\nattach_own_site: nopr %r0");
#else
	__asm__ volatile(".globl attach_own_site\nattach_own_site: nop");
#endif
}

static unsigned int span_of(const struct top_action *action)
{
	return action->role == TOP_RATE ? ATTACH_PROBES : action->span;
}

static void join(unsigned int a, unsigned int b)
{
	unsigned char from = part_of[a], to = part_of[b];
	unsigned int i;

	for (i = 0; i < ATTACH_PARTS && from != to; i++) {
		if (part_of[i] == from)
			part_of[i] = to;
	}
}

static void make_parts(bool parts)
{
	const struct top_site *site;
	unsigned int a;
	size_t i;

	for (i = 0; i < ATTACH_PARTS; i++)
		part_of[i] = parts ? (unsigned char)i : 0;
	for (i = 0; i < plan->num_sites; i++) {
		site = &plan->site[i].site;
		for (a = 1; a < site->count; a++)
			join(span_of(&site->action[a]),
			     span_of(&site->action[0]));
	}
}

/* For the tests: the kernel is taken for one without uprobe_multi. */
static bool may_use_multi(void)
{
	return getenv("SDTKIT_TOP_OLD_KERNEL") == NULL && multi_exists();
}

void attach_begin(struct bpf_program *program, const struct plan *the_plan,
		  const struct found *the_found, bool parts)
{
	hit = program;
	plan = the_plan;
	found = the_found;
	multi = may_use_multi();
	if (multi)
		multi_prepare(hit);
	make_parts(parts);
}

unsigned int attach_part_of(unsigned int span)
{
	return part_of[span];
}

unsigned long long attach_spans(unsigned int part)
{
	unsigned long long spans = 0;
	unsigned int i;

	for (i = 0; i < plan->spans.count; i++)
		spans |= (unsigned long long)(part_of[i] == part) << i;
	return spans;
}

static struct link *add_link(unsigned int part)
{
	TOOL_GROW(links, num_links, capacity);
	links[num_links] = (struct link){ .part = part, .fd = -1 };
	return &links[num_links++];
}

static int attach_sites(const char *path, const struct uprobe_site *sites,
			int count, unsigned int part)
{
	struct bpf_link **singles = tool_zeros((size_t)count,
					       sizeof(*singles));
	int ret = multi_attach_by(hit, path, sites, count, multi, singles);
	int i;

	if (multi && ret >= 0)
		add_link(part)->fd = ret;
	for (i = 0; i < count; i++) {
		if (singles[i] != NULL)
			add_link(part)->single = singles[i];
	}
	free(singles);
	return ret;
}

static bool attach_file(int file, unsigned int part)
{
	struct uprobe_site *sites = tool_zeros(plan->num_sites, sizeof(*sites));
	const struct plan_site *site;
	int count = 0;
	int ret = 0;
	size_t i;

	for (i = 0; i < plan->num_sites; i++) {
		site = &plan->site[i];
		if (site->file == file &&
		    part_of[span_of(&site->site.action[0])] == part)
			sites[count++] = (struct uprobe_site){
				site->offset, site->semaphore, i };
	}
	if (count > 0)
		ret = attach_sites(found->files[file].path, sites, count, part);
	free(sites);
	if (ret < 0)
		tool_complain("%s: cannot attach to its probes: %s",
			      found->files[file].name,
			      multi_failure(found->files[file].name, ret));
	return ret >= 0;
}

bool attach_part(unsigned int part)
{
	int i;

	for (i = 0; i < found->num_files; i++) {
		if (attach_file(i, part))
			continue;
		/* all or nothing: what is left would count twice later */
		attach_let_go(part);
		return false;
	}
	return true;
}

bool attach_all(void)
{
	unsigned int i;

	for (i = 0; i < ATTACH_PARTS; i++) {
		if (part_of[i] == i && !attach_part(i))
			return false;
	}
	return true;
}

void attach_let_go(unsigned int part)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < num_links; i++) {
		if (links[i].part != part)
			links[kept++] = links[i];
		else if (links[i].fd >= 0)
			close(links[i].fd);
		else
			bpf_link__destroy(links[i].single);
	}
	num_links = kept;
}

/* The offset of the site in the file of this program, which comes first. */
static int find_own_site(struct dl_phdr_info *info, size_t size, void *offset)
{
	uint64_t at = (uintptr_t)attach_own_site - info->dlpi_addr;
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && at - p->p_vaddr < p->p_filesz)
			*(uint64_t *)offset = at - p->p_vaddr + p->p_offset;
	}
	return 1;
}

static unsigned long long time_of_calls(void)
{
	unsigned long long start = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	int i;

	for (i = 0; i < CALLS; i++)
		hit_own_site();
	return sdtkit_nanoseconds(CLOCK_MONOTONIC) - start;
}

double attach_price(void)
{
	struct uprobe_site site = { .offset = 0 };
	unsigned long long least = ~0ULL, ns;
	int i;

	dl_iterate_phdr(find_own_site, &site.offset);
	if (attach_sites("/proc/self/exe", &site, 1, ATTACH_PARTS) < 0)
		return 0;
	for (i = 0; i < BATCHES; i++) {
		ns = time_of_calls();
		least = ns < least ? ns : least;
	}
	attach_let_go(ATTACH_PARTS);
	return (double)least / CALLS;
}
