# SPDX-License-Identifier: BSD-2-Clause
"""The completions of all commands, where an installation has them."""

import shutil

INSTALLED = {
    "lib/tool/sdtkit.bash": "bash-completion/completions/sdtkit",
    "probegen/probegen.bash": "bash-completion/completions/probegen",
    "lib/tsmbd/tsmbd.bash": "bash-completion/completions/tsmbd",
    "lib/tool/completion.bash": "sdtkit/completion.bash",
    "lib/tool/completion.zsh": "zsh/site-functions/_sdtkit",
}


def place(source, share):
    """Puts the files below share; the path of each is the one in INSTALLED."""
    files = dict(INSTALLED)
    for old, new in files.items():
        (share / new).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / old, share / new)
    for name in "sdtkit", "probegen", "tsmbd":
        new = share / "fish/vendor_completions.d" / (name + ".fish")
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / "lib/tool/completion.fish", new)
