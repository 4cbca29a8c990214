provider smb2 {
	probe request_start(uint64_t mid);
	probe request_end(uint64_t mid);
	probe request_start(uint64_t mid, uint16_t opcode);
};
