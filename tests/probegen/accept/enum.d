enum c { A, B }; provider p { probe e(enum c x); };
