/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * picture.c - begins and ends an SVG file, and replaces the old file.
 *
 *	<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="420" ...>
 *	<style>.paper{fill:#fff} ...</style>
 *	<rect class="paper" width="100%" height="100%"/>
 *
 * A user who traces for hours must learn at once that the picture cannot be
 * written, and keeps the old one if the new one fails: it is written beside
 * and renamed. A path that is not a regular file (/dev/stdout) is written to.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picture.h"

/* Follows the light or dark theme of the reader. */
static const char colours[] =
".paper{fill:#fff}text{fill:#222}.faint{fill:#666}.line{stroke:#ccc}\n"
"@media (prefers-color-scheme:dark){.paper{fill:#16181c}text{fill:#ddd}"
".faint{fill:#999}.line{stroke:#444}}\n";

static const char suffix[] = ".XXXXXX";

enum { ROOM = 4 << 20 };		/* more than any picture or page takes */

static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Creates a file with a new name in the same directory; returns -1 if not. */
static int make_beside(const char *path, char **name)
{
	char *real = realpath(path, NULL);
	int ret;
	int fd;

	ret = asprintf(name, "%s%s", real != NULL ? real : path, suffix);
	free(real);
	if (ret < 0) {
		*name = NULL;
		return -1;
	}
	fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0) {
		free(*name);
		*name = NULL;
	}
	return fd;
}

bool picture_check(const char *option, const char *path)
{
	struct stat st;
	char *beside;
	int fd;

	if (path == NULL)
		return true;
	if (*path == '\0') {
		warnx("invalid value '' for %s: use the name of a file",
		      option);
		return false;
	}
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		warn("%s", path);
		return false;
	}
	if (is_special(path))
		return true;
	fd = make_beside(path, &beside);
	if (fd < 0) {
		warn("%s", path);
		return false;
	}
	close(fd);
	unlink(beside);
	free(beside);
	return true;
}

static FILE *open_beside(struct picture *p, mode_t mode)
{
	int fd = make_beside(p->path, &p->beside);
	mode_t mask;

	if (fd < 0)
		return NULL;
	mask = umask(0);
	umask(mask);
	fchmod(fd, mode & ~mask);
	return fdopen(fd, "w");
}

static bool open_file(struct picture *p, const char *path, mode_t mode,
		      bool quiet)
{
	p->path = path;
	p->beside = NULL;
	p->quiet = quiet;
	p->error = 0;
	p->file = is_special(path) ? fopen(path, "we") : open_beside(p, mode);
	if (p->file == NULL && !quiet)
		warn("%s", path);
	return p->file != NULL;
}

bool picture_open(struct picture *p, const char *path, mode_t mode)
{
	return open_file(p, path, mode, false);
}

bool picture_open_quietly(struct picture *p, const char *path, mode_t mode)
{
	return open_file(p, path, mode, true);
}

bool picture_begin(struct picture *p, const char *path, int width,
		   int height, const char *style, const char *title,
		   const char *description)
{
	if (!picture_open(p, path, 0666))
		return false;
	fprintf(p->file, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		"role=\"img\" aria-labelledby=\"title\" "
		"aria-describedby=\"desc\" "
		"font-family=\"Arial,Helvetica,sans-serif\" "
		"font-size=\"11\">\n"
		"<title id=\"title\">", width, height, width, height);
	picture_text(p, title);
	fputs("</title>\n<desc id=\"desc\">", p->file);
	picture_text(p, description);
	fprintf(p->file, "</desc>\n"
		"<style>\n%s%s</style>\n"
		"<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n"
		"<text x=\"10\" y=\"22\" font-size=\"16\">", colours, style,
		width, height);
	picture_text(p, title);
	fputs("</text>\n", p->file);
	return true;
}

void picture_text(struct picture *p, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '<')
			fputs("&lt;", p->file);
		else if (c == '>')
			fputs("&gt;", p->file);
		else if (c == '&')
			fputs("&amp;", p->file);
		else
			putc(c < ' ' || c > 126 ? '?' : c, p->file);
	}
}

/* Renames it to the name without the suffix that make_beside() has added. */
static int move(const char *beside)
{
	char *path = strndup(beside, strlen(beside) - strlen(suffix));
	int ret;

	if (path == NULL)
		return -1;
	ret = rename(beside, path);
	free(path);
	return ret;
}

bool picture_end(struct picture *p)
{
	fputs("</svg>\n", p->file);
	return picture_close(p);
}

/* A write before the last one failed, and nobody has kept its errno. */
static int earlier_error(FILE *file)
{
	return posix_fallocate(fileno(file), 0, ROOM) == ENOSPC ? ENOSPC : EIO;
}

bool picture_close(struct picture *p)
{
	errno = EIO;
	if (fflush(p->file) != 0 && p->error == 0)
		p->error = errno;
	else if (ferror(p->file) != 0 && p->error == 0)
		p->error = earlier_error(p->file);
	if (fclose(p->file) != 0 && p->error == 0)
		p->error = errno;
	if (p->error == 0 && p->beside != NULL && move(p->beside) != 0)
		p->error = errno;
	if (p->error != 0 && !p->quiet)
		warnx("%s: %s", p->path, strerror(p->error));
	if (p->error != 0 && p->beside != NULL)
		unlink(p->beside);
	free(p->beside);
	return p->error == 0;
}
