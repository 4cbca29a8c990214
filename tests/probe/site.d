/* Probes of the programs in this directory. */
#pragma sdtkit nowarn bpftrace-args dtrace-args
provider t {
	probe none();
	probe pair(uint64_t mid, uint16_t opcode);
	probe ints(int8_t a, int16_t b, int32_t c, int64_t d,
		   uint8_t e, uint16_t f, uint32_t g, uint64_t h,
		   char i, bool j, size_t k, long l);
	probe text(char *who, void *null, string literal);
	probe count(int n);
	probe a__b(int x);
};
