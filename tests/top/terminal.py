# SPDX-License-Identifier: BSD-2-Clause
"""A terminal for programs that draw on one: tmux is the terminal."""

import os
import pathlib
import subprocess
import time

# seconds, for what happens at once on a machine that is not busy
PATIENCE_S = float(os.environ.get("SDTKIT_TEST_PATIENCE", 300))


class Terminal:
    """A shell in a terminal of tmux; its server is of this test alone."""

    def __init__(self, place, width, height, environment):
        self.place = pathlib.Path(place)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width),
                  "-y", str(height),
                  "env", *("%s=%s" % item for item in environment.items()),
                  "bash", "--norc", "--noprofile")
        self.tmux("set", "status", "off")
        self.tmux("resize-window", "-x", str(width), "-y", str(height))
        self.run("PS1='$ '; clear")

    def tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-u", "-S", str(self.place / "tmux"), *arguments],
            capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def type(self, *keys):
        """Keys as tmux names them: "q", "Enter", "Right", "C-c"."""
        self.tmux("send-keys", *keys)

    def run(self, command):
        self.tmux("send-keys", "-l", command)
        self.type("Enter")

    def lines(self, *options):
        return self.tmux("capture-pane", "-p", *options).split("\n")[:-1]

    def value(self, name):
        return self.tmux("display-message", "-p", "#{%s}" % name).strip()

    def resize(self, width, height):
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def until(self, condition):
        """Waits until condition(lines) holds; returns the lines."""
        end = time.monotonic() + PATIENCE_S
        while True:
            lines = self.lines()
            if condition(lines):
                return lines
            assert time.monotonic() < end, "\n".join(lines)
            time.sleep(0.02)

    def until_there(self, *texts):
        return self.until(lambda lines: all(
            any(text in line for line in lines) for text in texts))

    def until_gone(self, text):
        return self.until(
            lambda lines: not any(text in line for line in lines))
