# 1 "f.d"
provider p { probe e(int x); };
