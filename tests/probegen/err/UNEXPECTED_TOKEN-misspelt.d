provdier mine {
	probe event(int fd);
};
provider a-b {
	probe event(int fd);
};
provider mine {
	probe event;
	probe a-b(int fd);
};
