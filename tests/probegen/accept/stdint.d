provider p { probe e(uint8_t a, int64_t b, size_t c, pid_t d, uintptr_t e); };
