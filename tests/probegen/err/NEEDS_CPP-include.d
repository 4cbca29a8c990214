# 1 "a/linemarker.d"
#!/usr/sbin/dtrace -s
#ident "words"
#include <sys/types.h>
 # define LIMIT 4
provider mine {
	probe event(int fd);
};
