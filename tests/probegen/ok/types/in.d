# 1 "an/include/file.d"
#ident "a description"
provider integers {
	probe bits(int8_t a, int16_t b, int32_t c, int64_t d,
		   uint8_t e, uint16_t f, uint32_t g, uint64_t h);
	probe words(char a, signed char b, unsigned char c, short d,
		    unsigned short int e, int f, unsigned g, long h,
		    long unsigned int i, long long j, unsigned long long k,
		    signed l);
	probe named(bool a, _Bool b, size_t c, ssize_t d, pid_t e, uid_t f,
		    gid_t g, off_t h, mode_t i, time_t j, uintptr_t k);
	probe qualified(const int a, volatile uint16_t b, int const c);
};
provider pointers {
	probe plain(void *a, char *b, const char *c, string d, char e[16],
		    struct stat *f, uint8_t *g, union u *h, float *i);
	probe deep(char **a, const char **b, struct stat *const *c,
		   void *const d, volatile int *e);
};
provider names {
	probe nothing();
	probe nothing_either(void);
	probe unnamed(int, char *, uint64_t last);
	probe keywords(int class, int default, char *errno, int new);
	probe a__b_c(int x);
	probe _d(int x);
}
