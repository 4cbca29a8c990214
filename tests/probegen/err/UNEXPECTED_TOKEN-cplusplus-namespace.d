namespace net {
class Client;
}
provider mine {
	probe event(int fd);
};
