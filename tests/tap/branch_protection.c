/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_protection: prints which signals kill two children, of which one
 * branches to the beginning of the function in branch_protected.c, and one into
 * its middle: before a tap is opened, while it is open and after its close.
 *
 *	before 0 4	0: it was not killed; 4: SIGILL
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sdtkit/tap.h>

void plug_call(int n);
void protected_whole(void);
void protected_middle(void);

static int signal_of(void (*function)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		__asm__ volatile("blr %0" : : "r" (function) : "x30", "memory");
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void tell(const char *when)
{
	printf("%s %d %d\n", when, signal_of(protected_whole),
	       signal_of(protected_middle));
	fflush(stdout);
}

int main(void)
{
	struct sdtkit_tap *tap;

	tell("before");
	if (sdtkit_tap_open("plug:*", &tap) < 0) {
		puts(sdtkit_tap_error());
		return 1;
	}
	tell("open");
	plug_call(1);
	printf("hits %d\n", (int)sdtkit_tap_count(tap, NULL));
	fflush(stdout);
	sdtkit_tap_close(tap);
	tell("closed");
	return 0;
}
