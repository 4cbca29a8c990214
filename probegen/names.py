# SPDX-License-Identifier: BSD-2-Clause
"""The only place where a name is derived from another.

In the note, provider and probe keep the spelling of the description. Macros
are named as ``dtrace -h`` names them on every platform.
"""

import re

NAME_LIMIT = 63         # perf records no longer ones, D takes no longer ones

# Words of D, and providers that every DTrace has: neither can be defined.
D_WORDS = frozenset("""
    auto break case char const continue counter default do double else enum
    extern float for goto if import inline int long offsetof probe provider
    register restrict return self short signed sizeof static string stringof
    struct switch this translator typedef union unsigned void volatile while
    xlate
""".split())
D_PROVIDERS = frozenset(("pid", "proc", "syscall"))

# What functions of sdtkit's own headers begin with, behind `sdtkit_`.
OWN_FAMILIES = frozenset(("arg", "out", "record", "write"))

# A struct or a member may have such a name in D or in C, but a header that C
# and C++ include cannot spell it: words of the two, macros of the platform.
_NO_NAMES = D_WORDS - frozenset("""
    counter import offsetof probe provider self string stringof translator
    xlate
""".split()) | frozenset("""
    alignas alignof and and_eq asm bitand bitor bool catch class compl concept
    constexpr const_cast decltype delete dynamic_cast explicit export false
    friend mutable namespace new noexcept not not_eq nullptr operator or or_eq
    private protected public reinterpret_cast requires static_assert
    static_cast template this thread_local throw true try typeid typename
    typeof using virtual wchar_t xor xor_eq errno i386 linux unix
""".split())

# Words of SystemTap's language, as the parser of its 4.8 has them.
_STAP_WORDS = frozenset("""
    break catch continue delete else for foreach function global if in limit
    long next private probe return string try while
""".split())

# Macros of the standard headers that generated ones include: a probe must not
# make another of that name.
_STANDARD = re.compile(r"""
    U?INT(_LEAST|_FAST)?(8|16|32|64)_(MAX|MIN|WIDTH|C)
    |(U?INTMAX|U?INTPTR|PTRDIFF|SIZE|SIG_ATOMIC|WCHAR|WINT)_(MAX|MIN|WIDTH|C)
    |(BIG|LITTLE|PDP)_ENDIAN|BYTE_ORDER|FD_(SET|CLR|ISSET|ZERO|SETSIZE)
    |CLOCK_[A-Z_]+|CLOCKS_PER_SEC|TIMER_ABSTIME|TIME_UTC|DST_[A-Z]+
    |ITIMER_[A-Z]+|UIO_MAXIOV|RWF_[A-Z]+|TIME(VAL|SPEC)_TO_TIME(VAL|SPEC)
    """, re.X)

# An event of these letters only is taken for an event's modifiers by perf.
PERF_MODIFIERS = frozenset("ukhGHpPIeDWSb")

def macro(provider, probe):
    """smb2, request__start -> SMB2_REQUEST_START"""
    return "%s_%s" % (provider.upper(), probe.replace("__", "_").upper())


def is_standard(name):
    """Whether a standard header has a macro of that name."""
    return _STANDARD.fullmatch(name) is not None


def enabled(provider, probe):
    """smb2, request__start -> SMB2_REQUEST_START_ENABLED"""
    return macro(provider, probe) + "_ENABLED"


def function(provider, probe):
    """smb2, request__start -> sdtkit_smb2_request__start"""
    return "sdtkit_%s_%s" % (provider, probe)


def semaphore(provider, probe):
    """smb2, request__start -> smb2_request__start_semaphore"""
    return "%s_%s_semaphore" % (provider, probe)


def argument(name, index, taken=()):
    """An argument's name, that of its place where it has none; ``taken`` are
    the names that the others have."""
    if name:
        return name
    name = "arg%d" % index
    while name in taken:
        name += "_"
    return name


def can_spell(name):
    """Whether a header for C and C++ can call a struct or a member so."""
    return name is not None and name not in _NO_NAMES


def identifier(name):
    """mid -> sdtkit_mid, the parameter of a generated function. A bare name
    may be a word of C++, a macro of the program, or shadow its variable."""
    return "sdtkit_" + name


def parameter(identifier):
    """sdtkit_mid -> mid"""
    return identifier[len("sdtkit_"):]


def numbered(name, index):
    """mid, 0 -> sdtkit_0_mid, where several arguments may have one name"""
    return "sdtkit_%d_%s" % (index, name) if name else "sdtkit_%d" % index


def tag(typedef, taken):
    """request_info_t -> request_info: what `typedef struct {...}` is called
    where a tag is needed; ``taken`` are the tags of others"""
    short = typedef[:-2] if typedef.endswith("_t") else ""
    is_free = short and short not in taken and can_spell(short)
    return short if is_free else typedef


def include_guard(providers):
    """["smb2"] -> SDTKIT_PROVIDER_SMB2_H"""
    return "SDTKIT_PROVIDER_%s_H" % "_".join(
        name.upper() for name in providers)


def d_provider(provider, alias):
    """What DTrace can call a provider: its name, the alias where that ends in
    a digit, None where the alias does too or there is none."""
    for name in (provider, alias):
        if name and not name[-1].isdigit():
            return name
    return None


def d_probe(probe):
    """request__start -> request-start"""
    return probe.replace("__", "-")


def d_variable(name):
    """An argument's name as a variable of a D script: string -> string_"""
    return name + "_" if name in D_WORDS else name


def tapset_variable(name):
    """An argument's name as a variable of a tapset: next -> next_"""
    return name + "_" if name in _STAP_WORDS else name
