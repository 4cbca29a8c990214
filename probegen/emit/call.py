# SPDX-License-Identifier: BSD-2-Clause
"""How the macro of a probe takes its arguments, see sdtkit/call.h.

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

import re

from .. import marshallers
from . import layout

# the struct that holds what a probe was given, in its macro
VALUES = "sdtkit_in."

_TAG = re.compile(r"const (?:struct|union) (\w+) \*\w+\Z")
# to which C converts pointers rightly, or none
_AS_DECLARED = ("bool ", "float ", "double ")


def pointer_types(tags):
    """The types that take a pointer to a struct and to no other; several
    headers of a program may need the same one."""
    parts = []
    for tag in tags:
        kind, name = tag.split()
        guard = "SDTKIT_HAS_POINTER_TO_" + name
        parts.append("#ifndef %s\n#define %s\nSDTKIT_POINTER_TO(%s, %s)\n"
                     "#endif\n" % (guard, guard, kind, name))
    return "".join(parts)


def declaration(probe):
    """What stands outside of the macros."""
    parameters = _parameters(probe)
    if not parameters:
        return "SDTKIT_PROBE_0(%s, %s)\n" % (probe.provider, probe.name)
    own = ["SDTKIT_POINTER_AS(%s, %s,\n\t%s)\n" % (
        _type(probe, p), p.identifier, _member(p))
           for p in parameters if "(" in _member(p)]
    return "".join(own) + "SDTKIT_PROBE(%s, %s,\n%s\n" % (
        probe.provider, probe.name, layout.wrap_list(
            [_type(probe, p) for p in parameters], "\t", ",", ")"))


def macro(probe, body):
    """The definition of the probe's macro; body: its statements."""
    parameters = _parameters(probe)
    if not parameters:
        text = "#define %s()\n\tSDTKIT_BEGIN_0(%s())\n%s\tSDTKIT_END_0" % (
            probe.macro, probe.enabled, body)
    else:
        types = layout.wrap_list([_plain(p) for p in parameters], "\t\t",
                                 ",", ")", layout.MACRO)
        text = ("#define %s(...)\n\tSDTKIT_BEGIN(%s(),\n"
                "\t\t%s, (__VA_ARGS__),\n\t\t(%s,\n%s)\n" % (
                    probe.macro, probe.enabled, probe.function, types[2:],
                    "\n".join("\t\t%s;" % _member(p) for p in parameters)))
        text += body + "\tSDTKIT_END"
    return text.replace("\n", " \\\n") + "\n"


def values(probe):
    """For each argument a list of what its parameters are, in the macro."""
    if probe.passed is None:
        return [[VALUES + p.identifier for p in arg.parameters]
                for arg in probe.args]
    passed = iter(probe.passed)
    return [[next(passed) for _ in arg.parameters] for arg in probe.args]


def value(arg, given):
    """What the note carries, in C; given: one of values()."""
    if arg.marshaller is None:
        return given[0]
    return marshallers.call(arg.marshaller, given)


def _parameters(probe):
    return [p for arg in probe.inputs for p in arg.parameters]


def _member(parameter):
    """An array and a function are what they are to a function: pointers."""
    name, text = parameter.identifier, parameter.declaration
    # brackets that change nothing, of which g++ warns: (f)(int), *(*f))(int)
    brackets = re.compile(r"\(\s*(%s)\s*\)|\((\*+\s*%s)\s*\)(?=\s*\))" % (
        name, name))
    while brackets.search(text):
        text = brackets.sub(lambda found: found[1] or found[2], text)
    if re.search(r"\b%s\s*\[" % name, text):
        return "const void *" + name
    return marshallers.standard(re.sub(r"\b%s\s*\(" % name, "(*%s)(" % name,
                                       text))


def _plain(parameter):
    """The type of a parameter in C++."""
    if parameter.declaration.startswith("sdtkit_any_sockaddr "):
        return "sdtkit_any_sockaddr"
    return re.sub(r"\b%s\b" % parameter.identifier, "",
                  _member(parameter)).strip()


def _type(probe, parameter):
    """The type of a parameter in C, which has to refuse what is wrong."""
    text = _member(parameter)
    if parameter.declaration.startswith("sdtkit_any_sockaddr "):
        return "sdtkit_any_sockaddr"
    tag = _TAG.match(text)
    if tag:
        return "sdtkit_to_" + tag[1]
    if "(" in text:
        return "%s_%s" % (probe.function, parameter.identifier)
    if text == "const char *" + parameter.identifier:
        return "sdtkit_string"
    if "*" in text:
        return "sdtkit_pointer"
    plain = _plain(parameter)
    return plain if text.startswith(_AS_DECLARED) else (
        "SDTKIT_NUMBER(%s)" % plain)
