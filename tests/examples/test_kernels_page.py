# SPDX-License-Identifier: BSD-2-Clause
"""docs/kernels.md is what tests/kernels/page.py makes of the results."""

import importlib.util
import os


def test_page(source):
    path = source / "tests" / "kernels" / "page.py"
    spec = importlib.util.spec_from_file_location("kernels_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        module.PAGE.write_text(module.page())
    assert module.PAGE.read_text() == module.page()
