/* One site for all uses, with and without a second name. */
#pragma sdtkit single_site step finish
#pragma sdtkit alias worker work
provider worker {
	/* Thousands of places say so. */
	probe step(uint64_t id, int16_t kind, char *what, double load);
	probe finish();
	/* This one has its sites where it is used. */
	probe start(uint64_t id);
};
