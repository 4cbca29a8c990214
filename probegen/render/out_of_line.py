# SPDX-License-Identifier: BSD-2-Clause
"""A probe whose arguments need buffers or calls: it fires in a function of its
own, so that the code around it is as with any other probe.

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

What the words mean: sdtkit/arg-call.h.
"""

from collections import namedtuple

from .. import argtype, marshallers
from . import call as calls
from . import layout

# An input: what it is in the macro, the member of the struct, the macro that
# passes it
_Input = namedtuple("_Input", "value member letter")


def is_needed(probe):
    """Whether a probe has to fire out of line."""
    return any(arg.marshaller and arg.marshaller.is_out for arg in probe.args)


def function(probe, values, fire, description):
    """The struct and the function. ``fire(probe, values)`` makes the site of a
    probe whose arguments have their values; the description follows it."""
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
    """The call of the function, in the macro."""
    inputs = _inputs(probe, values)
    return "\tSDTKIT_OUT_CALL(%d,\n\t\t%s_out, %s_in,\n%s\n" % (
        len(inputs), probe.function, probe.function, layout.wrap_list(
            ["SDTKIT_OUT_%s(%s)" % (i.letter, i.value) for i in inputs],
            "\t\t", ",", ")", layout.MACRO))


def _inputs(probe, values):
    """What the function is given; it takes something in any case."""
    inputs = [item for arg, given in zip(probe.args, values)
              for item in _passed(arg, given)]
    return inputs or [_Input("0UL", "unsigned long sdtkit_none", "U")]


def _passed(arg, given):
    """What of an argument is passed. What needs neither a buffer nor a call is
    made before: inline functions are for the target that the file is for."""
    row = arg.marshaller
    if row is None or not row.is_out:
        return [_input(calls.value(arg, given), arg)]
    return [_input(value, parameter)
            for value, parameter in zip(given, arg.parameters)]


def _input(value, declared):
    """How an argument, or a parameter, is passed: a floating-point number as
    its bits, for no vector register is touched out of line."""
    ctype = declared.type.as_bits()
    if ctype.has_array:
        ctype = argtype.pointer("void")
    return _Input(value, ctype.as_member().declare(declared.identifier),
                  calls.LETTERS[declared.type.kind])


def _inside(arg):
    """The argument as the function of its own has it: with its value."""
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
    """The statement that makes a text."""
    identifiers = ["sdtkit_in." + p.identifier for p in arg.parameters]
    return "\t%s_to(%s.text, sizeof(%s.text),\n%s\n" % (
        arg.marshaller.function, arg.identifier, arg.identifier,
        layout.wrap_list(identifiers, "\t\t", ",", ");"))
