translator info_t < const net::Client &C > { bytes = 1; };
provider mine {
	probe event(int fd);
};
