/*
 * What machines hand over differently: see forms.c for the values and
 * values.py for what must be read of each.
 */
#pragma sdtkit nowarn dependency-file bpftrace-args dtrace-args floating-point
provider forms {
	probe none();
	probe pair(uint32_t a, uint16_t b);
	probe unsigneds(uint8_t a, uint16_t b, uint32_t c, unsigned char d,
			bool e, size_t f, unsigned long g);
	probe signeds(int8_t a, int16_t b, int32_t c, signed char d, char e,
		      ssize_t f, long g);
	probe wide(uint64_t a, int64_t b, long long c, unsigned long long d);
	probe platform(off_t a, time_t b, dev_t c, ino_t d, pid_t e, uid_t f);
	probe floating(float a, double b, float c, double d);
	probe pointers(char *a, void *b, string c, struct node *d);
	probe places(int8_t bits, int16_t thread, int32_t constant,
		     uint16_t changing, int64_t element, uint64_t member,
		     void (*function)(int));
	probe words(int a, int b, int c, int d, int e, int f, int g, int h,
		    int i, int j, int k, int l);
	probe wides(uint64_t a, int64_t b, uint64_t c, int64_t d, uint64_t e,
		    int64_t f, uint64_t g, int64_t h, uint64_t i, int64_t j,
		    uint64_t k, int64_t l);
	probe mixed(uint8_t a, uint64_t b, int16_t c, double d, char *e,
		    int64_t f, float g, size_t h, long i, off_t j, char k,
		    bool l);
};
