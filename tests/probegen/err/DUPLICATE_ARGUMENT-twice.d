provider a {
	probe b(int fd, char *name, int fd);
};
