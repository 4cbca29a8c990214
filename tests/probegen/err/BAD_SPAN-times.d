/* What an end may tell of the time. */
#pragma sdtkit span a end=done duration=elapsed_ns name=op
#pragma sdtkit span b end=done duration=elapsed_ns started=ns(since)
#pragma sdtkit span c end=done duration=hours(since)
#pragma sdtkit span d end=done suspend=wait duration=elapsed_ns key=tid
#pragma sdtkit span e start=begin end=done duration=elapsed_ns
#pragma sdtkit span f duration=elapsed_ns
provider mine {
	probe begin(int id);
	probe done(int id, uint16_t op, uint64_t elapsed_ns, uint64_t since);
	probe wait(int id, uint64_t elapsed_ns);
};
