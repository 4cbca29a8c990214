typedef void (*known_fn)(int, uint8_t);
provider mine {
	probe event(void (*done)(int, Oid), known_fn fn, int (*table)[4]);
};
