provider mine {
	probe event(int fd);
};
#pragma D attributes Evolving/Evolving/Common provider mine provider
#pragma D attributes Good/Evolving/Common provider mine module
#pragma D attributes Evolving/Evolving provider mine name
#pragma D attributes Evolving/Evolving/Common provider mine everything
#pragma D frobnicate
#pragma sdtkit alias mine
#pragma sdtkit nowarn nonsense
#pragma once
