/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes where only C++ can have one; in C this file has no code. */
#include "form.h"

#ifdef __cplusplus

namespace {

template <typename T> NOINLINE void templated(T value)
{
	FIRE(TEMPLATED, value);
}

/* Its constructor, a method and its destructor have a probe each. */
class Object {
public:
	explicit Object(int n) : number(n)
	{
		FIRE(OBJECT, 1, number);
	}
	~Object()
	{
		FIRE(OBJECT, 3, number);
	}
	NOINLINE void method(const int &added)
	{
		number = static_cast<uint16_t>(number + added);
		FIRE(OBJECT, 2, number);
	}
private:
	uint16_t number;
};

NOINLINE void lambdas(int a, uint8_t c)
{
	long b = any(-12);
	auto fire = [a, &b](uint8_t byte) { FIRE(LAMBDA, a, b, byte); };

	fire(c);
}

NOINLINE void exceptions(int value)
{
	try {
		throw any_double(value);
	} catch (double thrown) {
		FIRE(CAUGHT, value, thrown);
	}
}

} /* namespace */

void form_classes(void)
{
	templated(static_cast<int8_t>(any(-8)));
	templated(static_cast<uint16_t>(any(65535)));
	templated(any(INT64_MIN));
	Object object(static_cast<int>(any(65000)));
	object.method(static_cast<int>(any(3)));
	lambdas(static_cast<int>(any(-11)), static_cast<uint8_t>(any(200)));
	exceptions(static_cast<int>(any(-2)));
}

#endif /* __cplusplus */
