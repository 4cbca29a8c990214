/* SPDX-License-Identifier: BSD-2-Clause */
/* The spans that the tests of counting have. */

enum verb { GET = 1, PUT = 2 };

/* An end tells all. */
#pragma sdtkit span counted:told end=told duration=took_us name=verb error=status sum=bytes
/* Those two take fewer instructions, since they have no sum and one key. */
#pragma sdtkit span counted:plain end=plain duration=took_us name=verb error=status
#pragma sdtkit span counted:brief start=begins end=ends key=id name=verb error=status
/* A key, with two parts; a name at the start, another one at the end. */
#pragma sdtkit span counted:asked start=asked end=answered key=client,number name=verb,how error=status<0
/* As above, but it waits. */
#pragma sdtkit span counted:queued start=queued end=done suspend=sleeps resume=wakes key=job
/* As told, but it waits; nothing is known of it until then. */
#pragma sdtkit span counted:late end=late suspend=rests resume=rises key=job duration=took_us
/* Within a job. */
#pragma sdtkit span counted:step start=step end=stepped key=step parent=queued(job)
/* A call. */
#pragma sdtkit span counted:call start=enter end=leave key=tid name=who
/* Its end has the text, too. */
#pragma sdtkit span counted:named start=named end=renamed key=id name=who
/* Begins when it says so. */
#pragma sdtkit span counted:began end=begun started=since_ns
/* A wait, in what its thread runs. */
#pragma sdtkit span waits:wait start=waits:begin end=waits:end key=tid name=why parent=running

provider counted {
	probe told(uint32_t took_us, enum verb verb, int status, int64_t bytes);
	probe plain(uint32_t took_us, enum verb verb, int status);
	probe begins(uint64_t id, enum verb verb);
	probe ends(uint64_t id, int status);
	probe asked(uint64_t client, uint64_t number, enum verb verb);
	probe answered(uint64_t number, uint64_t client, int how, int status);
	probe queued(uint64_t job);
	probe sleeps(uint64_t job);
	probe wakes(uint64_t job);
	probe done(uint64_t job);
	probe rests(uint64_t job, uint32_t took_us);
	probe rises(uint64_t job);
	probe late(uint64_t job, uint32_t took_us);
	probe step(uint64_t step, uint64_t job);
	probe stepped(uint64_t step);
	probe enter(string who);
	probe leave();
	probe named(uint64_t id, string who);
	probe renamed(uint64_t id, string who);
	probe begun(uint64_t since_ns);
};

provider waits {
	probe begin(int why);
	probe end();
};
