/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test-tap-libraries PLUG.so: libraries that are loaded, unloaded and loaded
 * again while a tap is open.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../child.h"
#include "image.h"
#include "tap_all.h"

static void (*plug_call)(int n);
static void (*plug_call_other)(int n);

static void *load_from(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (handle == NULL)
		fail_msg("%s", dlerror());
	*(void **)&plug_call = dlsym(handle, "plug_call");
	assert_non_null(plug_call);
	*(void **)&plug_call_other = dlsym(handle, "plug_call_other");
	assert_non_null(plug_call_other);
	return handle;
}

TEST(test_loaded_before)
{
	void *handle = load_from(test_argument);
	struct sdtkit_tap *tap = open_tap("plug:*,taps:*");
	const struct sdtkit_tap_probe *probe;
	size_t i;

	plug_call(3);
	TAPS_NUMBER(4);
	good(sdtkit_tap_expect_next(tap, "plug:called", sdtkit_tap_int("n", 3),
				    sdtkit_tap_str("from", "plug")));
	good(sdtkit_tap_expect_next(tap, "taps:number",
				    sdtkit_tap_int("n", 4)));
	for (i = 0; (probe = sdtkit_tap_probe_at(tap, i)) != NULL; i++) {
		if (strcmp(probe->provider, "plug") == 0)
			assert_string_equal(probe->object, test_argument);
	}
	sdtkit_tap_close(tap);
	plug_call(5);
	dlclose(handle);
}

TEST(test_loaded_after)
{
	struct sdtkit_tap *tap = open_tap("plug:*,taps:*");
	void *handle = load_from(test_argument);

	plug_call(1);
	assert_int_equal(sdtkit_tap_count(tap, "plug:*"), 0);
	assert_true(sdtkit_tap_rescan(tap) > 0);
	assert_int_equal(sdtkit_tap_rescan(tap), 0);
	plug_call(2);
	assert_int_equal(sdtkit_tap_count(tap, "plug:*"), 1);
	/*
	 * The library is unloaded: what events and probes point to must be
	 * copies.
	 */
	dlclose(handle);
	good(sdtkit_tap_expect(tap, "plug:called", sdtkit_tap_int("n", 2),
			       sdtkit_tap_str("from", "plug")));
	sdtkit_tap_close(tap);
}

static uint8_t *site_of(const char *probe, void (*call)(int n))
{
	struct sdtkit_tap *tap = open_tap(probe);
	const struct sdtkit_tap_event *event;
	uint8_t *site;

	call(1);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	site = (uint8_t *)event->site;
	sdtkit_tap_close(tap);
	return site;
}

/* A tap has made the page read-only again, so it is made writable here. */
static void write_code(uint8_t *code, const uint8_t *bytes, size_t count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(mprotect((void *)((uintptr_t)code & ~(page - 1)),
				  2 * page, PROT_READ | PROT_WRITE |
				  PROT_EXEC), 0);
	memcpy(code, bytes, count);
	__builtin___clear_cache((char *)code, (char *)code + count);
}

/*
 * If a rescan cannot attach to one site of a library, it attaches to none of
 * them: first says whether it is the first or the last site.
 */
static void check_failed_rescan(bool first)
{
	struct sdtkit_tap *tap = open_tap("plug:*,taps:*");
	void *handle = load_from(test_argument);
	uint8_t *site = first ? site_of("plug:called", plug_call) :
				site_of("plug:other", plug_call_other);
	static const uint8_t other[] = { 0xfe, 0xfe, 0xfe, 0xfe };
	const struct sdtkit_tap_probe *known;
	uint8_t nop[sizeof(other)];
	size_t i, sites = 0;

	memcpy(nop, site, sizeof(nop));
	write_code(site, other, sizeof(other));
	bad(EOPNOTSUPP, "there is no nop", sdtkit_tap_rescan(tap));
	bad(EOPNOTSUPP, "there is no nop", sdtkit_tap_rescan(tap));
	write_code(site, nop, sizeof(nop));
	plug_call(1);
	plug_call_other(1);
	assert_int_equal(sdtkit_tap_count(tap, "plug:*"), 0);
	assert_int_equal(sdtkit_tap_rescan(tap), 2);
	plug_call(2);
	plug_call_other(3);
	good(sdtkit_tap_expect_next(tap, "plug:called",
				    sdtkit_tap_int("n", 2)));
	good(sdtkit_tap_expect_next(tap, "plug:other",
				    sdtkit_tap_int("n", 3)));
	for (i = 0; (known = sdtkit_tap_probe_at(tap, i)) != NULL; i++)
		sites += strcmp(known->provider, "plug") == 0 ?
			 known->site_count : 0;
	assert_int_equal(sites, 2);
	sdtkit_tap_close(tap);
	dlclose(handle);
}

TEST(test_failed_rescan)
{
	check_failed_rescan(true);
	check_failed_rescan(false);
}

/* The loader mostly chooses the same address again, where no trap is then. */
TEST(test_loaded_again)
{
	void *handle = load_from(test_argument);
	struct sdtkit_tap *a = open_tap("plug:*"), *b = open_tap("plug:*");
	int i, rescanned = 0;

	for (i = 0; i < 10; i++) {
		dlclose(handle);
		if (i % 3 == 0)
			good(sdtkit_tap_rescan(b));
		handle = load_from(test_argument);
		plug_call(i);
		assert_int_equal(sdtkit_tap_count(a, NULL), rescanned);
		good(sdtkit_tap_rescan(a));
		good(sdtkit_tap_rescan(b));
		plug_call(100 + i);
		rescanned++;
		assert_int_equal(sdtkit_tap_count(a, NULL), rescanned);
		assert_int_equal(sdtkit_tap_count(b, NULL), rescanned);
	}
	sdtkit_tap_close(a);
	plug_call(200);
	assert_int_equal(sdtkit_tap_count(b, NULL), rescanned + 1);
	sdtkit_tap_close(b);
	dlclose(handle);
}

/*
 * The library is unloaded without a rescan, and nothing or another mapping is
 * where its code was. Closing the tap must not write there.
 */
TEST(test_unloaded_before_close)
{
	void *handle = load_from(test_argument);
	struct sdtkit_tap *tap = open_tap("plug:*");

	plug_call(1);
	dlclose(handle);
	sdtkit_tap_close(tap);
	handle = load_from(test_argument);
	tap = open_tap("plug:*");
	dlclose(handle);
	handle = load_from(test_argument);
	sdtkit_tap_close(tap);
	/* The library was loaded anew, so its probes are off. */
	plug_call(2);
	tap = open_tap("plug:*");
	plug_call(3);
	good(sdtkit_tap_expect_next(tap, "plug:called",
				    sdtkit_tap_int("n", 3)));
	sdtkit_tap_close(tap);
	dlclose(handle);
}

static void copy_file(const char *from, const char *to, bool with_notes)
{
	static char data[1 << 20];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	size_t size, i;

	assert_non_null(in);
	assert_non_null(out);
	size = fread(data, 1, sizeof(data), in);
	/* Without its notes: the copy gets another build ID. */
	for (i = 0; !with_notes && i + 4 < size; i++) {
		if (memcmp(data + i, "GNU", 4) == 0)
			data[i + 4] ^= 1;
	}
	assert_int_equal(fwrite(data, 1, size, out), size);
	fclose(in);
	fclose(out);
}

/* The file at the path was replaced after the library was loaded. */
TEST(test_replaced_file)
{
	char path[] = "/tmp/sdtkit-tap-XXXXXX", other[sizeof(path) + 4];
	struct sdtkit_tap *tap = NULL;
	void *handle;

	close(mkstemp(path));
	snprintf(other, sizeof(other), "%s.new", path);
	copy_file(test_argument, path, true);
	copy_file(test_argument, other, false);
	handle = load_from(path);
	assert_int_equal(rename(other, path), 0);
	bad(ENOENT, "not the file that was loaded: it was replaced since",
	    sdtkit_tap_open("plug:*", &tap));
	assert_int_equal(unlink(path), 0);
	bad(ENOENT, "No such file", sdtkit_tap_open("plug:*", &tap));
	plug_call(1);
	dlclose(handle);
}

/* Sets the descriptor size of the first note to more than the section has. */
static void damage_note(const char *path)
{
	static const char name[] = "stapsdt";
	static char data[1 << 20];
	FILE *file = fopen(path, "r+b");
	char *at;

	assert_non_null(file);
	at = memmem(data, fread(data, 1, sizeof(data), file), name,
		    sizeof(name));
	assert_non_null(at);
	fseek(file, at - data - 8, SEEK_SET);
	assert_int_equal(fwrite("\xf0\xff\xff\x7f", 1, 4, file), 4);
	fclose(file);
}

/*
 * With SDTKIT_TAP_LENIENT, a damaged library does not keep the tap from the
 * other objects.
 */
TEST(test_damaged_library)
{
	char path[] = "/tmp/sdtkit-tap-XXXXXX";
	struct sdtkit_tap *tap = NULL;
	void *handle;

	close(mkstemp(path));
	copy_file(test_argument, path, true);
	damage_note(path);
	handle = load_from(path);
	bad(EBADMSG, path, sdtkit_tap_open("plug:*,taps:*", &tap));
	tap = open_with("plug:*,taps:*", .flags = SDTKIT_TAP_LENIENT);
	assert_non_null(strstr(sdtkit_tap_error(), path));
	good(sdtkit_tap_rescan(tap));
	assert_int_equal(sdtkit_tap_left_out(tap), 1);
	plug_call(1);
	TAPS_NUMBER(4);
	good(sdtkit_tap_expect_next(tap, "taps:number",
				    sdtkit_tap_int("n", 4)));
	sdtkit_tap_close(tap);
	dlclose(handle);
	assert_int_equal(unlink(path), 0);
}

/*
 * Too many sections for 16 bits: their number, and the index of their names,
 * are in the first section, as the ELF specification has it.
 */
static void number_sections_in_the_first(const char *path)
{
	int fd = open(path, O_RDWR);
	ElfW(Shdr) first;
	ElfW(Ehdr) header;

	assert_int_equal(pread(fd, &header, sizeof(header), 0),
			 sizeof(header));
	assert_int_equal(pread(fd, &first, sizeof(first),
			       (off_t)header.e_shoff), sizeof(first));
	first.sh_size = header.e_shnum;
	first.sh_link = header.e_shstrndx;
	header.e_shnum = 0;
	header.e_shstrndx = SHN_XINDEX;
	assert_int_equal(pwrite(fd, &header, sizeof(header), 0),
			 sizeof(header));
	assert_int_equal(pwrite(fd, &first, sizeof(first),
				(off_t)header.e_shoff), sizeof(first));
	close(fd);
}

TEST(test_many_sections)
{
	char path[] = "/tmp/sdtkit-tap-XXXXXX";
	struct sdtkit_tap *tap;
	void *handle;

	close(mkstemp(path));
	copy_file(test_argument, path, true);
	number_sections_in_the_first(path);
	handle = load_from(path);
	tap = open_tap("plug:*");
	plug_call(1);
	assert_int_equal(sdtkit_tap_count(tap, "plug:called"), 1);
	sdtkit_tap_close(tap);
	dlclose(handle);
	assert_int_equal(unlink(path), 0);
}

/* Truncates the file that its notes are about to be read from. */
static int truncate_between(struct dl_phdr_info *info, size_t size, void *path)
{
	struct sdtkit_note_reader reader;
	struct sdtkit_tap_image image;
	size_t position = 0;

	if (strcmp(info->dlpi_name, path) != 0)
		return 0;
	if (sdtkit_tap_image_open(info, &image) < 0 ||
	    truncate(path, 0) < 0)
		return 1;
	if (sdtkit_tap_image_next(&image, ".note.stapsdt", &position, &reader))
		return 2;
	sdtkit_tap_image_close(&image);
	return 3;
}

TEST(test_truncated_file)
{
	char path[] = "/tmp/sdtkit-tap-XXXXXX";
	pid_t child;

	close(mkstemp(path));
	copy_file(test_argument, path, true);
	child = fork();
	if (child == 0) {
		load_from(path);
		_exit(dl_iterate_phdr(truncate_between, path));
	}
	assert_int_equal(status_of(child), 3 << 8);
	assert_int_equal(unlink(path), 0);
}

/* A note that no segment loads is nowhere in memory. */
TEST(test_note_that_is_not_loaded)
{
	const ElfW(Phdr) note = {
		.p_type = PT_NOTE, .p_vaddr = 16, .p_filesz = 32,
		.p_memsz = 32,
	};
	const struct dl_phdr_info info = {
		.dlpi_phdr = &note, .dlpi_phnum = 1,
	};

	assert_true(sdtkit_tap_image_mark(&info) != 0);
}
