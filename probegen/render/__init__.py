# SPDX-License-Identifier: BSD-2-Clause
"""What several formats of ``emit`` share: pieces of C, and of plain text.

    layout              comments, tables of arguments, wrapped lists
    script              how a script reads an argument
    call                the macro of a probe, and how it takes its arguments
    out_of_line         a probe that fires in a function of its own
    record              the struct that a translator fills, and its filling
    description         what .note.sdtkit says of a probe
    record_description  what .note.sdtkit says of a record
    enum_description    what .note.sdtkit says of an enum
    semaphores          the assembly that defines a semaphore
"""
