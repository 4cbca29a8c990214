typedef struct { std::string name; } info_t;
provider mine {
	probe event(int fd);
};
