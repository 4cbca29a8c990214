# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit init`, which executes `probegen --init`: writes a description with
one span, and prints the lines that a build needs.

Exit status: 0, or 2 if nothing was written.
"""

import getopt
import os
import re
import shlex

from . import builds, diag, files, headers, lexer, parser, resolve, source

HELP = """\
Usage: sdtkit init [OPTION]... [DIRECTORY]
Begin with probes in a program: write a description, NAME_probes.d, with one
request to be filled in, and print the lines that the build of the DIRECTORY
needs, and the next commands. A file that exists is never changed. The
DIRECTORY is this one, if none is given.

      --provider=NAME  the name of the provider; else, that of the directory
      --build=NAME     print the lines for this build, not for the one that was
                       found: %s
      --dry-run        print the description and the lines, and write nothing
  -h, --help           print this text; -V, --version prints the version

Examples:
  sdtkit init
  sdtkit init --provider=shop --build=cmake src
Exit status: 0 if the description was written, 2 trouble.
"""

_DESCRIPTION = """\
/*
 * To be filled in: rename the probes and arguments to what the program has. The
 * comments are what tracers show of them. The language: docs/language.md
 */

/* A request, from its arrival to its answer. */
#pragma sdtkit span request start=request_start end=request_end
#pragma sdtkit span request key=id name=operation error=status

/* Requests of %(provider)s. */
provider %(provider)s {
	/* A request has arrived. */
	probe request_start(
		uint64_t id,			/* tells it from others under way */
		sdtkit_str_t operation);	/* what kind of request it is */

	/* Its answer is known. */
	probe request_end(
		uint64_t id,
		int status);			/* 0, or an error number */
};
"""

_CALLS = """\
#include "%(provider)s_probes.h"
%(macro)s_REQUEST_START(id, operation);
%(macro)s_REQUEST_END(id, status);
"""

_LONG = ["provider=", "build=", "dry-run", "help", "version"]
_PROVIDER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_NAME_LIMIT = 32        # characters of a directory's name that are taken


class _Trouble(Exception):
    """What is wrong, for a message."""


def run(args, version=None):
    """Runs `sdtkit init ARGS` and returns the exit status."""
    try:
        return _run(args, version)
    except getopt.GetoptError as error:
        text = "%s\nsdtkit init: try 'sdtkit init --help'" % error
    except OSError as error:
        text = "%s: %s" % (error.filename, error.strerror)
    except _Trouble as error:
        text = str(error)
    files.complain("sdtkit init: %s\n" % text)
    return 2


def _run(args, version):
    pairs, folders = getopt.gnu_getopt(args, "hV", _LONG)
    given = dict(pairs)
    if "-h" in given or "--help" in given:
        return _print(HELP % ", ".join(builds.NAMES))
    if "-V" in given or "--version" in given:
        return _print("sdtkit %s\n" % (
            version or headers.version(diag.Diagnostics())))
    if len(folders) > 1:
        raise getopt.GetoptError("unexpected '%s': init takes one directory"
                                 % folders[1])
    _check_options(given)
    return _begin(folders[0] if folders else ".", given)


def _check_options(given):
    name = given.get("--build")
    if name is not None and name not in builds.NAMES:
        raise _Trouble("invalid value '%s' for --build: use %s or %s" % (
            name, ", ".join(builds.NAMES[:-1]), builds.NAMES[-1]))
    name = given.get("--provider")
    if name is None:
        return
    fault = _fault(name, ()) if _PROVIDER.match(name) else (
        "use letters, digits and '_', and no digit first")
    if fault:
        raise _Trouble("invalid value '%s' for --provider: %s" % (name, fault))


def _begin(folder, given):
    build, others = builds.find(folder, given.get("--build"))
    said = "no build was found: these lines are for make\n"
    if build:
        said = "these lines are for %s\n" % build.name
    if others:
        said += "other builds are here, too: --build=%s prints their lines\n" \
            % "|".join(each.name for each in others)
    build = build or builds.find(folder, "make")[0]
    provider = given.get("--provider") or _provider(folder)
    named = builds.words(folder, build, provider)
    text = _DESCRIPTION % named
    path = os.path.normpath(os.path.join(folder, provider + "_probes.d"))
    dry = "--dry-run" in given
    if not dry:
        _create(path, text)
    return _print(_told(
        text if dry else "%s is written: fill it in\n" % path, said,
        folder, build, named))


def _told(first, said, folder, build, named):
    """Returns what is printed: where which lines go, and the next commands."""
    named["macro"] = named["provider"].upper()
    calls = "%s, where a request begins and ends" % (
        named["source"] or "the C file with the requests")
    parts = [first, said] + [
        "%s:\n%s" % (where, re.sub("^(?=.)", "    ", lines, flags=re.M))
        for where, lines in [(calls, _CALLS % named)] +
        builds.steps(build, named)]
    program = build.made + named["program"]
    commands = [build.command, "sdtkit list " + program,
                "sdtkit trace ./" + program]
    if os.path.realpath(folder) != os.path.realpath("."):
        commands[0] = "cd %s && %s" % (shlex.quote(folder), commands[0])
    parts.append("Then:\n" + "".join("    %s\n" % line for line in commands))
    return "\n".join(parts)


def _print(text):
    return 2 * files.print_out(text, "sdtkit init: cannot write the output")


def _create(path, text):
    """Writes a new file as a whole, or none."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        raise _Trouble("%s exists and stays as it is: use another --provider, "
                       "or --dry-run to see the lines only" % path)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except BaseException as error:
        os.unlink(path)
        if isinstance(error, OSError):
            error.filename = path
        raise


def _provider(folder):
    """Returns a name for the provider, which the name of the directory gives:
    "Shop server-2.1" -> "shop_server". A name that ends in a digit is none for
    DTrace."""
    name = re.sub(r"[^a-z0-9]+", "_",
                  os.path.basename(os.path.realpath(folder)).lower())
    name = name.lstrip("_0123456789")[:_NAME_LIMIT].rstrip("_0123456789")
    return next(each for each in (name, (name + "_server").lstrip("_"))
                if _PROVIDER.match(each) and not _fault(each))


def _fault(provider, warnings=diag.WARNINGS):
    """Returns what probegen would say of the description; None if nothing."""
    faults = diag.Diagnostics(warnings)
    text = source.Source("", _DESCRIPTION % {"provider": provider})
    tree = parser.parse(lexer.lex(text, faults), faults)
    resolve.resolve([tree], faults, "")
    return next((entry.text for kind in ("error", "warning")
                 for entry in faults.kept[kind]), None)
