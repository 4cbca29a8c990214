provider server {
	probe start(int fd);
};
