#pragma D depends_on library sched.d
provider p { probe e(int x); };
