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

#include "auth.h"
#include "privacy.h"

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

static struct user users[MAX_USERS];
static int num_users;
static unsigned long long key[2];

char *auth_read_file(const char *what, const char *file, bool is_private)
{
	char *text = calloc(1, MAX_FILE + 1);
	size_t size = 0;
	struct stat st;
	ssize_t ret;
	int fd;

	if (text == NULL)
		err(1, NULL);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		err(1, "%s=%s", what, file);
	if (!S_ISREG(st.st_mode))
		errx(1, "%s=%s: not a regular file", what, file);
	if (is_private && st.st_mode & (S_IRWXO | S_IWGRP))
		errx(1, "%s=%s: others may read or change the file: use "
		     "'chmod 640' or 'chmod 600'", what, file);
	while (size < MAX_FILE &&
	       (ret = read(fd, text + size, MAX_FILE - size)) != 0) {
		if (ret < 0)
			err(1, "%s=%s", what, file);
		size += (size_t)ret;
	}
	close(fd);
	if (size == MAX_FILE)
		errx(1, "%s=%s: the file is larger than 64 KiB", what, file);
	return text;
}

/* The line is changed and stays in use. */
static void add_user(const char *file, int number, char *line)
{
	char *colon = strchr(line, ':');
	struct crypt_data data = { .initialized = 0 };
	const char *made;

	if (colon == NULL || colon == line)
		errx(1, "%s:%d: use a line of the form user:hash", file,
		     number);
	*colon = '\0';
	made = crypt_r("", colon + 1, &data);
	if (made == NULL || *made == '*' || strlen(colon + 1) < 13)
		errx(1, "%s:%d: not a hash that crypt(5) knows: use the "
		     "output of 'openssl passwd -6'", file, number);
	if (num_users == MAX_USERS)
		errx(1, "%s:%d: at most %d users can be given", file, number,
		     MAX_USERS);
	users[num_users++] = (struct user){ line, colon + 1, false, 0 };
}

void auth_open(const char *file)
{
	static char *text;
	int number = 0;
	char *rest;
	char *line;

	free(text);
	text = rest = auth_read_file("--auth", file, true);
	num_users = 0;
	while ((line = strsep(&rest, "\n")) != NULL) {
		number++;
		line[strcspn(line, "\r")] = '\0';
		if (*line != '\0' && *line != '#')
			add_user(file, number, line);
	}
	if (num_users == 0)
		errx(1, "--auth=%s: the file has no line of the form "
		     "user:hash", file);
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
	const char *hash = user != NULL ? user->hash : users[0].hash;
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
	for (i = 0; i < num_users; i++) {
		if (is_equal(users[i].name, name))
			user = &users[i];
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
