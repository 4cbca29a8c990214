typedef std::string text_t;
provider mine {
	probe event(int fd);
};
