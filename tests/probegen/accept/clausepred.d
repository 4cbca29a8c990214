syscall::read:entry /arg0 == 1/ { @a[execname] = count(); }
provider p { probe e(int x); };
