/* SPDX-License-Identifier: BSD-2-Clause */
/* See allowed.h. */
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "allowed.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#define CAP_BPF		39
#endif

/* From <linux/proc_ns.h>, which the kernel keeps for itself. */
static const ino_t PROC_PID_INIT_INO = 0xeffffffc;

/* The effective capabilities; all of them if that cannot be found out. */
static uint64_t capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return UINT64_MAX;
	return data[0].effective | (uint64_t)data[1].effective << 32;
}

static bool has(uint64_t set, unsigned int capability)
{
	return (set >> capability & 1) != 0;
}

/* "none integrity [confidentiality]": the word in brackets is in force. */
static bool is_locked_down(void)
{
	char line[128] = "";
	FILE *file;

	file = fopen("/sys/kernel/security/lockdown", "re");
	if (file == NULL)
		return false;
	if (fgets(line, sizeof(line), file) == NULL)
		line[0] = '\0';
	fclose(file);
	return strstr(line, "[confidentiality]") != NULL;
}

bool allowed_to_trace(const char *command, char *text)
{
	uint64_t set = capabilities();

	if (!has(set, CAP_SYS_ADMIN) &&
	    !(has(set, CAP_BPF) && has(set, CAP_PERFMON))) {
		allowed_advise(command, text);
		return false;
	}
	if (is_locked_down()) {
		snprintf(text, ALLOWED_TEXT, "the kernel is locked down, and "
			 "lets no BPF program read memory: boot it with "
			 "lockdown=integrity to run %s", command);
		return false;
	}
	return true;
}

bool allowed_sees_processes(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) != 0 ||
	       status.st_ino == PROC_PID_INIT_INO;
}

void allowed_advise(const char *command, char *text)
{
	if (geteuid() != 0)
		snprintf(text, ALLOWED_TEXT, "run %s as root", command);
	else if (has(capabilities(), CAP_SYS_ADMIN))
		snprintf(text, ALLOWED_TEXT, "something forbids it to this "
			 "root, such as a container's seccomp filter: run %s "
			 "outside of it", command);
	else
		snprintf(text, ALLOWED_TEXT, "this root has lost privileges, "
			 "as in a container: run %s outside of it, or with "
			 "CAP_SYS_ADMIN, CAP_SYS_PTRACE and "
			 "CAP_DAC_READ_SEARCH", command);
}
