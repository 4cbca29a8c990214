#!/usr/sbin/dtrace -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsmbd.d - the report of tsmbd(1) for one process, for DTrace.
 *
 * It answers "where does the time of this smbd go?".
 *
 * Usage: dtrace -q -Z -s tsmbd.d -p PID
 *
 * PID is the process that serves the client, as smbstatus prints it. The script
 * ends with Ctrl-C or with that process. DTrace cannot use a provider whose
 * name ends in a digit, so the probes of smb2 must also exist under the name
 * smb (probegen --alias smb2=smb). With -Z, missing probes such as those of
 * ctdb are not an error.
 *
 * The main thread is in one phase at any time, so the phases do not overlap,
 * and their sum is the time since the first event. The time of a request is
 * from its dispatch until its result is known. Requests that began before the
 * script are left out. There is no table of system calls.
 */

uint64_t since;
uint64_t spent;
int phase;
int back;
uint64_t started[uint64_t];
uint64_t runs[uint64_t];
uint64_t ran[uint64_t];
string op[int];
string title[int];

dtrace:::BEGIN
{
	/* [MS-SMB2] 2.2.1.2 */
	op[0] = "SMB2_OP_NEGPROT";
	op[1] = "SMB2_OP_SESSSETUP";
	op[2] = "SMB2_OP_LOGOFF";
	op[3] = "SMB2_OP_TCON";
	op[4] = "SMB2_OP_TDIS";
	op[5] = "SMB2_OP_CREATE";
	op[6] = "SMB2_OP_CLOSE";
	op[7] = "SMB2_OP_FLUSH";
	op[8] = "SMB2_OP_READ";
	op[9] = "SMB2_OP_WRITE";
	op[10] = "SMB2_OP_LOCK";
	op[11] = "SMB2_OP_IOCTL";
	op[12] = "SMB2_OP_CANCEL";
	op[13] = "SMB2_OP_KEEPALIVE";
	op[14] = "SMB2_OP_QUERY_DIRECTORY";
	op[15] = "SMB2_OP_NOTIFY";
	op[16] = "SMB2_OP_GETINFO";
	op[17] = "SMB2_OP_SETINFO";
	op[18] = "SMB2_OP_BREAK";
	op[19] = "SMB2_OP_UNKNOWN";
	title[1] = "Time waiting for events";
	title[2] = "Time receiving SMB2 packets";
	title[3] = "Time parsing SMB2 packets";
	title[4] = "Time running SMB2 requests";
	title[5] = "Time sending SMB2 packets";
	title[6] = "Time waiting for ctdb";
	title[7] = "Time in other event handlers";
	/* a phase that never occurs gets a line, too */
	@phases[title[1]] = sum(0);
	@phases[title[2]] = sum(0);
	@phases[title[3]] = sum(0);
	@phases[title[4]] = sum(0);
	@phases[title[5]] = sum(0);
	@phases[title[6]] = sum(0);
	@phases[title[7]] = sum(0);
	@all = sum(0);
	@reads = sum(0);
	@writes = sum(0);
	@events = sum(0);
	@requests = sum(0);
	@ctdb = sum(0);
	began = timestamp;
	printf("Collecting data, press ctrl-C to stop...\n");
}

/*
 * Each of these ends a phase and begins the next. They are written out, as D
 * has no functions; those for a phase that needs a condition come first.
 */
smbd$target:::idle_begin,
smbd$target:::idle_end
/since == 0/
{
	since = timestamp;
	phase = 7;
}

smbd$target:::idle_begin
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 1;
}

smbd$target:::idle_end
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 7;
	@events = sum(1);
}

smbnet$target:::recv_start
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 2;
}

smbnet$target:::pdu_received
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 3;
}

/* ends the phase of sending, but not that of a request that is running */
smbnet$target:::send_done
/since && phase != 4/
{
	@phases[title[phase == 7 ? 5 : phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 7;
}

ctdb$target:::wait_start
/since && phase != 6/
{
	back = phase;
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 6;
}

ctdb$target:::wait_done
/since && phase == 6/
{
	@phases[title[6]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = back;
}

ctdb$target:::request_start
{
	@ctdb = sum(1);
}

smb$target:::request_start
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 4;
}

/*
 * The key of a request is its address: arg2 here, arg3 in request_end. The
 * message ID will not do, because a CANCEL (12), which has no request_end, has
 * that of another request.
 */
smb$target:::request_start
/arg1 != 12/
{
	started[arg2] = timestamp;
	runs[arg2] = timestamp;
	ran[arg2] = 0;
}

smb$target:::request_start
/arg1 == 12/
{
	@requests = sum(1);
	@count["SMB2_OP_CANCEL"] = count();
}

smb$target:::request_suspend
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 7;
	ran[arg2] += runs[arg2] ? timestamp - runs[arg2] : 0;
	runs[arg2] = 0;
}

/* an open that had to wait is dispatched again */
smb$target:::request_resume
/since/
{
	@phases[title[phase]] = sum(timestamp - since);
	@all = sum(timestamp - since);
	since = timestamp;
	phase = 4;
	runs[arg2] = timestamp;
}

smb$target:::request_end
/since/
{
	spent = timestamp - since;
	@phases[title[phase == 7 ? 4 : phase]] = sum(spent);
	@all = sum(spent);
	since = timestamp;
	phase = 5;
}

/* for a request that had been waiting, the time of this event counts */
smb$target:::request_end
/started[arg3]/
{
	this->us = (timestamp - started[arg3] + 500) / 1000;
	this->op = op[arg1 > 18 ? 19 : arg1];
	@requests = sum(1);
	@count[this->op] = count();
	@total[this->op] = sum(this->us);
	@avg[this->op] = avg(this->us);
	@min[this->op] = min(this->us);
	@max[this->op] = max(this->us);
	@run[this->op] = sum((ran[arg3] + (runs[arg3] ?
		timestamp - runs[arg3] : spent)) / 1000);
	@distribution[this->op] = quantize(this->us);
	started[arg3] = 0;
	runs[arg3] = 0;
	ran[arg3] = 0;
}

smb$target:::request_end
/(uint32_t)arg2 != 0/
{
	@failed[op[arg1 > 18 ? 19 : arg1], (uint32_t)arg2] = count();
}

/*
 * Some system calls only: DTrace takes longer to attach to some hundred probes
 * than a client waits.
 */
syscall::pread64:entry,
syscall::preadv:entry,
syscall::pwrite64:entry,
syscall::pwritev:entry
/pid == $target/
{
	self->entered = timestamp;
}

syscall::pread64:return,
syscall::preadv:return
/self->entered/
{
	@reads = sum(timestamp - self->entered);
	@distribution["READ IO"] = quantize((timestamp - self->entered) / 1000);
}

syscall::pwrite64:return,
syscall::pwritev:return
/self->entered/
{
	@writes = sum(timestamp - self->entered);
	@distribution["WRITE IO"] =
		quantize((timestamp - self->entered) / 1000);
}

syscall::pread64:return,
syscall::preadv:return,
syscall::pwrite64:return,
syscall::pwritev:return
{
	self->entered = 0;
}

dtrace:::END
{
	printf("\n%-30s: %10d ms\n\n", "Ran for",
	       (timestamp - began) / 1000000);
	normalize(@phases, 1000000);
	printa("%-30s: %@10d ms\n", @phases);
	printf("---------------------------------------------\n");
	normalize(@all, 1000000);
	printa("Time sum                      : %@10d ms\n", @all);
	printf("\n");
	normalize(@reads, 1000000);
	normalize(@writes, 1000000);
	printa("Time in READ disk IO          : %@10d ms\n", @reads);
	printa("Time in WRITE disk IO         : %@10d ms\n", @writes);
	printf("\n");
	printa("Number of tevent events       : %@10d\n", @events);
	printa("Number of SMB2 requests       : %@10d\n", @requests);
	printa("Number of ctdb requests       : %@10d\n", @ctdb);
	printf("\n%-23s %8s %10s %8s %8s %8s %10s\n", "SMB2 Requests",
	       "Count", "Total us", "Avg us", "Min us", "Max us",
	       "Running us");
	printa("%-23s %@8d %@10d %@8d %@8d %@8d %@10d\n", @count, @total,
	       @avg, @min, @max, @run);
	printf("\n%-23s %-10s %8s\n", "Errors", "Status", "Count");
	printa("%-23s 0x%08x %@8d\n", @failed);
	printf("\nDistributions (microseconds)\n");
	printa("%s %@d\n", @distribution);
}
