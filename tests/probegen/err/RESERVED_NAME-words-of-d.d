provider syscall {
	probe event(int x);
};
provider mine {
	probe probe(int x);
	probe self(int x);
	probe string(int x);
};
