# SPDX-License-Identifier: BSD-2-Clause
"""Probes whose arguments need buffers or calls. Each fires in a function of
its own, out of line, so that the code around it is the same as with other
probes.

For `probe opened(sdtkit_counted_t name, int fd);` in provider smb2:

    struct sdtkit_smb2_opened_in {
    	SDTKIT_ARG_WORD const void *sdtkit_name;
    	SDTKIT_ARG_WORD size_t sdtkit_name_length;
    	SDTKIT_ARG_WORD int sdtkit_fd;
    	SDTKIT_OUT_PAD
    };
    SDTKIT_OUT void sdtkit_smb2_opened_out(
    	struct sdtkit_smb2_opened_in sdtkit_in)
    {
    	struct sdtkit_text sdtkit_name;

    	(void)sdtkit_in;
    	SDTKIT_OUT_FRAME(3);
    	sdtkit_arg_counted_to(sdtkit_name.text, sizeof(sdtkit_name.text),
    		sdtkit_in.sdtkit_name, sdtkit_in.sdtkit_name_length);
    	SDTKIT_FIRE(smb2, opened, ... SDTKIT_IN_P(sdtkit_name.text), ...)
    }
and in the macro, instead of the site:

    SDTKIT_OUT_CALL(3, sdtkit_smb2_opened_out, sdtkit_smb2_opened_in,
    	SDTKIT_OUT_P(sdtkit_in.sdtkit_name), ...)

sdtkit/arg-call.h explains the macros.
"""

from collections import namedtuple

from .. import argtype, marshallers
from . import call as calls
from . import layout

# value: the input in the macro; member: the declaration of the member for it;
# letter: of the macro that passes it, SDTKIT_OUT_letter()
_Input = namedtuple("_Input", "value member letter")


def is_needed(probe):
    """Returns whether a probe has to fire out of line."""
    return any(arg.marshaller and arg.marshaller.is_out for arg in probe.args)


def function(probe, values, fire, description):
    """Returns the struct and the function. ``fire(probe, values)`` returns the
    site of a probe whose arguments have their values; ``description`` follows
    it."""
    inputs = _inputs(probe, values)
    inside = [_inside(arg) for arg in probe.args]
    texts = [arg for arg in probe.args
             if arg.marshaller and arg.marshaller.is_text]
    site = fire(probe._replace(args=inside), [[arg.value] for arg in inside])
    return "".join(
        ["struct %s_in {\n" % probe.function]
        + ["\tSDTKIT_ARG_WORD %s;\n" % i.member for i in inputs]
        + ["\tSDTKIT_OUT_PAD\n};\n",
           "SDTKIT_OUT void %s_out(\n\tstruct %s_in sdtkit_in)\n{\n" % (
               probe.function, probe.function)]
        + ["\tstruct sdtkit_text %s;\n" % arg.identifier for arg in texts]
        + ["\n\t(void)sdtkit_in;\n\tSDTKIT_OUT_FRAME(%d);\n" % len(inputs)]
        + [_write(arg) for arg in texts]
        + [site, description, "}\n"])


def call(probe, values):
    """Returns the call of the function, for the macro."""
    inputs = _inputs(probe, values)
    return "\tSDTKIT_OUT_CALL(%d,\n\t\t%s_out, %s_in,\n%s\n" % (
        len(inputs), probe.function, probe.function, layout.wrap_list(
            ["SDTKIT_OUT_%s(%s)" % (i.letter, i.value) for i in inputs],
            "\t\t", ",", ")", layout.MACRO))


def _inputs(probe, values):
    """Returns what the function is given, which is at least one input."""
    inputs = [item for arg, given in zip(probe.args, values)
              for item in _passed(arg, given)]
    return inputs or [_Input("0UL", "unsigned long sdtkit_none", "U")]


def _passed(arg, given):
    """Returns what is passed for an argument. A marshaller that needs neither
    a buffer nor a call is called before: it is inline, and compiled for the
    same target as the code around the probe."""
    row = arg.marshaller
    if row is None or not row.is_out:
        return [_input(calls.value(arg, given), arg)]
    return [_input(value, parameter)
            for value, parameter in zip(given, arg.parameters)]


def _input(value, declared):
    """Returns how an argument or a parameter is passed. A floating-point
    number is passed as its bits, so that no vector register is touched out of
    line."""
    ctype = declared.type.as_bits()
    if ctype.has_array:
        ctype = argtype.pointer("void")
    return _Input(value, ctype.as_member().declare(declared.identifier),
                  calls.LETTERS[declared.type.kind])


def _inside(arg):
    """Returns the argument as the function has it: with its value, and without
    its marshaller."""
    row = arg.marshaller
    if row is None or not row.is_out:
        arg = arg._replace(value="sdtkit_in." + arg.identifier,
                           type=arg.type.as_bits())
    elif row.is_text:
        arg = arg._replace(value=arg.identifier + ".text")
    else:
        arg = arg._replace(value=marshallers.call(row, []))
    return arg._replace(type=arg.type._replace(marshaller=None))


def _write(arg):
    """Returns the statement that makes a text."""
    identifiers = ["sdtkit_in." + p.identifier for p in arg.parameters]
    return "\t%s_to(%s.text, sizeof(%s.text),\n%s\n" % (
        arg.marshaller.function, arg.identifier, arg.identifier,
        layout.wrap_list(identifiers, "\t\t", ",", ");"))
