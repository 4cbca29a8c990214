#pragma sdtkit nowarn dependency-file
/* The probes of off.c. */
provider bench {
	/* A request is looked at. */
	probe leaf(uint64_t mid, uint16_t opcode);
	/* Once more around a loop. */
	probe loop(size_t index, uint64_t value);
	/* A command is dispatched. */
	probe command(uint16_t opcode, uint32_t credits);
	/* A file was found. */
	probe found(uint64_t mid, int handle);
	/* Somebody wants something. */
	probe text(char *name, char *user, uint32_t credits);
	/* An argument that takes work to compute. */
	probe computed(uint64_t checksum);
	/* Three in one function. */
	probe begin(uint64_t mid);
	probe middle(uint64_t mid, uint32_t credits);
	probe end(uint64_t mid, int status);
	/* Two behind one guard. */
	probe enter(uint64_t mid);
	probe leave(uint64_t mid, uint32_t credits);
};
#pragma sdtkit group pair enter leave
