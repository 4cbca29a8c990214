/* For machines without a C library here: see test_bare.py. */
provider bare {
	probe pair(uint32_t a, uint16_t b);
};
