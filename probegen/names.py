# SPDX-License-Identifier: BSD-2-Clause
"""The only place where a name is derived from another.

In the note, provider and probe keep the spelling of the description. Macros
are named as ``dtrace -h`` names them on every platform.
"""

import re

NAME_LIMIT = 63         # the longest name that perf records and D takes

# Reserved words of D, and the providers that every DTrace has.
D_WORDS = frozenset("""
    auto break case char const continue counter default do double else enum
    extern float for goto if import inline int long offsetof probe provider
    register restrict return self short signed sizeof static string stringof
    struct switch this translator typedef union unsigned void volatile while
    xlate
""".split())
D_PROVIDERS = frozenset(("pid", "proc", "syscall"))

# Functions of sdtkit's own headers begin with `sdtkit_` and one of these.
OWN_FAMILIES = frozenset(("arg", "out", "record", "write"))

# Names that a header for C and C++ cannot use for a struct or a member, though
# they are allowed in D or in C: reserved words, and macros of the platform.
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

# Reserved words of SystemTap's language, from the parser of version 4.8.
_STAP_WORDS = frozenset("""
    break catch continue delete else for foreach function global if in limit
    long next private probe return string try while
""".split())

# Macros of the standard headers that generated headers include; the macro of a
# probe must not redefine them.
_STANDARD = re.compile(r"""
    U?INT(_LEAST|_FAST)?(8|16|32|64)_(MAX|MIN|WIDTH|C)
    |(U?INTMAX|U?INTPTR|PTRDIFF|SIZE|SIG_ATOMIC|WCHAR|WINT)_(MAX|MIN|WIDTH|C)
    |(BIG|LITTLE|PDP)_ENDIAN|BYTE_ORDER|FD_(SET|CLR|ISSET|ZERO|SETSIZE)
    |CLOCK_[A-Z_]+|CLOCKS_PER_SEC|TIMER_ABSTIME|TIME_UTC|DST_[A-Z]+
    |ITIMER_[A-Z]+|UIO_MAXIOV|RWF_[A-Z]+|TIME(VAL|SPEC)_TO_TIME(VAL|SPEC)
    """, re.X)

# perf takes a name that consists of these letters for modifiers of an event.
PERF_MODIFIERS = frozenset("ukhGHpPIeDWSb")


def macro(provider, probe):
    """smb2, request__start -> SMB2_REQUEST_START"""
    return "%s_%s" % (provider.upper(), probe.replace("__", "_").upper())


def is_standard(name):
    """Returns whether a standard header has a macro of that name."""
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


def group(name):
    """request -> request_traced, the probe whose names a group has"""
    return name + "_traced"


def argument(name, index, taken=()):
    """Returns the name of an argument; an argument without a name is called
    after its position. ``taken`` are the names of the other arguments."""
    if name:
        return name
    name = "arg%d" % index
    while name in taken:
        name += "_"
    return name


def can_spell(name):
    """Returns whether a header for C and C++ can use a name for a struct or a
    member."""
    return name is not None and name not in _NO_NAMES


def identifier(name):
    """mid -> sdtkit_mid, the parameter of a generated function. The name alone
    may be a word of C++, be a macro of the program, or shadow a variable."""
    return "sdtkit_" + name


def parameter(identifier):
    """sdtkit_mid -> mid"""
    return identifier[len("sdtkit_"):]


def numbered(name, index):
    """mid, 0 -> sdtkit_0_mid, for arguments that may have the same name"""
    return "sdtkit_%d_%s" % (index, name) if name else "sdtkit_%d" % index


def tag(typedef, taken):
    """request_info_t -> request_info: the tag for a `typedef struct {...}`
    where one is needed. ``taken`` are the tags of other structs."""
    short = typedef[:-2] if typedef.endswith("_t") else ""
    is_free = short and short not in taken and can_spell(short)
    return short if is_free else typedef


def include_guard(providers):
    """["smb2"] -> SDTKIT_PROVIDER_SMB2_H"""
    return "SDTKIT_PROVIDER_%s_H" % "_".join(
        name.upper() for name in providers)


def d_provider(provider, alias):
    """Returns what DTrace can call a provider: its name, or the alias if the
    name ends in a digit, or None if there is no such alias."""
    for name in (provider, alias):
        if name and not name[-1].isdigit():
            return name
    return None


def d_probe(probe):
    """request__start -> request-start"""
    return probe.replace("__", "-")


def d_variable(name):
    """string -> string_, an argument's name as a variable of a D script"""
    return name + "_" if name in D_WORDS else name


def tapset_variable(name):
    """next -> next_, an argument's name as a variable of a tapset"""
    return name + "_" if name in _STAP_WORDS else name
