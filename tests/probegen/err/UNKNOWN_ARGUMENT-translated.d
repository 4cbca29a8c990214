provider mine {
	probe event(int fd, char *name) : (char *name, int fd, int fd);
	probe other(int fd) : (int file);
};
