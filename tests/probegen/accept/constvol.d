provider p { probe e(const char *const x, volatile int y); };
