# SPDX-License-Identifier: BSD-2-Clause
"""examples/serve/kubernetes: manifests that are what Kubernetes reads, as far
as they use it, and with whose capabilities and options the service counts."""

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request

import jsonschema
import pytest

from ports import free_port
from programs import which

NAMES = ["daemonset", "sidecar"]
LIMIT = 300


def exactly(required="", **properties):
    """An object with these fields and no others."""
    return {"type": "object", "additionalProperties": False,
            "required": required.split(), "properties": properties}


def listed(items):
    return {"type": "array", "items": items, "minItems": 1}


# of the API of Kubernetes 1.31, what is used
TEXT, BOOL, NUMBER = ({"type": name} for name in ("string", "boolean",
                                                  "integer"))
QUANTITY = {"type": "string", "pattern": "^[0-9]+(m|Mi|Gi)?$"}
LABELS = {"type": "object", "additionalProperties": TEXT}
META = exactly("", name=TEXT, namespace=TEXT, labels=LABELS)
RESOURCES = exactly("", cpu=QUANTITY, memory=QUANTITY)
CONTAINER = exactly(
    "name image", name=TEXT, image=TEXT, args=listed(TEXT),
    env=listed(exactly("name", name=TEXT, valueFrom=exactly(
        "secretKeyRef", secretKeyRef=exactly("name key", name=TEXT,
                                             key=TEXT)))),
    ports=listed(exactly("containerPort", name=TEXT, containerPort=NUMBER)),
    readinessProbe=exactly("tcpSocket", tcpSocket=exactly("port", port=TEXT)),
    resources=exactly("", requests=RESOURCES, limits=RESOURCES),
    securityContext=exactly(
        "", runAsUser=NUMBER, readOnlyRootFilesystem=BOOL,
        allowPrivilegeEscalation=BOOL,
        capabilities=exactly("", drop=listed(TEXT), add=listed(TEXT)),
        seccompProfile=exactly("type", type={"enum": [
            "Unconfined", "RuntimeDefault", "Localhost"]})))
POD = exactly(
    "containers", hostPID=BOOL, shareProcessNamespace=BOOL,
    automountServiceAccountToken=BOOL,
    tolerations=listed(exactly("", operator={"enum": ["Exists", "Equal"]})),
    containers=listed(CONTAINER))
SCHEMAS = {
    "DaemonSet": exactly(
        "apiVersion kind metadata spec", apiVersion={"const": "apps/v1"},
        kind=TEXT, metadata=META, spec=exactly(
            "selector template",
            selector=exactly("matchLabels", matchLabels=LABELS),
            template=exactly("metadata spec", metadata=META, spec=POD))),
    "Pod": exactly("apiVersion kind metadata spec", apiVersion={"const": "v1"},
                   kind=TEXT, metadata=META, spec=POD),
}


@pytest.fixture(params=NAMES)
def path(request, source, unavailable):
    if not which("yamllint"):       # and Python's yaml with it
        unavailable("yamllint is not installed")
    return source / "examples" / "serve" / "kubernetes" / (request.param +
                                                           ".yml")


@pytest.fixture
def manifest(path):
    import yaml     # of yamllint
    return yaml.safe_load(path.read_text())


def pod_of(manifest):
    return manifest["spec"].get("template", manifest)["spec"]


def sdtkit_of(manifest):
    (container,) = [one for one in pod_of(manifest)["containers"]
                    if one["name"] == "sdtkit"]
    return container


def test_yamllint(path):
    done = subprocess.run(["yamllint", "--strict", "-d", "default", str(path)],
                          text=True, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stdout


def test_fields(manifest):
    jsonschema.validate(manifest, SCHEMAS[manifest["kind"]])


def test_names_agree(manifest):
    """What refers to another part names one that is there."""
    container = sdtkit_of(manifest)
    (port,) = container["ports"]
    assert container["readinessProbe"]["tcpSocket"]["port"] == port["name"]
    assert port["containerPort"] == 10445
    if manifest["kind"] == "DaemonSet":
        template = manifest["spec"]["template"]
        assert manifest["spec"]["selector"]["matchLabels"].items() <= \
            template["metadata"]["labels"].items()


def in_container(manifest):
    """The words that run a command as the container may: as root, with these
    capabilities and no way to others."""
    context = sdtkit_of(manifest)["securityContext"]
    assert context["capabilities"]["drop"] == ["ALL"]
    added = ",".join("+" + name.lower()
                     for name in context["capabilities"]["add"])
    return ["setpriv", "--bounding-set=-all," + added, "--inh-caps=-all",
            "--no-new-privs"]


def test_options(build, manifest):
    """sdtkit serve knows them."""
    if not (build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    done = subprocess.run(
        [build / "lib/tool/sdtkit", "serve", "--check-config",
         *sdtkit_of(manifest)["args"]], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    assert "serves metrics and the page at 0.0.0.0" in done.stdout


def test_capabilities(build, manifest, unavailable, tmp_path):
    """With these, the service attaches to a program."""
    if not (build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    if os.geteuid() != 0:
        unavailable("sdtkit serve needs root")
    port = free_port()
    # by this name the service finds no server of another test
    name = "server-in-a-pod"
    shutil.copy(build / "examples/demo/demo-server", tmp_path / name)
    program = subprocess.Popen(
        [tmp_path / name, "--port", "0", tmp_path],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    program.stdout.readline()
    log = tmp_path / "log"
    service = subprocess.Popen(
        [*in_container(manifest), build / "lib/tool/sdtkit", "serve",
         "--listen=127.0.0.1:%d" % port, "--only=" + name],
        stderr=log.open("w"), stdout=subprocess.DEVNULL)

    def attached():
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/metrics" % port,
                                        timeout=LIMIT) as answer:
                return re.search(
                    rb'^sdtkit_spans_in_progress\{program="server-in-a-pod"',
                    answer.read(), re.MULTILINE)
        except OSError:
            return None

    try:
        end = time.monotonic() + LIMIT
        while not attached():
            assert service.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.2)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(LIMIT)
        program.terminate()
        program.wait(LIMIT)
        program.stdout.close()
