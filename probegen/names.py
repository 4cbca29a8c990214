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
    """mid -> sdtkit_mid, the parameter of a generated function. A bare name
    may be a word of C++, a macro of the program, or shadow its variable."""
    return "sdtkit_" + name


def include_guard(providers):
    """["smb2"] -> SDTKIT_PROVIDER_SMB2_H"""
    return "SDTKIT_PROVIDER_%s_H" % "_".join(
        name.upper() for name in providers)
