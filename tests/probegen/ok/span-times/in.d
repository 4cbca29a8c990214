/* SPDX-License-Identifier: BSD-2-Clause */
/* A request, whose end tells how long it took. */
#pragma sdtkit span request start=begin end=done,gave_up suspend=wait resume=go
#pragma sdtkit span request duration = elapsed_ns/gave_up.took_us key=id name=op
/* A command, of which only the end is known. */
#pragma sdtkit span command end=command duration=us(took) name=op error=result
/* One that waits; it says when it began. */
#pragma sdtkit span job end=job suspend=job_waits started=since_ms key=id \
	parent=request(request)

provider mine {
	probe begin(int id, uint16_t op);
	probe wait(int id, uint64_t elapsed_ns);
	probe go(int id);
	probe done(int id, uint64_t elapsed_ns, uint16_t op);
	probe gave_up(int id, uint32_t took_us);
	probe command(uint16_t op, long took, int result);
	probe job(uint64_t id, uint64_t since_ms, int request);
	probe job_waits(uint64_t id, uint64_t since_ms);
};
