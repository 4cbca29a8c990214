typedef int fd_t;
typedef unsigned int fd_t;
struct stat { int mode; };
struct stat { int mode; };
union stat { int mode; };
provider mine {
	probe event(fd_t fd, struct stat *st);
};
