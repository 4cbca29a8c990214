#pragma sdtkit span a end=done started=us(since) key=id parent=g
#pragma sdtkit span b end=done duration=since
#pragma sdtkit span c end=done duration=lapsed_ns
#pragma sdtkit span d end=done,other duration=elapsed_ns
#pragma sdtkit span e end=done suspend=wait duration=elapsed_ns key=id
#pragma sdtkit span f start=begin end=done,other key=id duration=begin.elapsed_ns
#pragma sdtkit span g start=begin end=done,other key=id duration=elapsed_ns
provider mine {
	probe begin(int id, uint64_t elapsed_ns);
	probe done(int id, uint64_t elapsed_ns, uint64_t since);
	probe other(int id);
	probe wait(int id);
};
