#pragma D option quiet
provider p { probe e(int x); };
