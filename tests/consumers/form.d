/* A probe per form that an argument can take; expect.py has the values. */
#pragma sdtkit nowarn bpftrace-args dtrace-args floating-point
#pragma sdtkit single_site one_site
provider form {
	probe parameter_signed(int8_t a, int16_t b, int32_t c, int64_t d, long e, long long f);
	probe parameter_unsigned(uint8_t a, uint16_t b, uint32_t c, uint64_t d, unsigned long e, size_t f);
	probe parameter_other(char a, signed char b, unsigned char c, bool d, enum form_colour e, short f);
	probe computed(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe constant_signed(int8_t a, int16_t b, int32_t c, int64_t d, long e, char f);
	probe constant_unsigned(uint8_t a, uint16_t b, uint32_t c, uint64_t d, unsigned long e, bool f);
	probe volatile_object(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe const_object(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe atomic_object(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe global_variable(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe static_variable(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe function_static(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe thread_variable(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe member(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe bit_field(int a, unsigned b, int64_t c, uint64_t d, unsigned e, bool f);
	probe element(int8_t a, int16_t b, int32_t c, uint8_t d, uint16_t e, uint64_t f);
	probe pointer(void *a, struct form_values *b, int *c, int (*d)(int), int (*e)(int), void *f);
	probe address(int8_t *a, int8_t *b, int32_t *c, int8_t *d, int32_t *e, int16_t *f);
	probe text(char *a, char *b, char *c, char *d, char *e, char *f);
	probe text_made(char *a, char *b, char *c, char *d, char *e, char *f);
	probe call(int a, int b, int c, int d, int8_t e, size_t f);
	probe effects(int a, int b);
	probe float_bits(float a, float b, float c, float d, float e, float f);
	probe double_bits(double a, double b, double c, double d, double e, double f);
	probe narrowed(uint8_t a, int8_t b, uint16_t c, int32_t d, bool e, uint32_t f);
	probe widened(int64_t a, uint64_t b, int64_t c, long d, uint64_t e, int64_t f);
	probe recursive(int a);
	probe variadic(int a, int b);
	probe looped(int a, unsigned long b);
	probe inlined(int a, long b, char c);
	probe frame(int a, int b, int8_t c, uint16_t d);
	probe live_bytes(int8_t a, uint8_t b, int8_t c, uint8_t d, int8_t e);
	probe args0();
	probe args7(int a, int b, int c, int d, int e, int f, int g);
	probe args8(int a, int b, int c, int d, int e, int f, int g, int h);
	probe args9(int a, int b, int c, int d, int e, int f, int g, int h, int i);
	probe args10(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j);
	probe args11(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k);
	probe args12(int8_t a, int16_t b, int32_t c, int64_t d, uint8_t e, uint16_t f, uint32_t g, uint64_t h, char i, bool j, size_t k, char *l);
	probe one_site(int8_t a, uint16_t b, int32_t c, uint64_t d, char *e, bool f, int8_t g, uint32_t h);
	probe templated(int64_t a);
	probe lambda(int a, long b, uint8_t c);
	probe object(int a, uint16_t b);
	probe caught(int a, double b);
};
