# SPDX-License-Identifier: BSD-2-Clause
"""The only place where a name is derived from another.

In the note, provider and probe keep the spelling of the description. Macros
are named as ``dtrace -h`` names them on every platform.
"""

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

# An event of these letters only is taken for an event's modifiers by perf.
PERF_MODIFIERS = frozenset("ukhGHpPIeDWSb")

# What C, C++ or a usual macro means by a word, so that no parameter of a
# generated function may have it for a name.
_TAKEN = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char
    char16_t char32_t char8_t class co_await co_return co_yield compl concept
    const const_cast consteval constexpr constinit continue decltype default
    delete do double dynamic_cast else enum explicit export extern false float
    for friend goto if inline int long mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor xor_eq
    errno linux NULL signals slots emit stderr stdin stdout unix
""".split())


def macro(provider, probe):
    """smb2, request__start -> SMB2_REQUEST_START"""
    return "%s_%s" % (provider.upper(), probe.replace("__", "_").upper())


def enabled(provider, probe):
    """smb2, request__start -> SMB2_REQUEST_START_ENABLED"""
    return macro(provider, probe) + "_ENABLED"


def function(provider, probe):
    """smb2, request__start -> sdtkit_smb2_request__start"""
    return "sdtkit_%s_%s" % (provider, probe)


def enabled_function(provider, probe):
    """smb2, request__start -> sdtkit_smb2_request__start_enabled"""
    return function(provider, probe) + "_enabled"


def semaphore(provider, probe):
    """smb2, request__start -> smb2_request__start_semaphore"""
    return "%s_%s_semaphore" % (provider, probe)


def argument(name, index):
    """An argument's name, that of its place where it has none."""
    return name or "arg%d" % index


def identifier(name):
    """What a C or C++ function can call a parameter: class -> class_"""
    return name + "_" if name in _TAKEN else name


def include_guard(providers):
    """["smb2"] -> SDTKIT_PROVIDER_SMB2_H"""
    return "SDTKIT_PROVIDER_%s_H" % "_".join(
        name.upper() for name in providers)
