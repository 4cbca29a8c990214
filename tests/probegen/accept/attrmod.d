provider p { probe e(int x); };
#pragma D attributes Private/Private/Unknown provider p module
#pragma D attributes Private/Private/Unknown provider p function
#pragma D attributes Evolving/Evolving/Common provider p name
#pragma D attributes Evolving/Evolving/ISA provider p args
