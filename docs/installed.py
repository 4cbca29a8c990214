# SPDX-License-Identifier: BSD-2-Clause
"""A manual page as it is installed: it names the pages and the schemas where
those are installed, not docs/NAME.

    python3 installed.py sdtkit.1 OUTPUT DOCDIR SCHEMADIR
"""

import re
import sys

source, output, docdir, schemadir = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    text = file.read()
text = re.sub(r"\bdocs/([\w-]+\.schema\.json)",
              lambda match: schemadir + "/" + match[1], text)
text = re.sub(r"\bdocs/([\w-]+\.md)",
              lambda match: docdir + "/" + match[1], text)
with open(output, "w", encoding="utf-8") as file:
    file.write(text)
