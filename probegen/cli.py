# SPDX-License-Identifier: BSD-2-Clause
"""The command line: probegen's own and that of every `dtrace` in use.

argv is parsed here, files are read and written in ``files``, other programs
run in ``programs``; nothing else of probegen touches the world.

Exit status: 0 the output was written or need not be, 1 the input or a file is
at fault (and an older output is as it was), 2 the command line is.
"""

import gc
import getopt
import os

from . import VERSION, diag, emit, files, headers, lexer, parser, programs
from . import model as models, resolve, source
from .emit import depfile

USAGE = """\
usage: probegen [OPTION...] FILE.d...            native header, FILE.h
       probegen -h [OPTION...] -s FILE.d         drop-in for 'dtrace -h'
       probegen -G [OPTION...] -s FILE.d [OBJECT...]   and for 'dtrace -G'
       probegen --emit FORMAT [OPTION...] FILE.d...
"""

HELP = USAGE + """
Makes a C header, and more, of descriptions of static probes (USDT).

  -s FILE.d       the description; '-' is standard input
  -o OUTPUT       where to write; '-' is standard output
  -C              run the C preprocessor first; -I, -D, -U are for it
  --emit FORMAT   {formats}
  --alias P=Q     sites of provider P carry a second note as provider Q
  --no-describe   leave descriptions (.note.sdtkit) out of the native header
  --strict        in a drop-in header too, refuse types that are not declared
  --always        write the output even if it would not change
  --depfile FILE  write a rule for make that names what was read
  -W[no-]NAME     {warnings}
                  all, error, error=NAME; --warnings explains
  --help, --version (-V)

environment: CPP, CC and CFLAGS name the preprocessor and the compiler.
"""

# Long options, and dtrace's letters: those that say something to probegen, and
# those that builds pass and that change nothing here.
_SHORT = "hGCs:o:I:D:U:W:V" + "kqvZx:f:m:O:g6432"
_LONG = ["emit=", "alias=", "no-describe", "strict", "always", "depfile=",
         "help", "version", "warnings", "types", "no-pyparsing"]


class UsageError(Exception):
    """The command line is wrong; the text says in what."""


class Options:
    """What a command line asks for."""

    def __init__(self, program):
        self.output_format = None
        self.scripts = []
        self.output = None
        self.preprocess = False
        self.cpp_flags = []
        self.aliases = []
        self.describe = True
        self.strict = False
        self.always = False
        self.depfile = None
        self.warnings = []
        self.as_dtrace = program == "dtrace"


def main(argv):
    """Runs probegen with ``argv`` as a program gets it; the exit status."""
    gc.disable()    # a short run that makes few cycles: it costs a fifth
    program = os.path.basename(argv[0])
    if program != "dtrace":
        program = "probegen"
    try:
        with files.removed_on_signals():
            return _run(argv[1:], program)
    except (getopt.GetoptError, UsageError) as error:
        files.complain("%s: %s\n%s" % (program, error, USAGE))
        return 2


def _run(args, program):
    words = {"--help": _help, "--warnings": _warnings}
    for arg in args:
        if arg in words:
            return files.print_out(words[arg]())
        if arg in ("--version", "-V"):
            return files.print_out("probegen (sdtkit) %s\n" % VERSION)
    options = _parse(args, Options(program))
    faults = diag.Diagnostics(*_warning_names(options))
    _generate(options, faults)
    files.complain(faults.render())
    return 1 if faults else 0


def _help():
    return HELP.format(
        formats=_fold(sorted(emit.FORMATS)), warnings=_fold(sorted(
            diag.WARNINGS)))


def _fold(words):
    """``words`` on as many lines as they need, the help's indent between."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > 58:
            lines.append("")
        lines[-1] += word + ", "
    return ("\n" + " " * 18).join(line.rstrip() for line in lines).rstrip(",")


def _warnings():
    return "".join("%-16s %s\n" % pair
                   for pair in sorted(diag.WARNINGS.items()))


# ---------------------------------------------------------------- command line

def _parse(args, options):
    pairs, positional = getopt.gnu_getopt(args, _SHORT, _LONG)
    for name, value in pairs:
        _option(options, name, value)
    if not options.scripts:
        options.scripts, positional = positional, []
    if not options.scripts:
        raise UsageError("no description is named")
    if options.output_format is None:
        if options.as_dtrace:
            raise UsageError("called as dtrace it needs -h or -G")
        options.output_format = "header"
    if positional and options.output_format != "object":
        raise UsageError("unexpected '%s'" % positional[0])
    if options.output is None:
        options.output = _default_output(options)
    _check_outputs(options)
    return options


def _check_outputs(options):
    """No output may take the place of an input, or of another output."""
    if "" in (options.output, options.depfile):
        raise UsageError("an output has no name")
    if options.depfile and options.output == "-":
        raise UsageError("--depfile needs an output with a name")
    inputs = {files.identity(path) for path in options.scripts}
    outputs = [path for path in (options.output, options.depfile) if path]
    for path in outputs:
        if path != "-" and files.identity(path) in inputs:
            raise UsageError("'%s' is the description itself; name another "
                             "output with -o" % path)
    if len({files.identity(path) for path in outputs}) < len(outputs):
        raise UsageError("'%s' is named twice" % options.depfile)


def _option(options, name, value):
    if name == "-s":
        options.scripts.append(value)
    elif name == "-o":
        options.output = value
    elif name in ("-h", "-G", "--emit"):
        _set_format(options, {"-h": "dropin", "-G": "object"}.get(name, value))
    elif name == "-C":
        options.preprocess = True
    elif name in ("-I", "-D", "-U"):
        options.cpp_flags.append(name + value)
    elif name == "--alias":
        if value.count("=") != 1:
            raise UsageError("--alias takes PROVIDER=SECOND_NAME")
        options.aliases.append(tuple(value.split("=")))
    elif name == "-W":
        options.warnings.append(value)
    elif name == "--depfile":
        options.depfile = value
    elif name == "--no-describe":
        options.describe = False
    elif name in ("--strict", "--always"):
        setattr(options, name[2:], True)


def _set_format(options, name):
    if name not in emit.FORMATS:
        raise UsageError("unknown format '%s': %s" % (
            name, ", ".join(sorted(emit.FORMATS))))
    if options.output_format not in (None, name):
        raise UsageError("'%s' and '%s' at once" % (
            options.output_format, name))
    options.output_format = name


def _default_output(options):
    if options.scripts[0] == "-":
        return "-"
    name = os.path.basename(options.scripts[0])
    return os.path.splitext(name)[0] + (
        emit.FORMATS[options.output_format].suffix)


def _warning_names(options):
    """(wanted, fatal) of -W. A drop-in header, made in builds that know
    nothing of tracers, warns only when it is asked to."""
    known = set(diag.WARNINGS)
    quiet = options.output_format in ("dropin", "object")
    wanted, fatal = set() if quiet else set(known), set()
    for switch in options.warnings:
        on = not switch.startswith("no-")
        word = switch if on else switch[3:]
        targets = [wanted]
        if word == "error":
            targets, word = [fatal], "all"
        elif word.startswith("error="):
            targets, word = [wanted, fatal] if on else [fatal], word[6:]
        chosen = known if word == "all" else {word}
        if not chosen <= known:
            raise UsageError("unknown warning '%s'; --warnings lists them"
                             % word)
        for target in targets:
            (target.update if on else target.difference_update)(chosen)
    return wanted, wanted & fatal


# ------------------------------------------------------------------ generation

def _generate(options, faults):
    """Reads, makes and writes; whatever fails is among the faults."""
    sources = [_read(options, path, faults) for path in options.scripts]
    if faults:
        return
    trees = [parser.parse(lexer.lex(text, faults), faults, options.preprocess)
             for text in sources]
    passes_types = options.output_format in ("dropin", "object")
    model = resolve.resolve(
        trees, faults, ", ".join(os.path.basename(text.name)
                                 for text in sources),
        options.strict or not passes_types, options.aliases,
        options.output_format != "dropin")
    del trees       # the larger half of what is held
    if faults:
        return
    needs = _needs(options, sources, model, faults)
    if faults:
        return
    text = emit.FORMATS[options.output_format].emit(model, *needs)
    if options.output_format == "object":
        data = programs.compile_object(text, options.cpp_flags, faults)
    else:
        data = text.encode("utf-8", "surrogateescape")
    if data is not None:
        files.write(options.output, data, faults, options.always)
    if options.depfile and not faults:
        rule = depfile.rule(options.output, _inputs(sources))
        files.write(options.depfile, rule.encode("utf-8", "surrogateescape"),
                    faults)


def _read(options, path, faults):
    name = "<stdin>" if path == "-" else path
    if options.preprocess:
        data = programs.preprocess(path, options.cpp_flags, faults)
    else:
        data = files.read(path, faults)
    # bytes that are not UTF-8 become surrogates, which only comments may hold
    text = (data or b"").decode("utf-8", "surrogateescape")
    return source.Source(name, text, options.preprocess)


def _needs(options, sources, model, faults):
    """What the emitter takes beside the model, see emit.FORMATS."""
    make = {
        emit.DESCRIBE: lambda: options.describe,
        emit.PROBE_H: lambda: headers.folded(models.library(model), faults),
        emit.INPUTS: lambda: _inputs(sources),
    }
    return [make[need]()
            for need in emit.FORMATS[options.output_format].needs]


def _inputs(sources):
    """The files that were read, with what the preprocessor included."""
    names = []
    for text in sources:
        for name in [text.name] + text.included():
            if name not in names and not name.startswith("<"):
                names.append(name)
    return names
