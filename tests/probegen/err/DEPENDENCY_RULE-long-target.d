
# written by a compiler
CMakeFiles/server.dir/source/server/dispatch/a_long_name.c.o: \
 /usr/src/server/source/server/dispatch/a_long_name.c
