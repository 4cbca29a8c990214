# SPDX-License-Identifier: BSD-2-Clause
"""A random model is printed as a description in a random layout. Read back, it
must be the same model. This needs hypothesis (python3-hypothesis)."""

import pytest

hypothesis = pytest.importorskip("hypothesis")
st = pytest.importorskip("hypothesis.strategies")

from probegen_tool import codes     # noqa: E402  (sets the path of probegen)
from programs import ALL            # noqa: E402

from probegen import (              # noqa: E402
    ctypes_table, diag, lexer, names, parser, resolve, source)

assert codes()

# On a busy machine, ten models may take longer than hypothesis finds healthy.
SLOWLY = {"suppress_health_check": [hypothesis.HealthCheck.too_slow]}

TYPES = sorted(ctypes_table.NAMED) + [
    "int", "unsigned int", "char", "signed char", "unsigned char", "short",
    "unsigned short", "long", "unsigned long", "long long",
    "unsigned long long", "float", "double"]
POINTEES = TYPES + ["void", "struct stat", "union u", "enum e"]
RESERVED = names.D_WORDS | names.D_PROVIDERS | frozenset(TYPES) | {
    "a", "restrict", "_Bool", "typedef", "asm"}

identifiers = st.from_regex(r"\A[a-z][a-z0-9_]{0,9}\Z").filter(
    lambda name: name not in RESERVED and "__" not in name
    and not name.endswith("_"))
sentences = st.lists(st.from_regex(r"\A[A-Za-z0-9,.()]{1,9}\Z"), min_size=1,
                     max_size=6).map(" ".join)
arguments = st.one_of(
    st.sampled_from(TYPES).map(lambda t: (t, t)),
    st.tuples(st.sampled_from(POINTEES), st.integers(1, 3)).map(
        lambda pair: ("%s %s" % (pair[0], "*" * pair[1]),) * 2))


@st.composite
def probes(draw, name):
    args = draw(st.lists(st.tuples(arguments, st.one_of(
        st.none(), sentences)), max_size=12))
    arg_names = draw(st.lists(identifiers, min_size=len(args),
                              max_size=len(args), unique=True))
    return (name, draw(st.one_of(st.none(), sentences)),
            [(ctype[0], arg, doc)
             for (ctype, doc), arg in zip(args, arg_names)])


@st.composite
def descriptions(draw):
    found = []
    provider_names = draw(st.lists(identifiers, min_size=1, max_size=3,
                                   unique=True))
    for name in provider_names:
        probe_names = draw(st.lists(identifiers, max_size=5, unique=True))
        found.append((name, draw(st.one_of(st.none(), sentences)),
                      [draw(probes(probe)) for probe in probe_names]))
    return found


@st.composite
def layouts(draw, description):
    """Draws the text of a description: blanks and comments between the tokens
    are random, and documentation stands where it belongs."""
    blank = st.sampled_from([" ", "\t", "  ", "\n", "\r\n", " \n\t"])

    def gap():
        return draw(blank)

    def above(doc):
        style = draw(st.sampled_from(["/* %s */", "// %s", "/*\n * %s\n */"]))
        return "\n" + style % doc + "\n" if doc else "\n\n"

    parts = []
    for name, doc, its_probes in description:
        parts += ["\n\n", above(doc), "provider", gap(), name, gap(), "{"]
        for probe, probe_doc, args in its_probes:
            parts += ["\n\n", above(probe_doc), "probe", gap(), probe, "("]
            lines = ["%s%s%s" % (ctype, gap(), arg) for ctype, arg, _ in args]
            for index, (line, (_, _, arg_doc)) in enumerate(zip(lines, args)):
                last = index + 1 == len(args)
                end = ");" if last else ","
                parts += ["\n\t", line, end,
                          " /* %s */" % arg_doc if arg_doc else "", "\n"]
            parts += [] if args else [draw(st.sampled_from(["", "void"])),
                                      ");"]
        parts += [gap(), "}", draw(st.sampled_from(["", ";"]))]
    return "".join(parts)


def read(text):
    faults = diag.Diagnostics()
    tree = parser.parse(lexer.lex(source.Source("x.d", text), faults), faults)
    return resolve.resolve([tree], faults, "x.d"), faults


@hypothesis.settings(max_examples=150 if ALL else 40, deadline=None,
                     derandomize=True, database=None, **SLOWLY)
@hypothesis.given(st.data())
def test_same_model(data):
    description = data.draw(descriptions())
    text = data.draw(layouts(description))
    model, faults = read(text)
    # names that make the same macro are refused, as they should be
    hypothesis.assume(not any(entry.code == "NAME_COLLISION"
                              for entry in faults.kept["error"]))
    assert faults.render() == ""
    found = [(p.name, " ".join(p.doc) or None,
              [(probe.name, " ".join(probe.doc) or None,
                [(a.declared_type, a.name, " ".join(a.doc) or None)
                 for a in probe.args]) for probe in p.probes])
             for p in model.providers]
    assert found == description


@hypothesis.settings(max_examples=500 if ALL else 150, deadline=None,
                     derandomize=True, database=None, **SLOWLY)
@hypothesis.given(st.lists(st.sampled_from(
    list("provider{probe(int x);}/*\n \t\"'#,:<>=*[]`\\") + [
        "provider ", "probe ", "typedef ", "struct ", "translator ", "inline ",
        "enum ", "#pragma D attributes ", "int ", "(void)", "\udc80", "\0"]),
    max_size=200))
def test_any_text_is_read_or_refused(pieces):
    """There is never an exception, and whatever is left out of the model was
    reported."""
    model, faults = read("".join(pieces))
    assert faults or model.providers
    faults.render()
