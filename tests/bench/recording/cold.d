#pragma sdtkit nowarn dependency-file
/* Probes as a file server has them: three to six arguments, some strings. */
provider cold {
	probe request(uint64_t mid, uint16_t opcode, uint32_t length);
	probe answer(uint64_t mid, uint32_t status, uint64_t nanoseconds,
		     char *user);
	probe create(uint64_t mid, char *path, uint32_t mask, uint32_t options,
		     uint32_t disposition);
	probe read(int fd, uint64_t offset, uint32_t length, int32_t result);
	probe call(char *name, uint64_t handle, uint32_t flags, int32_t result,
		   uint64_t began, uint32_t depth);
	probe lock(char *name, uint32_t kind, uint64_t pid);
};
