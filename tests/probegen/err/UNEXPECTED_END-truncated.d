provider a {
	probe b(uint64_t mid,