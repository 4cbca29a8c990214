struct s { int a:3; unsigned b:5; }; provider p { probe e(struct s *x); };
