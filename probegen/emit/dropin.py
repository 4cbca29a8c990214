# SPDX-License-Identifier: BSD-2-Clause
"""Writes the drop-in C header: what `dtrace -h` writes, based on <sys/sdt.h>.

Existing builds include this header and edit it with sed, so its lines keep the
form that these builds know: `#define NAME(args) \\` with nothing else in upper
case, the body on the next line, one PROVIDER_ token in a line, types only in
comments.

    #define sdtkit_own_smb2 1

    /* SMB2_REQUEST_START (uint64_t mid, char *who) */
    #if defined STAP_SDT_V1
    #define smb2_request_start_semaphore request_start_semaphore
    #endif
    __extension__ extern unsigned short smb2_request_start_semaphore ...;
    #define SMB2_REQUEST_START_ENABLED() \\
    __builtin_expect (sdtkit_semaphore (smb2_request_start_semaphore), 0)
    #define SMB2_REQUEST_START(arg1, arg2) \\
    do { if (sdtkit_traced (smb2, request_start)) \\
    { sdtkit_site (smb2, request_start); \\
    DTRACE_PROBE2 (smb2, request_start, arg1, arg2); }; } while (0)

It adds to what `dtrace -h` writes:
1. Arguments are evaluated only while the probe is traced. The semaphore is
   read each time.
2. The object of `dtrace -G` is not needed. The assembly of each use defines
   the semaphore, weak and in a COMDAT group of its own. So an object file has
   the semaphores that it uses, and a linked object has each of them once. If a
   `-G` object of probegen is linked, it has the same groups; a definition that
   is not weak, such as systemtap's, takes precedence.
3. A program may use DTRACE_PROBEn of <sys/sdt.h> itself. The notes of these
   probes name the semaphore too, so they define it for the providers of this
   header.
4. If the program included <sys/sdt.h> before, without semaphores, its notes do
   not name one, and a tracer could not open the guard. Then the probe is not
   guarded.
5. The semaphore of a probe of a group (`#pragma sdtkit group`) is a macro that
   stands for the group's. STAP_SDT_V1 finds semaphores by the names of probes,
   so there each probe has its own.
6. Linkers that fold identical code (--icf) do not fold sites of different
   probes: sdtkit_site() adds a relocation without effect, to a symbol that is
   the probe's own. SDTKIT_ASM_OWN of sdtkit/semaphore.h has the reasons.
7. The <sys/sdt.h> of DTrace for Linux is refused. Its notes name no semaphore,
   so the guard would stay closed and the probes would never fire.
"""

from ..render import semaphores

_HEAD = """\
#ifndef _SYS_SDT_H
#define sdtkit_sdt_comes_first 1
#endif
#define _SDT_HAS_SEMAPHORES 1
#define STAP_HAS_SEMAPHORES 1 /* deprecated */
#include <sys/sdt.h>
#ifdef _SYS_SDT_H_
#error "this <sys/sdt.h> is DTrace's, whose notes name no semaphore: \
use that of systemtap-sdt-dev or of sdtkit"
#endif

#ifndef sdtkit_dropin
#define sdtkit_dropin 1
%s
#if defined __clang__ ? __clang_major__ >= 11 : __GNUC__ >= 9
#define sdtkit_asm __asm__ __volatile__ __inline__
#else
#define sdtkit_asm __asm__ __volatile__
#endif

/* a relocation without effect keeps linkers that fold identical code (--icf)
   from making one site of those of different probes */
#if defined __clang__ ? __clang_major__ >= 13 : __GNUC__ >= 11
#define sdtkit_site(provider, name) \\
sdtkit_asm (sdtkit_site_ ("\\"sdtkit.site." #provider "." #name "\\""))
#define sdtkit_site_(symbol) \\
".weak " symbol "\\n" \\
".hidden " symbol "\\n" \\
".reloc ., BFD_RELOC_NONE, " symbol "\\n"
#else
#define sdtkit_site(provider, name) (void) 0
#endif

/* reads the semaphore each time, because tracers change it at any time */
static __inline__ __attribute__ ((__always_inline__, __unused__)) int
sdtkit_semaphore_value (const volatile unsigned short *semaphore)
{
\treturn *semaphore;
}
#define sdtkit_semaphore(semaphore) \\
(__extension__ ({ sdtkit_asm (sdtkit_define (semaphore)); \\
sdtkit_semaphore_value (&semaphore); }))

/* whether to fire: if <sys/sdt.h> was included without semaphores, the notes
   name no semaphore, which shows by the length of _SDT_SEMAPHORE; then the
   probe always fires */
#define sdtkit_traced(provider, name) \\
(!sdtkit_has_semaphore (provider, name) \\
|| __builtin_expect (sdtkit_semaphore (provider##_##name##_semaphore), 0))
#if defined _SDT_SEMAPHORE && !defined sdtkit_sdt_comes_first
#define sdtkit_has_semaphore(provider, name) \\
(sizeof (_SDT_SEMAPHORE (provider, name)) > sizeof (".8byte 0_semaphore"))
#else
#define sdtkit_has_semaphore(provider, name) 1
#endif

/* a DTRACE_PROBE that the program contains itself defines the semaphore too,
   if its provider is one whose header was included */
#if defined _SDT_SEMAPHORE && defined sdtkit_sdt_comes_first
#undef _SDT_SEMAPHORE
#define _SDT_SEMAPHORE(provider, name) \\
".ifc " sdtkit_string (sdtkit_own_##provider) ",1\\n" \\
sdtkit_define (provider##_##name##_semaphore) \\
".endif\\n" \\
_SDT_ASM_1 (_SDT_ASM_ADDR provider##_##name##_semaphore)
#endif
#endif
""" % semaphores.DEFINE

_PROVIDER = """
#define sdtkit_own_%s 1
"""

_SEMAPHORE = """\
__extension__ extern unsigned short %s __attribute__ ((unused)) \
__attribute__ ((section (".probes"))) sdtkit_hidden;
"""

_GROUP = """
/* {macro} (): {probes} */
#if defined STAP_SDT_V1
#define {macro}() \\
({members})
#else
{semaphores}#define {macro}() \\
__builtin_expect ({checks}, 0)
#endif
"""

_PROBE = """
/* {macro} ({declarations}) */
#if defined STAP_SDT_V1
#define {semaphore} {name}_semaphore
{semaphores}#define {enabled}() \\
__builtin_expect ({checks}, 0)
#define {macro}({parameters}) \\
do {{ if ({traced}) \\
{sites}; }} while (0)
"""


def emit(model):
    """Returns the text of the header."""
    text = "/* Generated by probegen from %s; do not edit. */\n\n" % model.name
    return text + _HEAD + "".join(
        _own(provider) + "".join(
            [_group(provider, group) for group in provider.groups]
            + [_probe(probe) for probe in provider.probes])
        for provider in model.providers)


def _own(provider):
    names = {name for probe in provider.probes
             for name in (probe.provider, probe.alias) if name}
    return "".join(_PROVIDER % name for name in sorted(names))


def _group(provider, group):
    names = _names(group)
    return _GROUP.format(
        macro=group.macro, probes=", ".join(group.probes),
        members=" \\\n|| ".join(
            probe.enabled + " ()" for probe in provider.probes
            if probe.group == group),
        semaphores="".join(_SEMAPHORE % name for name in names),
        checks=_checks(names))


def _names(named):
    """Returns the semaphores of a probe or a group."""
    return list(filter(None, [named.semaphore, named.alias_semaphore]))


def _checks(names):
    return " || ".join("sdtkit_semaphore (%s)" % name for name in names)


def _declare(probe):
    """Returns the declarations of a probe's semaphores, and the end of the
    condition about STAP_SDT_V1."""
    own = "".join(_SEMAPHORE % name for name in _names(probe))
    if probe.group is None:
        return "#endif\n" + own
    return own + "#else\n" + "".join(
        "#define %s %s\n" % pair
        for pair in zip(_names(probe), _names(probe.group))) + "#endif\n"


def _probe(probe):
    parameters = ["arg%d" % (i + 1) for i in range(len(probe.inputs))]
    providers = list(filter(None, [probe.provider, probe.alias]))
    return _PROBE.format(
        macro=probe.macro, enabled=probe.enabled, name=probe.name,
        semaphore=probe.semaphore, parameters=", ".join(parameters),
        declarations=", ".join(arg.written for arg in probe.inputs),
        semaphores=_declare(probe), checks=_checks(_names(probe)),
        traced=" || ".join("sdtkit_traced (%s, %s)" % (provider, probe.name)
                           for provider in providers),
        sites=_sites(probe, parameters))


def _sites(probe, parameters):
    """Returns the statements that fire a probe. With an alias there are two
    sites, so the arguments are evaluated once, before them."""
    if not probe.alias:
        return "{ %s; }" % _site(probe.provider, probe, parameters)
    copies = ["sdtkit_" + name for name in parameters]
    lines = ["__extension__ __typeof__ ((%s) + 0) %s = (%s)" % (
        name, copy, name) for name, copy in zip(parameters, copies)]
    lines += [_site(provider, probe, copies)
              for provider in (probe.provider, probe.alias)]
    return "{ %s; }" % "; \\\n".join(lines)


def _site(provider, probe, values):
    return "sdtkit_site (%s, %s); \\\nDTRACE_PROBE%s (%s)" % (
        provider, probe.name, len(values) or "",
        ", ".join([provider, probe.name] + values))
