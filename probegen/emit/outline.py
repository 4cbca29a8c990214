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
    	const struct sdtkit_text sdtkit_name =
    		sdtkit_arg_counted_text(sdtkit_in.sdtkit_name,
    				sdtkit_in.sdtkit_name_length);
    	SDTKIT_OUT_FRAME(3);
    	SDTKIT_FIRE(smb2, opened, ... SDTKIT_IN_P(sdtkit_name.text), ...);
    }
    SDTKIT_OUT_INLINE void sdtkit_smb2_opened(
    	const void *sdtkit_name,
    	size_t sdtkit_name_length,
    	int sdtkit_fd)
    {
    	SDTKIT_OUT_CALL(3, sdtkit_smb2_opened_out, sdtkit_smb2_opened_in,
    			SDTKIT_OUT_P(sdtkit_name), ...);
    }

What the words mean: sdtkit/arg-call.h.
"""

from collections import namedtuple

from .. import ctypes_table, marshallers
from . import layout

# An input: the member of the struct, the macro that passes it
_Input = namedtuple("_Input", "identifier member letter")

_POINTER = "const void *"
# what floating point is passed as: no vector register is touched out of line
_BITS = {
    ctypes_table.FLOAT: ("unsigned long", "uw"),
    ctypes_table.DOUBLE: ("unsigned long long", "u8"),
}
# what the macros of sdtkit call the kinds: SDTKIT_U(n), SDTKIT_IN_S(value)
LETTERS = {
    ctypes_table.UNSIGNED: "U",
    ctypes_table.SIGNED: "S",
    ctypes_table.POINTER: "P",
    ctypes_table.FLOAT: "F",
    ctypes_table.DOUBLE: "D",
}


def is_needed(probe):
    """Whether a probe has to fire out of line."""
    return any(arg.marshaller and arg.marshaller.is_out for arg in probe.args)


def extension(probe):
    """What stands before the call of its function. Pedantic compilers object
    to a parameter that takes all kinds of socket addresses."""
    return "SDTKIT_ARG_EXTENSION " if any(
        p.declaration.startswith("sdtkit_any_sockaddr ")
        for arg in probe.args for p in arg.parameters) else ""


def emit(probe, fire, description):
    """The struct and the two functions. ``fire(probe)`` makes the site of a
    probe whose arguments have their values; the description follows it."""
    inputs = [item for arg in probe.args for item in _inputs(arg)] or [
                  _Input("0UL", "unsigned long sdtkit_none", "U")]
    inside = probe._replace(args=[_inside(arg) for arg in probe.args])
    struct, out = probe.function + "_in", probe.function + "_out"
    parameters = [p.declaration for arg in probe.args for p in arg.parameters]
    call = layout.wrap_list(
        ["SDTKIT_OUT_%s(%s)" % (i.letter, i.identifier) for i in inputs],
        "\t\t\t", ",", ");")
    return "".join(
        ["struct %s {\n" % struct]
        + ["\tSDTKIT_ARG_WORD %s;\n" % i.member for i in inputs]
        + ["\tSDTKIT_OUT_PAD\n};\n",
           "SDTKIT_OUT void %s(\n\tstruct %s sdtkit_in)\n{\n" % (out, struct)]
        + [_text(arg) for arg in probe.args
           if arg.marshaller and arg.marshaller.is_text]
        + ["" if parameters else "\t(void)sdtkit_in;\n",
           "\tSDTKIT_OUT_FRAME(%d);\n" % len(inputs), fire(inside),
           description, "}\n",
           "SDTKIT_OUT_INLINE void %s(" % probe.function,
           ",".join("\n\t" + text for text in parameters) or "void",
           ")\n{\n\tSDTKIT_OUT_CALL(%d,\n\t\t\t%s,\n\t\t\t%s,\n%s\n}\n" % (
               len(inputs), out, struct, call)])


def _inputs(arg):
    """What of an argument is passed. What needs neither a buffer nor a call is
    made before: inline functions are for the target that the file is for."""
    row = arg.marshaller
    if row is None:
        return [_Input(arg.identifier, _member(arg), LETTERS[arg.kind])]
    if not row.is_out:
        return [_Input(arg.value, arg.declaration, LETTERS[arg.kind])]
    return [_input(*parameter) for parameter in arg.parameters]


def _input(identifier, declaration):
    if declaration.startswith("sdtkit_any_sockaddr "):
        return _Input(identifier, _POINTER + identifier, "A")
    if "*" in declaration:
        return _Input(identifier, declaration, "P")
    is_signed = declaration.startswith("int ")
    return _Input(identifier, declaration, LETTERS[
        ctypes_table.SIGNED if is_signed else ctypes_table.UNSIGNED])


def _member(arg):
    """An argument as a member of the struct."""
    if arg.kind in _BITS:
        return "%s %s" % (_BITS[arg.kind][0], arg.identifier)
    if "[" in arg.declaration:
        return _POINTER + arg.identifier
    return arg.declaration


def _inside(arg):
    """The argument as the function of its own has it."""
    row = arg.marshaller
    if row is None or not row.is_out:
        arg = arg._replace(value="sdtkit_in." + arg.identifier)
        return arg if arg.kind not in _BITS else arg._replace(
            kind=ctypes_table.UNSIGNED, wire=_BITS[arg.kind][1])
    if row.is_text:
        return arg._replace(value=arg.identifier + ".text")
    return arg._replace(value=marshallers.call(row, []))


def _text(arg):
    identifiers = ["sdtkit_in." + p.identifier for p in arg.parameters]
    call = marshallers.call(arg.marshaller, identifiers)
    return "\tconst struct sdtkit_text %s =\n\t\t%s;\n" % (
        arg.identifier, call)
