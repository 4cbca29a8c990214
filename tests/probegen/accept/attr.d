provider p { probe e(int x); };
#pragma D attributes Evolving/Evolving/Common provider p provider
