/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drop.c - gives up privileges, in an order in which each step is permitted.
 *
 *	bounding set -> groups, group, user (the permitted set is kept) ->
 *	permitted set -> no new privileges -> filter of system calls
 *
 * The kernel's interface is used directly: it is three calls, and no library
 * has to be installed for it.
 */
#include <err.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "settings/values.h"
#include "drop.h"
#include "registers.h"

/*
 * No part of the service calls them, and who may read the memory of what is
 * traced could take it over with some of them.
 */
static const unsigned int refused[] = {
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_execve,
	SYS_execveat, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
	SYS_setns, SYS_unshare, SYS_init_module, SYS_finit_module,
	SYS_delete_module, SYS_kexec_load, SYS_open_by_handle_at,
	SYS_add_key, SYS_keyctl, SYS_request_key,
};

enum { NUM_REFUSED = sizeof(refused) / sizeof(refused[0]), X32 = 0x40000000 };

static uid_t user = (uid_t)-1;
static gid_t group;
static char *user_name;

static const struct passwd *find_user(const struct service_program *program,
				      const char *name)
{
	const char *normal = program->user != NULL ? program->user :
		program->report->name;
	const struct passwd *one;
	char word[VALUES_WORD];

	one = getpwnam(name != NULL ? name : normal);
	if (one == NULL && name == NULL)
		one = getpwnam("nobody");
	if (one == NULL)
		values_refuse_option("run-as", "there is no user '%s': "
				     "give another one with --run-as",
				     name != NULL ?
				     values_word(name, word) : normal);
	if (one->pw_uid == 0)
		values_refuse_option("run-as", "--run-as cannot be root: "
				     "use a user that owns nothing else");
	return one;
}

const char *drop_find_user(const struct service_program *program,
			   const char *name)
{
	if (geteuid() == 0)
		return drop_check_user(program, name);
	if (name != NULL)
		values_refuse_option("run-as", "--run-as needs root: "
				     "leave it out, and start %s as that "
				     "user", program->report->name);
	return NULL;
}

const char *drop_check_user(const struct service_program *program,
			    const char *name)
{
	const struct passwd *one = NULL;

	if (geteuid() == 0 || name != NULL)
		one = find_user(program, name);
	if (one == NULL)
		return NULL;
	user_name = value_copy(one->pw_name);
	if (geteuid() != 0)
		return user_name;
	user = one->pw_uid;
	group = one->pw_gid;
	return user_name;
}

void drop_begin_files(void)
{
	if (user == (uid_t)-1)
		return;
	/* those of root would permit what is refused later; none are needed */
	setgroups(0, NULL);
	setfsgid(group);
	setfsuid(user);
}

void drop_end_files(void)
{
	setfsuid(geteuid());
	setfsgid(getegid());
}

static void change_user(const struct service_program *program)
{
	if (user == (uid_t)-1)
		return;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 ||
	    setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 ||
	    setresuid(user, user, user) != 0)
		errx(1, "cannot become the user '%s': %s: start %s with "
		     "CAP_SETUID and CAP_SETGID, or as that user", user_name,
		     strerror(errno), program->report->name);
}

/* Those beyond the last one of the kernel are refused, and so is the rest. */
static void limit_bounding_set(uint64_t keep)
{
	int i;

	for (i = 0; i < 64 && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++) {
		if (!(keep >> i & 1))
			prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
	}
}

static uint64_t permitted(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (syscall(SYS_capget, &header, data) != 0)
		err(1, "cannot read the capabilities");
	return (uint64_t)data[1].permitted << 32 | data[0].permitted;
}

/* A capability that is not there any more is no error: it is not needed. */
static void set_capabilities(uint64_t keep)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	keep &= permitted();
	data[0].permitted = data[0].effective = (uint32_t)keep;
	data[1].permitted = data[1].effective = (uint32_t)(keep >> 32);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, data) != 0)
		err(1, "cannot give up capabilities");
}

/* The kind of this program, as the kernel tells the filter. */
static uint32_t audit_arch(void)
{
	const uint16_t one = 1;
	uint32_t arch = registers_machine;

	if (*(const uint8_t *)&one == 1)
		arch |= __AUDIT_ARCH_LE;
	return sizeof(long) == 8 ? arch | __AUDIT_ARCH_64BIT : arch;
}

#define LOAD(member)							\
	(struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,		\
				     offsetof(struct seccomp_data, member))
#define JUMP(test, value, yes, no)					\
	(struct sock_filter)BPF_JUMP(BPF_JMP | (test) | BPF_K, value,	\
				     (unsigned char)(yes), no)
#define RETURN(value)							\
	(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, value)

/*
 * One comparison for each refused call. Another kind of program, as on x86 that
 * of 32 bits, has other numbers: none of its calls is permitted.
 */
static void refuse_calls(void)
{
	struct sock_filter code[NUM_REFUSED + 6];
	struct sock_fprog program = { .filter = code };
	unsigned short n = 0;
	int i;

	code[n++] = LOAD(arch);
	code[n++] = JUMP(BPF_JEQ, audit_arch(), 0, NUM_REFUSED + 3);
	code[n++] = LOAD(nr);
	code[n++] = JUMP(BPF_JGE, X32, NUM_REFUSED + 1, 0);
	for (i = 0; i < NUM_REFUSED; i++)
		code[n++] = JUMP(BPF_JEQ, refused[i], NUM_REFUSED - i, 0);
	code[n++] = RETURN(SECCOMP_RET_ALLOW);
	code[n++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
	program.len = n;
	/* a kernel without seccomp has none; the rest still holds */
	if (registers_machine != 0)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static void drop(const struct service_program *program, uint64_t bounding,
		 uint64_t keep)
{
	limit_bounding_set(bounding);
	change_user(program);
	set_capabilities(keep);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		err(1, "cannot give up new privileges");
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	refuse_calls();
}

static uint64_t bit(int capability)
{
	return (uint64_t)1 << capability;
}

/* Capabilities that a kernel does not know are parts of CAP_SYS_ADMIN there. */
static bool are_known(uint64_t capabilities)
{
	int i;

	for (i = 0; capabilities >> i != 0; i++) {
		if (prctl(PR_CAPBSET_READ, i, 0, 0, 0) < 0)
			return false;
	}
	return true;
}

/*
 * Before Linux 5.11, maps count as locked memory, whose limit only
 * CAP_SYS_RESOURCE can raise: what is loaded later needs it now.
 */
static void allow_memory(void)
{
	const struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &limit);
}

/*
 * The mappings and files of a server that is new are read, which is root's. To
 * attach to them takes nothing by a link of uprobe_multi, whose program is
 * ours. A perf event of a uprobe is for CAP_SYS_ADMIN only.
 */
void drop_for_tracer(const struct service_program *program)
{
	uint64_t keep = bit(CAP_SYS_PTRACE) | bit(CAP_DAC_READ_SEARCH) |
		program->capabilities;

	if (program->uses_perf_events() || !are_known(program->capabilities))
		keep |= bit(CAP_SYS_ADMIN);
	allow_memory();
	drop(program, keep, keep);
}

void drop_for_server(const struct service_program *program, bool low_port)
{
	drop(program, 0, low_port ? bit(CAP_NET_BIND_SERVICE) : 0);
}

void drop_ports(void)
{
	set_capabilities(0);
}
