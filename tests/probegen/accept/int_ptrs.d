provider p { probe e(int ***x, unsigned long long int y); };
