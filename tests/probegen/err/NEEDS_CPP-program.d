#include <stdio.h>
#include "work.h"
int counter;
