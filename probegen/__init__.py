# SPDX-License-Identifier: BSD-2-Clause
"""probegen: makes what C programs and tracers need from a description of
probes.

    smb2.d --source--> text --lexer--> tokens --parser--> tree
        --resolve--> model --emit/*--> header, drop-in header, ...

Each arrow is one function without side effects. The parser stands on
``cursor`` and ``declarations``; resolve on ``arguments``, ``pragmas`` and
``translators``; the formats in ``emit`` on ``render``. Every stage appends to
the list of diagnostics in ``diag``, and none prints. Only ``cli``, with
``files`` and ``programs``, reads and writes files and runs programs.

To add an output format, see ``emit``; an error or a warning, the tables in
``diag``; a marshaller, ``marshallers``.
"""
