provider a {
	probe b(struct sockaddr_storage address);
	probe c(double load, float share);
	probe d(enum color c, void v);
	probe e(struct sockaddr_storage *address);
};
