DEPENDENCY_RULE-of-gcc.o: DEPENDENCY_RULE-of-gcc.c server.h \
 DEPENDENCY_RULE-of-gcc.h
server.h:
