# SPDX-License-Identifier: BSD-2-Clause
"""Manual pages as they are installed: they name the pages and the schemas
where those are installed, not docs/NAME.

    python3 installed.py DOCDIR SCHEMADIR DIRECTORY sdtkit.1...

writes DIRECTORY/sdtkit.1.
"""

import os
import re
import sys

docdir, schemadir, directory, *sources = sys.argv[1:]
for source in sources:
    with open(source, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"\bdocs/([\w-]+\.schema\.json)",
                  lambda match: schemadir + "/" + match[1], text)
    text = re.sub(r"\bdocs/([\w-]+\.md)",
                  lambda match: docdir + "/" + match[1], text)
    with open(os.path.join(directory, os.path.basename(source)), "w",
              encoding="utf-8") as file:
        file.write(text)
