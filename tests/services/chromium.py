# SPDX-License-Identifier: BSD-2-Clause
"""A headless Chromium that a test talks to: the DevTools protocol in a pipe.

    with Browser() as browser:
        page = browser.open("file:///tmp/page.html", dark=True)
        assert page.run("document.title") == "tsmbd"
        assert page.problems == [] and page.requests == [...]
"""

import base64
import json
import os
import select
import subprocess
import tempfile
import time

from programs import which

LIMIT = 300     # seconds for an answer


def find():
    return which("chromium") or which("chromium-browser")


class Browser:
    """Reads from its descriptor 3 and writes to 4; messages end with NUL."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        its_input, self.output = os.pipe()
        self.input, its_output = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"', "-",
             str(its_input), str(its_output), find(), "--headless=new",
             "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking",
             "--user-data-dir=" + self.profile.name,
             "--remote-debugging-pipe", "about:blank"],
            pass_fds=(its_input, its_output), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_input)
        os.close(its_output)
        self.rest = b""
        self.number = 0
        self.pages = {}
        self.front = None       # the page that takes input and is drawn

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(LIMIT)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.profile.cleanup()

    def send(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self, until):
        """Returns the next message."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left < 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("no answer of Chromium")
            some = os.read(self.input, 1 << 20)
            if not some:
                raise EOFError("Chromium has ended")
            self.rest += some
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **params):
        number = self.send(method, session, **params)
        until = time.monotonic() + LIMIT
        while True:
            message = self.receive(until)
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            self.note(message)

    def note(self, message):
        page = self.pages.get(message.get("sessionId"))
        if page is not None and "method" in message:
            page.note(message["method"], message["params"])

    def open(self, url, width=1280, height=900, dark=False, script=True):
        target = self.call("Target.createTarget", url="about:blank")
        self.front = None
        session = self.call("Target.attachToTarget", flatten=True,
                            targetId=target["targetId"])["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(domain + ".enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)
        page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"}])
        page.call("Emulation.setScriptExecutionDisabled", value=not script)
        page.load(url)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session
        self.problems = []      # exceptions, and messages of the console
        self.requests = []      # URLs
        self.loaded = False

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def note(self, method, params):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get(
                "description", details["text"]))
        elif method == "Log.entryAdded":
            self.problems.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(str(params["args"]))

    def load(self, url):
        self.loaded = False
        self.call("Page.navigate", url=url)
        until = time.monotonic() + LIMIT
        while not self.loaded:
            self.browser.note(self.browser.receive(until))

    def run(self, script):
        """Returns the value of an expression."""
        result = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait_for(self, script):
        until = time.monotonic() + LIMIT
        while not self.run(script):
            assert time.monotonic() < until, script
            time.sleep(0.05)

    def bring_to_front(self):
        """What is behind another tab may never be drawn, and input is lost
        until a page was drawn."""
        if self.browser.front is self:
            return
        self.call("Page.bringToFront")
        self.run("new Promise((done) => requestAnimationFrame("
                 "() => requestAnimationFrame(done)))")
        self.browser.front = self

    def press(self, key, shift=False):
        self.bring_to_front()
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowDown": 40, "Enter": 13, "Escape": 27, "Tab": 9}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=codes[key],
                      modifiers=8 if shift else 0)

    def drag(self, start, end):
        """From one point of the window to another, with the left button."""
        self.bring_to_front()
        for kind, (x, y) in (("mousePressed", start), ("mouseMoved", end),
                             ("mouseReleased", end)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", buttons=1, clickCount=1)

    def box(self, selector):
        """The place of an element in the window: left, top, width, height."""
        return self.run("""(() => {
            const element = document.querySelector(%s);
            element.scrollIntoView({ block: "center" });
            const box = element.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];
        })()""" % json.dumps(selector))

    def screenshot(self):
        self.bring_to_front()
        data = self.call("Page.captureScreenshot", format="png")["data"]
        return base64.b64decode(data)

    def pdf(self):
        data = self.call("Page.printToPDF", printBackground=True)["data"]
        return base64.b64decode(data)
