/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands of sdtkit share, see tool.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/escape.h"
#include "common/out.h"
#include "common/progress.h"
#include "common/tool.h"
#include "lib/base/grow.h"

/* What messages begin with: "sdtkit list". */
static char running[96] = "sdtkit";

char *tool_begin(const char *command)
{
	snprintf(running, sizeof(running), "sdtkit %s", command);
	return running;
}

void tool_complain(const char *format, ...)
{
	char text[8192];
	va_list ap;

	out_flush();
	progress_clear();
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	fprintf(stderr, "%s: ", running);
	escape(text, ESCAPE_PATH, escape_to_file, stderr);
	fputc('\n', stderr);
}

void tool_no_memory(void)
{
	fprintf(stderr, "%s: out of memory\n", running);
	exit(TOOL_TROUBLE);
}

char *tool_vformat(const char *format, va_list ap)
{
	char *text;

	if (vasprintf(&text, format, ap) < 0)
		tool_no_memory();
	return text;
}

char *tool_format(const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = tool_vformat(format, ap);
	va_end(ap);
	return text;
}

FILE *tool_open_text(char **text)
{
	static size_t size;	/* of all such files: nobody asks for it */
	FILE *file = open_memstream(text, &size);

	if (file == NULL)
		tool_no_memory();
	return file;
}

void tool_close_text(FILE *file)
{
	if (fclose(file) != 0)
		tool_no_memory();
}

void *tool_zeros(size_t count, size_t item_size)
{
	void *zeros = calloc(count + 1, item_size);

	if (zeros == NULL)
		tool_no_memory();
	return zeros;
}

void tool_grow(void *array, size_t count, size_t *capacity, size_t item_size)
{
	if (sdtkit_grow(array, count, capacity, item_size) < 0)
		tool_no_memory();
}

static bool is_elf(const char *path)
{
	struct stat status;
	char magic[4] = "";
	bool is;
	int fd;

	/* what is read from a pipe, as /dev/stdout may be, would be lost */
	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	is = fd >= 0 && read(fd, magic, 4) == 4 &&
	     memcmp(magic, "\177ELF", 4) == 0;
	if (fd >= 0)
		close(fd);
	return is;
}

bool tool_may_replace(const char *path)
{
	size_t length = strlen(path);
	bool is_description = length > 2 &&
		strcmp(path + length - 2, ".d") == 0 && access(path, F_OK) == 0;

	if (path[0] == '-' && path[1] != '\0') {
		tool_complain("'%s' stands where the file for the output "
			      "belongs: write ./%s for a file of this name",
			      path, path);
		return false;
	}
	if (!is_description && !is_elf(path))
		return true;
	tool_complain("%s: is %s, and would be lost: name another file for the "
		      "output", path,
		      is_description ? "a description" : "a program");
	return false;
}

bool tool_set_output(const char *path)
{
	int fd;

	if (!tool_may_replace(path))
		return false;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		tool_complain("%s: %s", path, strerror(errno));
		return false;
	}
	if (fd != STDOUT_FILENO)
		close(fd);
	out_to_file();
	return true;
}
