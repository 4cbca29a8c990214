# SPDX-License-Identifier: BSD-2-Clause
"""The command line of probegen, which is also that of every `dtrace` in use.

This module parses argv; ``files`` reads and writes files, and ``programs``
runs other programs. Nothing else in probegen does any of that, except for
``init``, which is a command of its own.

Exit status: 0 if the output was written or is up to date; 1 if the input or a
file is at fault, an older output being left as it was; 2 if the command line
is wrong.
"""

import contextlib
import gc
import getopt
import os

from . import diag, emit, files, headers, lexer, parser, programs
from . import model as models, resolve, source
from .emit import depfile

USAGE = """\
usage: probegen [OPTION...] FILE.d...            write the native header
       probegen -h|-G [OPTION...] -s FILE.d [OBJECT...]   replace 'dtrace'
       probegen --emit FORMAT [OPTION...] FILE.d...    write another output
       probegen --enum [OPTION...] HEADER ENUM  print an enum of a C header
"""

HELP = USAGE + """\
Generates a C header, and more, from descriptions of static probes (USDT).
  -s FILE.d       read the description from FILE.d; '-' is standard input
  -o OUTPUT       write to OUTPUT ('-': standard output); default FILE + suffix
  -C              run the C preprocessor first, with -I, -D and -U
  --emit FORMAT   {formats}
  --alias P=Q     give the sites of provider P a second note, as provider Q
  --no-describe   leave descriptions (.note.sdtkit) out of the native header
  --strict        refuse undeclared types in a drop-in header too
  --always        write the output even if it would not change
  --check-current  write nothing; fail if the output would change or is missing
  --depfile FILE  write a rule for make that names all files that were read
  --depend-on-probegen  name probegen's own files in that rule, too
  -W[no-]NAME     turn a warning, or all, on or off; -Werror[=NAME]: they fail
  --warnings (lists them), --help, --version (-V); uses CPP, CC, CFLAGS
documentation: {docs}/language.md
"""

# Short options: those of probegen, and those of `dtrace` that builds pass and
# that change nothing here. Then the long options.
_SHORT = "hGCs:o:I:D:U:W:V" + "kqvZx:f:m:O:g6432"
_LONG = ["emit=", "alias=", "no-describe", "strict", "always", "depfile=",
         "depend-on-probegen", "check-current", "enum", "help",
         "version", "warnings", "types", "no-pyparsing"]

SIZE_LIMIT = 16 << 20       # of a description, in bytes


class UsageError(Exception):
    """The command line is wrong; the text says what is wrong with it."""


class Options:
    """The options of a command line."""

    def __init__(self, program):
        self.output_format = None
        self.enum = None        # of --enum; its header is in scripts
        self.scripts = []
        self.output = None
        self.preprocess = False
        self.cpp_flags = []
        self.aliases = []
        self.describe = True
        self.strict = False
        self.always = False
        self.depfile = None
        self.depend_on_probegen = False
        self.check_current = False
        self.command = []
        self.warnings = []
        self.as_dtrace = program == "dtrace"


def main(argv, docs=None, version=None):
    """Runs probegen with ``argv`` as a program gets it, and returns the exit
    status. ``docs`` is the directory of the documentation and ``version`` the
    version, if probegen was installed."""
    gc.disable()    # the run is short, and the collector takes a fifth of it
    program = os.path.basename(argv[0])
    if program != "dtrace":
        program = "probegen"
    try:
        with files.removed_on_signals():
            return _run(argv[1:], program, docs, version)
    except (getopt.GetoptError, UsageError) as error:
        files.complain("%s: %s\n%s" % (program, error, USAGE))
        return 2
    except MemoryError:
        pass        # the message needs memory, which is free only below
    files.complain("%s: not enough memory for this description\n" % program)
    return 1


def _run(args, program, docs, version):
    if args[:1] == ["--init"]:      # a command of its own: `sdtkit init`
        from . import init
        return init.run(args[1:], version)
    words = {"--help": lambda: _help(docs), "--warnings": _warnings}
    for arg in args:
        if arg in words:
            return files.print_out(words[arg]())
        if arg in ("--version", "-V"):
            return files.print_out("probegen (sdtkit) %s\n" % (
                version or headers.version(diag.Diagnostics())))
    options = _parse(args, Options(program))
    options.command = [program] + [a for a in args if a != "--check-current"]
    faults = diag.Diagnostics(*_warning_names(options))
    (_print_enum if options.enum else _generate)(options, faults)
    files.complain(faults.render())
    return 1 if faults else 0


def _help(docs):
    if docs is None:
        docs = os.path.join(os.path.dirname(__file__), "..", "docs")
    formats = ["%s %s" % (name, form.suffix)
               for name, form in sorted(emit.FORMATS.items())]
    return HELP.format(docs=os.path.normpath(docs), formats=_fold(formats))


def _fold(words):
    """Returns ``words`` on as many lines as they need, indented like the help.
    """
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > 60:
            lines.append("")
        lines[-1] += word + ", "
    return ("\n" + " " * 18).join(line.rstrip() for line in lines).rstrip(",")


def _warnings():
    return "".join("%-16s %s\n" % pair
                   for pair in sorted(diag.WARNINGS.items()))


# ---------------------------------------------------------------- command line

def _parse(args, options):
    with _options_anywhere():
        pairs, positional = getopt.gnu_getopt(args, _SHORT, _LONG)
    if ("--enum", "") in pairs:
        positional = _take_enum(options, positional)
    for name, value in pairs:
        _option(options, name, value)
    if not options.scripts:
        options.scripts, positional = positional, []
    if not options.scripts:
        raise UsageError("no description given: name at least one FILE.d")
    if options.output_format is None:
        if options.as_dtrace:
            raise UsageError("no output given: use -h or -G")
        options.output_format = "header"
    if positional and options.output_format != "object":
        raise UsageError("unexpected '%s': only -G takes objects, and -s "
                         "names each description" % positional[0])
    if options.output is None:
        options.output = _default_output(options)
    _check_outputs(options)
    return options


def _take_enum(options, positional):
    if len(positional) != 2:
        raise UsageError("--enum takes a header and the name of an enum, of its "
                         "typedef or of one of its enumerators")
    options.output_format, options.output = "header", "-"
    options.enum = positional[1]
    return positional[:1]


@contextlib.contextmanager
def _options_anywhere():
    """Inside this context, options may follow descriptions even if
    POSIXLY_CORRECT is set: build files are written for that order."""
    posix = os.environ.pop("POSIXLY_CORRECT", None)
    try:
        yield
    finally:
        if posix is not None:
            os.environ["POSIXLY_CORRECT"] = posix


def _check_outputs(options):
    """Refuses an output that would overwrite an input or another output."""
    if "" in options.scripts:
        raise UsageError("the name of a description is empty")
    if "" in (options.output, options.depfile):
        raise UsageError("the name of an output is empty")
    if options.depfile and options.output == "-":
        raise UsageError("--depfile needs an output file: name one with -o")
    if options.check_current and options.output == "-":
        raise UsageError("--check-current needs an output file: name one with "
                         "-o")
    if options.depend_on_probegen and not options.depfile:
        raise UsageError("--depend-on-probegen needs --depfile: name a file "
                         "for the rule")
    inputs = {files.identity(path) for path in options.scripts}
    outputs = [path for path in (options.output, options.depfile) if path]
    for path in outputs:
        if path != "-" and files.identity(path) in inputs:
            raise UsageError("the output '%s' is the description itself: "
                             "name another output with -o" % path)
    if len({files.identity(path) for path in outputs}) < len(outputs):
        raise UsageError("'%s' is both the output and the --depfile: name "
                         "two files" % options.depfile)


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
            raise UsageError("invalid value '%s' for --alias: use "
                             "PROVIDER=SECOND_NAME" % value)
        options.aliases.append(tuple(value.split("=")))
    elif name == "-W":
        options.warnings.append(value)
    elif name == "--depfile":
        options.depfile = value
    elif name == "--no-describe":
        options.describe = False
    elif name in ("--strict", "--always", "--check-current",
                  "--depend-on-probegen"):
        setattr(options, name[2:].replace("-", "_"), True)


def _set_format(options, name):
    if name not in emit.FORMATS:
        raise UsageError("invalid value '%s' for --emit: use one of %s" % (
            name, ", ".join(sorted(emit.FORMATS))))
    if options.output_format not in (None, name):
        raise UsageError("two formats given, '%s' and '%s': choose one" % (
            options.output_format, name))
    options.output_format = name


def _default_output(options):
    if options.scripts[0] == "-":
        return "-"
    return _default_name(options.scripts[0], options.output_format)


def _default_name(script, output_format):
    return os.path.splitext(os.path.basename(script))[0] + (
        emit.FORMATS[output_format].suffix)


def _warning_names(options):
    """Returns the sets (wanted, fatal) of warnings that -W asks for. Most
    formats warn only if -W turns warnings on, see emit.Format."""
    known = set(diag.WARNINGS)
    warns = emit.FORMATS[options.output_format].warns
    wanted, fatal = set(known) if warns else set(), set()
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
            raise UsageError("invalid value '%s' for -W: --warnings lists "
                             "the names of warnings" % word)
        for target in targets:
            (target.update if on else target.difference_update)(chosen)
    return wanted, wanted & fatal


# ------------------------------------------------------------------ generation

def _generate(options, faults):
    """Reads the descriptions, makes the output and writes it. Whatever fails
    is added to ``faults``."""
    made = emit.FORMATS[options.output_format]
    inputs = [_read(options, path, faults) for path in options.scripts]
    sources = [text for text, _ in inputs]
    faults.sources = sources
    if faults:
        return
    tokens = [lexer.lex(text, faults) for text in sources]
    if options.preprocess and made.documents:
        for path, (_, data), some in zip(options.scripts, inputs, tokens):
            _keep_comments(options, path, data, some)
    trees = [parser.parse(some, faults, options.preprocess)
             for some in tokens]
    model = resolve.resolve(
        trees, faults, ", ".join(_shown(text) for text in sources),
        options.strict or made.strict, options.aliases, made.marshals)
    for path, text in () if faults else zip(options.scripts, sources):
        _check_name(path, text, faults)
    del tokens, trees       # they are more than half of the memory in use
    if faults:
        return
    needs = _needs(options, sources, model, faults)
    if faults:
        return
    text = _emit(options, made, model, needs, sources, faults)
    if faults:
        return
    if made.compiled:
        data = programs.compile_text(text, options.cpp_flags,
                                     programs.TO_OBJECT, "-G", faults)
    else:
        data = text.encode("utf-8", "surrogateescape")
    _write(options, data, sources, faults)


def _print_enum(options, faults):
    from . import header_enum       # most runs do not need it
    made = header_enum.read(options.scripts[0], options.enum,
                            options.cpp_flags, faults)
    if made is not None:
        _write(options, made[0].encode("utf-8", "surrogateescape"), [made[1]],
               faults)


def _write(options, data, sources, faults):
    outputs = [(options.output, data, options.always)]
    if options.depfile:
        outputs.append((options.depfile, _rule(options, sources, faults),
                        True))
    if faults:
        return
    if options.check_current:
        _compare(options, outputs, faults)
    else:
        files.write(outputs, faults)


def _emit(options, made, model, needs, sources, faults):
    """Returns the text of the output; None if the emitter has a defect."""
    try:
        return made.emit(model, *needs)
    except MemoryError:
        raise
    except Exception as error:
        from . import internal      # most runs do not need it
        # the trees are made again: see _generate()
        trees = [parser.parse(lexer.lex(text, diag.Diagnostics()),
                              diag.Diagnostics(), options.preprocess)
                 for text in sources]
        internal.report(error, lambda part: made.emit(part, *needs),
                        made.name, model, trees, faults)
        return None


def _compare(options, outputs, faults):
    """Reports the outputs that are not what would be written."""
    import shlex            # slow to load, and most runs do not need it
    for path, data, _ in outputs:
        if not files.has(path, data):
            faults.file_error(
                "NOT_CURRENT", path, "this file is not what probegen makes "
                "from %s" % " and ".join(options.scripts)
                if os.path.exists(path) else "there is no such file",
                "run this, and commit the file: %s" % " ".join(
                    shlex.quote(word) for word in options.command))


def _read(options, path, faults):
    """Returns the Source of a file, and the bytes that the C preprocessor was
    given on its standard input, or None."""
    data = None
    if path == "-" or not options.preprocess:
        data = files.read(path, faults, SIZE_LIMIT)
    if not options.preprocess:
        return _source(options, path, data), None
    text = None
    if path != "-" or data is not None:
        text = programs.preprocess(path, options.cpp_flags, data, faults)
    return _source(options, path, text), data


def _check_name(path, text, faults):
    """Warns if a compiler that writes dependencies would overwrite the
    description."""
    compiled = files.c_file_beside(path)
    if compiled is None:
        return
    stem = os.path.splitext(compiled)[0]
    faults.warn("dependency-file", text, None, None, "'gcc -MD' overwrites "
                "this file with what %s.o depends on, because %s is beside it"
                % (stem, compiled), "rename it to %s_probes.d; if objects are "
                "written to another directory, add '#pragma sdtkit nowarn "
                "dependency-file'" % stem)


def _source(options, path, data):
    # bytes that are not UTF-8 become surrogates; only comments may have them
    """Returns the Source of ``data``."""
    text = (data or b"").decode("utf-8", "surrogateescape")
    return source.Source("<stdin>" if path == "-" else path, text,
                         options.preprocess)


def _keep_comments(options, path, data, tokens):
    """Gives preprocessed ``tokens`` the comments of their file.

    The preprocessor can be told to keep comments, but then it reads some texts
    wrongly: it no longer takes `/* now */ #define X` for a directive, and may
    paste a comment to a name. So only the comments are taken from that output,
    and only if its tokens are the same. -CC also keeps the comments of macros.
    """
    if not tokens.source.has_markers() or not (
            path == "-" or os.path.isfile(path)):
        # the file that a comment is from is unknown, or a pipe was read
        return
    for option in "-CC", "-C":
        text = programs.preprocess(path, options.cpp_flags + [option], data,
                                   diag.Diagnostics(), quiet=True)
        commented = lexer.lex(_source(options, path, text), diag.Diagnostics())
        if commented.texts == tokens.texts:
            tokens.before, tokens.after = commented.before, commented.after
            tokens.above = commented.above
            return


def _shown(text):
    """Returns the name of a source for an output, which is UTF-8."""
    return diag.printable(os.path.basename(text.name))


def _rule(options, sources, faults):
    """Returns the bytes of the file that --depfile names."""
    names = [options.output] + _inputs(sources)
    if options.depend_on_probegen:
        names += headers.own_files(options.output_format == "standalone")
    names = _sayable(names, faults)
    return depfile.rule(names[0], names[1:]).encode("utf-8",
                                                    "surrogateescape")


def _sayable(names, faults):
    """Returns ``names``, and reports those that make cannot read."""
    for name in names:
        if not depfile.is_sayable(name):
            faults.file_error("UNWRITABLE", name, "make cannot read this "
                              "name in a rule", "rename the file")
    return names


def _needs(options, sources, model, faults):
    """Returns what the emitter takes beside the model, see emit.Format."""
    make = {
        emit.DESCRIBE: lambda: options.describe,
        emit.PROBE_H: lambda: headers.folded(
            models.parts(model, options.describe), faults),
        emit.TARGET: lambda: _default_name(sources[0].name, "header"),
        emit.INPUTS: lambda: _sayable(_inputs(sources), faults),
    }
    return [make[need]()
            for need in emit.FORMATS[options.output_format].needs]


def _inputs(sources):
    """Returns the names of all files that were read, those that the
    preprocessor included among them."""
    names = []
    for text in sources:
        for name in [text.name] + text.included():
            if name not in names and not name.startswith("<"):
                names.append(name)
    return names
