# SPDX-License-Identifier: BSD-2-Clause
"""probegen: from a provider description to what C and tracers need of it.

    smb2.d --source--> text --lexer--> tokens --parser--> tree
        --resolve--> model --emit/*--> header, drop-in header, ...

Each arrow is one function without side effects (the parser stands on
``cursor`` and ``declarations``, resolve on ``arguments``, ``mapping`` and
``pragmas``); every stage appends to the list of diagnostics in ``diag`` and none prints.
Only ``cli``, with ``files`` and ``programs``, touches the world. To add an
output, see ``emit``; to add an error, see the tables in ``diag``.
"""
