# SPDX-License-Identifier: BSD-2-Clause
"""The page of tsmbd --html, as a browser without JavaScript reads it."""

import base64
import hashlib
import html.parser
import json
import re

import demo_wire as w

VOID = {"meta", "link", "input", "br"}


class PageFile(html.parser.HTMLParser):
    """tags: each start tag with its attributes, in order; texts by tag;
    tables: caption -> rows of cells, the titles first."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.tags = []
        self.open = []
        self.tables = {}
        self.contents = {}          # (tag, attributes) -> text
        self.caption = None
        self.rows = []
        self.size = path.stat().st_size
        self.source = path.read_bytes().decode()    # it is UTF-8
        self.feed(self.source)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, tuple(attributes)))
        if tag not in VOID:
            self.open.append(self.tags[-1])
        if tag == "table":
            self.caption, self.rows = "", []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open)
        if tag == "table":
            self.tables[self.caption] = self.rows
        self.open.pop()

    def handle_data(self, text):
        if not self.open:
            return
        element = self.open[-1]
        self.contents[element] = self.contents.get(element, "") + text
        names = [name for name, _ in self.open]
        if "caption" in names:
            self.caption += text
        elif {"th", "td"} & set(names):
            self.rows[-1][-1] += text

    def content(self, tag):
        """The text of the only element of that name without attributes."""
        return self.contents[(tag, ())]

    @property
    def data(self):
        text, = [text for (tag, attributes), text in self.contents.items()
                 if ("id", "data") in attributes]
        assert text.isprintable() and not re.search(r"[<>&]", text)
        return json.loads(text)

    def slow(self):
        """The slow requests since the start, by what is in their fields."""
        data = self.data
        names = [name for name, _ in data["page"]["lists"]["slow"]["fields"]]
        return [dict(zip(names, row)) for row in data["overall"]["slow"]]

    def columns(self, caption):
        """Title -> cells of a table."""
        titles, *rows = self.tables[caption]
        return dict(zip(titles, zip(*rows)))

    def policy(self):
        text, = [dict(attributes)["content"] for tag, attributes in self.tags
                 if ("http-equiv", "Content-Security-Policy") in attributes]
        return dict(part.strip().split(" ", 1) for part in text.split(";"))


def hash_of(text):
    digest = hashlib.sha256(text.encode()).digest()
    return "'sha256-%s'" % base64.b64encode(digest).decode()


def trace_name(act, trace, path, name):
    """A page about a request of which all names are that one."""
    actor = act(b"file:" + name, b"share:" + name, b"user:" + name,
                "begin:%d" % w.CREATE, "spin:1", "end:0")
    tracer = trace(actor, "--slow", "0", "--html", str(path))
    actor.play()
    tracer.stop()
    actor.end()
    return PageFile(path)


def trace_flame(act, trace, path):
    """The flame graph of a page about a WRITE in spin_for()."""
    actor = act("cpu:0", "begin:%d" % w.WRITE, "spin:300", "end:0", "wait:1")
    tracer = trace(actor, "--flame", str(path.with_suffix(".svg")),
                   "-F", "499", "--html", str(path))
    actor.play()
    tracer.stop()
    return PageFile(path).data["flame"]
