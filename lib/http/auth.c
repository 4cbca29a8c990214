/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * auth.c - checks users and passwords.
 *
 *	prometheus:$6$...	the hash is what 'openssl passwd -6' prints
 *
 * A hash is slow to compute on purpose: milliseconds. A scraper sends the same
 * password each time, so a password that was right is remembered as a SipHash
 * with a secret key. A few wrong ones are computed in a second, so that
 * guessing costs little time here.
 */
#include <crypt.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/siphash.h"
#include "auth.h"

enum {
	MAX_USERS = 64,
	MAX_FILE = 65536,
	MAX_PASSWORD = 256,
	TRIES = 5,			/* in a second, of one address, */
	ALL_TRIES = 20,			/* and of all */
};

struct user {
	const char *name;
	const char *hash;
	bool remembered;
	unsigned long long password;	/* a SipHash of the right one */
};

struct users {
	struct user list[MAX_USERS];
	int count;
	char *text;			/* to which names and hashes point */
};

static struct users *users;		/* who may read now */
static unsigned long long key[2];

/* Says why the file is not read, if it is not. */
static bool may_be_read(int fd, const char *what, const char *file,
			bool is_private)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		warn("%s=%s", what, file);
	else if (!S_ISREG(st.st_mode))
		warnx("%s=%s: not a regular file", what, file);
	else if (is_private && st.st_mode & (S_IRWXO | S_IWGRP))
		warnx("%s=%s: others may read or change the file: use "
		      "'chmod 640' or 'chmod 600'", what, file);
	else
		return true;
	return false;
}

/* Likewise; the text has MAX_FILE bytes and is zero. */
static bool read_all(int fd, const char *what, const char *file, char *text)
{
	size_t size = 0;
	ssize_t ret;

	while (size < MAX_FILE &&
	       (ret = read(fd, text + size, MAX_FILE - size)) != 0) {
		if (ret < 0) {
			warn("%s=%s", what, file);
			return false;
		}
		size += (size_t)ret;
	}
	if (size == MAX_FILE)
		warnx("%s=%s: the file is larger than 64 KiB", what, file);
	return size < MAX_FILE;
}

/* Without O_NONBLOCK, a FIFO in place of the file would stop the service. */
char *auth_read_file(const char *what, const char *file, bool is_private)
{
	char *text = memory_zeros(1, MAX_FILE + 1);
	bool good;
	int fd;

	fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	good = may_be_read(fd, what, file, is_private) &&
	       read_all(fd, what, file, text);
	if (fd >= 0)
		close(fd);
	if (good)
		return text;
	free(text);
	return NULL;
}

/* The line is changed and stays in use. Says what is wrong with it. */
static bool add_user(struct users *to, const char *file, int number,
		     char *line)
{
	char *colon = strchr(line, ':');
	struct crypt_data data = { .initialized = 0 };
	const char *made;

	if (colon == NULL || colon == line) {
		warnx("%s:%d: use a line of the form user:hash", file, number);
		return false;
	}
	*colon = '\0';
	made = crypt_r("", colon + 1, &data);
	if (made == NULL || *made == '*' || strlen(colon + 1) < 13) {
		warnx("%s:%d: not a hash that crypt(5) knows: use the output "
		      "of 'openssl passwd -6'", file, number);
		return false;
	}
	if (to->count == MAX_USERS) {
		warnx("%s:%d: at most %d users can be given", file, number,
		      MAX_USERS);
		return false;
	}
	to->list[to->count++] = (struct user){ line, colon + 1, false, 0 };
	return true;
}

static bool add_users(struct users *to, const char *file)
{
	char *rest = to->text;
	int number = 0;
	char *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		number++;
		line[strcspn(line, "\r")] = '\0';
		if (*line != '\0' && *line != '#' &&
		    !add_user(to, file, number, line))
			return false;
	}
	if (to->count == 0)
		warnx("%s: the file has no line of the form user:hash", file);
	return to->count > 0;
}

struct users *auth_parse(const char *text, const char *file)
{
	struct users *made = memory_zeros(1, sizeof(*made));

	made->text = memory_of(strdup(text));
	if (add_users(made, file))
		return made;
	auth_free(made);
	return NULL;
}

void auth_free(struct users *some)
{
	if (some == NULL)
		return;
	free(some->text);
	free(some);
}

void auth_use(struct users *some)
{
	auth_free(users);
	users = some;
	if (getrandom(key, sizeof(key), 0) != sizeof(key))
		err(1, "cannot get random bytes for --auth");
}

/* Takes the same time wherever two texts of the same length differ. */
static bool is_equal(const char *a, const char *b)
{
	size_t length = strlen(a);
	unsigned char differ = 0;
	size_t i;

	if (strlen(b) != length)
		return false;
	for (i = 0; i < length; i++)
		differ |= (unsigned char)(a[i] ^ b[i]);
	return differ == 0;
}

/* So somebody who guesses does not keep out those at other addresses. */
static bool may_try(unsigned long long origin)
{
	static unsigned long long tried[ALL_TRIES];
	static time_t second;
	static int num_tried;
	struct timespec now;
	int own = 0;
	int i;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec != second)
		num_tried = 0;
	second = now.tv_sec;
	for (i = 0; i < num_tried; i++)
		own += tried[i] == origin;
	if (own >= TRIES || num_tried == ALL_TRIES)
		return false;
	tried[num_tried++] = origin;
	return true;
}

/* For an unknown user, somebody else's hash takes the same time. */
static bool is_right(const struct user *user, const char *password)
{
	static struct crypt_data data;
	const char *hash = user != NULL ? user->hash :
		users->list[0].hash;
	const char *made = crypt_r(password, hash, &data);
	bool right = made != NULL && is_equal(made, hash) && user != NULL;

	explicit_bzero(&data, sizeof(data));
	return right;
}

enum auth_result auth_check(const char *name, const char *password,
			    unsigned long long origin)
{
	struct user *user = NULL;
	unsigned long long sip;
	int i;

	if (strlen(password) > MAX_PASSWORD)
		return AUTH_BAD;
	for (i = 0; i < users->count; i++) {
		if (is_equal(users->list[i].name, name))
			user = &users->list[i];
	}
	sip = siphash(key, password, strlen(password));
	if (user != NULL && user->remembered && user->password == sip)
		return AUTH_GOOD;
	if (!may_try(origin))
		return AUTH_LATER;
	if (!is_right(user, password))
		return AUTH_BAD;
	user->remembered = true;
	user->password = sip;
	return AUTH_GOOD;
}
