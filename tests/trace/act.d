/* What the programs of this room fire. */
provider act {
	/* The hit of this number. */
	probe step(int n);
	/* One of each type. */
	probe types(uint8_t u1, int8_t s1, uint16_t u2, int16_t s2,
		    uint32_t u4, int32_t s4, uint64_t u8, int64_t s8,
		    float f4, double f8, void *p, char *z);
	probe text(char *text);
	probe work(int thread, int n, char *text);
};

/* What a library that is opened later fires. */
provider plug {
	probe in(int n);
};
