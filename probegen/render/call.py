# SPDX-License-Identifier: BSD-2-Clause
"""The macro of a probe, and how it takes its arguments; see sdtkit/call.h.

For `probe done(struct req *req, int error, void (*then)(int));` in provider
smb2:

    SDTKIT_POINTER_AS(sdtkit_smb2_done_sdtkit_then, sdtkit_then,
    	void (*sdtkit_then)(int))
    SDTKIT_PROBE(smb2, done,
    	sdtkit_to_req, SDTKIT_NUMBER(int), sdtkit_smb2_done_sdtkit_then)
    #define SMB2_DONE(...) \\
    	SDTKIT_BEGIN(SMB2_DONE_ENABLED(), \\
    		sdtkit_smb2_done, (__VA_ARGS__), \\
    		(const struct req *, int, void (*)(int)), \\
    		const struct req *sdtkit_req; \\
    		int sdtkit_error; \\
    		void (*sdtkit_then)(int);) \\
    	... \\
    	SDTKIT_END
"""

from .. import argtype, ctypes_table, marshallers
from . import layout

# the struct in a macro that holds what the probe was given
VALUES = "sdtkit_in."

# kind -> its letter in the macros of sdtkit: SDTKIT_U(n), SDTKIT_IN_S(value)
LETTERS = {
    ctypes_table.UNSIGNED: "U",
    ctypes_table.SIGNED: "S",
    ctypes_table.POINTER: "P",
    ctypes_table.FLOAT: "F",
    ctypes_table.DOUBLE: "D",
}


def pointer_types(tags):
    """Returns the types that take a pointer to one struct and to no other.
    Several headers of a program may need the same type."""
    parts = []
    for kind, name in tags:
        guard = "SDTKIT_HAS_POINTER_TO_" + name
        parts.append("#ifndef %s\n#define %s\nSDTKIT_POINTER_TO(%s, %s)\n"
                     "#endif\n" % (guard, guard, kind, name))
    return "".join(parts)


def declaration(probe):
    """Returns what stands before the macros of a probe."""
    parameters = _parameters(probe)
    before = _other_names(probe)
    name = "SDTKIT_TAKES" if probe.group else "SDTKIT_PROBE"
    if not parameters:
        return before + ("" if probe.group else "SDTKIT_PROBE_0(%s, %s)\n" % (
            probe.provider, probe.name))
    own = ["SDTKIT_POINTER_AS(%s, %s,\n\t%s)\n" % (
        _type(probe, p), p.identifier, member(p))
           for p in parameters if p.type.shape == argtype.WRITTEN]
    return before + "".join(own) + "%s(%s, %s,\n%s\n" % (
        name, probe.provider, probe.name, layout.wrap_list(
            [_type(probe, p) for p in parameters], "\t", ",", ")"))


def _other_names(probe):
    """Returns macros that make the semaphore of a probe of a group, and that
    of the alias, stand for the one that there is."""
    semaphore = (probe.group or probe).semaphore
    return "".join("#define %s %s\n" % (name, semaphore)
                   for name in (probe.semaphore, probe.alias_semaphore)
                   if name and name != semaphore)


def macro(probe, body):
    """Returns the definition of the probe's macro. ``body`` are its
    statements."""
    parameters = _parameters(probe)
    if not parameters:
        text = "#define %s()\n\tSDTKIT_BEGIN_0(%s())\n%s\tSDTKIT_END_0" % (
            probe.macro, probe.enabled, body)
    else:
        types = [_plain(p) for p in parameters]
        types[0] = "(" + types[0]
        types = layout.wrap_list(types, "\t\t", ",", "),", layout.MACRO)
        text = ("#define %s(...)\n\tSDTKIT_BEGIN(%s(),\n"
                "\t\t%s, (__VA_ARGS__),\n%s\n%s)\n" % (
                    probe.macro, probe.enabled, probe.function, types,
                    "\n".join("\t\t%s;" % member(p) for p in parameters)))
        text += body + "\tSDTKIT_END"
    return text.replace("\n", " \\\n") + "\n"


def values(probe):
    """Returns for each argument a list of C expressions, one for each of its
    parameters, as the macro has them."""
    if probe.passed is None:
        return [[VALUES + p.identifier for p in arg.parameters]
                for arg in probe.args]
    passed = iter(probe.passed)
    return [[next(passed) for _ in arg.parameters] for arg in probe.args]


def value(arg, given):
    """Returns the C expression that the note carries. ``given`` is the
    argument's list of values()."""
    if arg.marshaller is None:
        return given[0]
    return marshallers.call(arg.marshaller, given)


def _parameters(probe):
    return [p for arg in probe.inputs for p in arg.parameters]


def member(parameter):
    """Returns a parameter, or an argument, as a member of a struct."""
    return parameter.type.as_member().declare(parameter.identifier)


def _plain(parameter):
    """Returns the type of a parameter in C++."""
    return parameter.type.takes or parameter.type.as_member().spelling


def _type(probe, parameter):
    """Returns the type of a parameter in C, which must refuse wrong arguments.
    """
    ctype = parameter.type
    if ctype.takes:
        return ctype.takes
    if ctype.tag:
        return "sdtkit_to_" + ctype.tag.name
    if ctype.shape == argtype.WRITTEN:
        return "%s_%s" % (probe.function, parameter.identifier)
    if ctype.is_text:
        return "sdtkit_string"
    if ctype.is_pointer:
        return "sdtkit_pointer"
    # C never converts a pointer to floating point, and any pointer to bool
    if ctype.is_bool or ctype.is_floating:
        return ctype.spelling
    return "SDTKIT_NUMBER(%s)" % ctype.spelling
