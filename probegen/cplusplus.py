# SPDX-License-Identifier: BSD-2-Clause
"""Hints for people who write C++ types in a description, which has only C
types.

    probe login(const std::string &user);
                         ^
    hint: an argument of a probe must have a C type; for text, write ...
"""

from . import ctypes_table

# what can stand before a declaration
_BEFORE = frozenset("( ) , ; { } < >".split())
_BACK_LIMIT = 50        # tokens that the search for its beginning goes back
_HERE = "an argument of a probe must have a C type"
_COUNTED = "'sdtkit_counted_t' (pass .data() and .size())"
_TEXTS = {
    "string": "'sdtkit_str_t' (pass .c_str()) or " + _COUNTED,
    "string_view": _COUNTED,
}
_WORDS = frozenset(("namespace", "template", "using"))


def hint(texts, at):
    """Returns what to write instead, where the parser stopped at token ``at``;
    None if the text there is not C++."""
    first = at
    while first > max(0, at - _BACK_LIMIT) and texts[first - 1] not in _BEFORE:
        first -= 1
    words, found = texts[first:at + 1], texts[at]
    if "provider" in words or "probe" in words:
        return None
    if _is_qualified(texts, at):
        return _qualified(texts, first, at)
    if "class" in words:
        return _of_class(texts, first + words.index("class"))
    if found in ("&", "&&"):
        return ("a reference cannot be an argument: pass a pointer or the "
                "value")
    if found == "<" and at > first:
        return "%s; write 'void *' for a pointer to '%s<...>'" % (
            _HERE, texts[at - 1])
    if found in _WORDS:
        return ("use only C types in a description; write 'struct NAME' for "
                "a class that is not in a namespace, otherwise 'void *'")
    return None


def _is_qualified(texts, at):
    return texts[at:at + 2] == [":", ":"]


def _qualified(texts, first, at):
    """Returns the hint for `ns::name`; ``at`` is at the first colon."""
    start = at - (at > first)
    while _is_qualified(texts, at):
        at += 3
    name = texts[at - 1]
    if not name.isidentifier():
        return None
    if name in _TEXTS:
        return "%s; for text, write %s" % (_HERE, _TEXTS[name])
    if name in ctypes_table.NAMED:
        return "%s: write '%s'" % (_HERE, name)
    return ("%s; write 'void *' for a pointer to '%s', or the C type of a "
            "number" % (_HERE, "".join(texts[start:at])))


def _of_class(texts, at):
    """Returns the hint for `class NAME` and `enum class NAME`."""
    name = texts[at + 1] if texts[at + 1].isidentifier() else "NAME"
    if at and texts[at - 1] == "enum":
        return "write 'enum %s', and pass '(int)VALUE'" % name
    return "write 'struct %s'" % name
