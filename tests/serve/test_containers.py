# SPDX-License-Identifier: BSD-2-Clause
"""Programs in containers: what the container is called, and that each span is
counted in the series of one."""

import os
import pathlib
import re
import subprocess

import pytest

from programs import which
from test_counted import (name_of_test, sdtkit, serve,      # noqa: F401
                          wait_until)
from test_discover import (compiled, copy, discover,        # noqa: F401
                           having, run)

ID = "0f3b5c9a7d1e2f4a6b8c0d9e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c"
OTHER = "9" * 64
UID = "3a7c9d1e-5b2f-4c8d-9e0a-1b2c3d4e5f60"
SLICE = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + \
    UID.replace("-", "_") + ".slice/"

# as found on hosts: what the kernel says, and container and pod
PATHS = {
    "none": ("0::/system.slice/postgresql.service", "", ""),
    "session": ("0::/user.slice/user-1000.slice/session-3.scope", "", ""),
    "root": ("0::/", "", ""),
    "docker with systemd": ("0::/system.slice/docker-%s.scope" % ID,
                            ID[:12], ""),
    "docker with cgroupfs": ("12:pids:/docker/%s\n0::/" % ID, ID[:12], ""),
    "docker in docker": ("0::/docker/%s/docker/%s" % (OTHER, ID), ID[:12], ""),
    "its init, with a namespace": ("0::/../docker-%s.scope/init" % ID,
                                   ID[:12], ""),
    "containerd": ("0::%scri-containerd-%s.scope" % (SLICE, ID), ID[:12], UID),
    "containerd, guaranteed": (
        "0::/kubepods.slice/kubepods-pod%s.slice/cri-containerd-%s.scope"
        % (UID.replace("-", "_"), ID), ID[:12], UID),
    "containerd with cgroupfs": (
        "11:memory:/kubepods/besteffort/pod%s/%s" % (UID, ID), ID[:12], UID),
    "containerd, slice and ID in one": (
        "5:cpu:/system.slice/containerd.service/kubepods-burstable-pod%s.slice"
        ":cri-containerd:%s" % (UID.replace("-", "_"), ID), ID[:12], UID),
    "static pod": ("0::/kubepods.slice/kubepods-burstable.slice/"
                   "kubepods-burstable-pod%s.slice/cri-containerd-%s.scope"
                   % (ID[:32], ID), ID[:12], ID[:32]),
    "kind": ("0::/docker/%s/kubelet.slice/kubelet-kubepods.slice/"
             "kubelet-kubepods-besteffort.slice/"
             "kubelet-kubepods-besteffort-pod%s.slice/cri-containerd-%s.scope"
             % (OTHER, UID.replace("-", "_"), ID), ID[:12], UID),
    "CRI-O": ("0::%scrio-%s.scope/container" % (SLICE, ID), ID[:12], UID),
    "CRI-O's monitor": ("0::%scrio-conmon-%s.scope" % (SLICE, ID), "", ""),
    "podman": ("0::/machine.slice/libpod-%s.scope/container" % ID,
               ID[:12], ""),
    "podman of a user": (
        "0::/user.slice/user-1000.slice/user@1000.service/user.slice/"
        "libpod-%s.scope" % ID, ID[:12], ""),
    "podman's pod": ("0::/machine.slice/machine-libpod_pod_%s.slice/"
                     "libpod-%s.scope" % (OTHER, ID), ID[:12], OTHER[:12]),
    "podman in a service": ("0::/system.slice/web.service/libpod-payload-" +
                            ID, ID[:12], ""),
    "podman with cgroupfs": ("7:cpu:/libpod_parent/libpod-" + ID, ID[:12], ""),
    "podman's monitor": ("0::/machine.slice/libpod-conmon-%s.scope" % ID,
                         "", ""),
    "nerdctl": ("0::/system.slice/nerdctl-%s.scope" % ID, ID[:12], ""),
    "nspawn": ("0::/machine.slice/machine-web\\x2d1.scope/payload/"
               "system.slice/nginx.service", "web-1", ""),
    "nspawn as a service": ("0::/machine.slice/systemd-nspawn@web.service/"
                            "payload", "web", ""),
    "LXC": ("0::/lxc.payload.web-2/system.slice/cron.service", "web-2", ""),
    "LXC's monitor": ("0::/lxc.monitor.web-2", "", ""),
    "LXC 3": ("0::/lxc.payload/web", "web", ""),
    "LXC of Proxmox": ("0::/lxc/101/ns/system.slice/ssh.service", "101", ""),
    "a name that does harm": ("0::/lxc.payload.\x1b[2J\"\\", "\\x1b[2J\"\\",
                              ""),
    "a UID that is none": (
        "0::/kubepods/pod../%s\n" % ID, ID[:12], ""),
    "an ID that is none": ("0::/system.slice/docker-%s.scope" % ID[:63], "",
                           ""),
    "nothing": ("", "", ""),
}


@pytest.mark.parametrize("name", PATHS)
def test_paths(build, name):
    program = build / "tests/serve/serve-discover"
    if not program.exists():
        pytest.skip("sdtkit top was not built: needs libbpf, clang, bpftool")
    text, container, pod = PATHS[name]
    done = subprocess.run([program, "-c"], input=text, stdout=subprocess.PIPE,
                          universal_newlines=True, check=True)
    assert done.stdout == "%s,%s\n" % (container, pod)


@pytest.fixture
def control_group(unavailable):
    """control_group(name): words that run a command in one of that name."""
    mounted = re.search(r"^\S+ (\S+) cgroup2 ",
                        pathlib.Path("/proc/mounts").read_text(), re.MULTILINE)
    if os.geteuid() != 0:
        unavailable("control groups need root")
    if mounted is None:
        pytest.skip("cgroup2 is not mounted")
    top = pathlib.Path(mounted.group(1)) / ("sdtkit-test-%d" % os.getpid())

    def make(name):
        path = top / name
        try:
            path.mkdir(parents=True)
        except OSError as error:
            pytest.skip("control groups cannot be made: %s" % error)
        return ["sh", "-c", "echo $$ >'%s/cgroup.procs' && exec \"$@\"" % path,
                "sh"]

    yield make

    def gone():
        try:
            for path, _, _ in os.walk(str(top), topdown=False):
                os.rmdir(path)
        except OSError:
            return False
        return True
    wait_until(gone, "%s is empty" % top)


def test_containers_of_an_image(discover, control_group, copy, run):
    """They share a file, and have a group each; the host has another one."""
    program = copy("shared")
    first, second = (run(*control_group("docker-%s.scope" % identifier),
                         "unshare", "-m", program)
                     for identifier in (ID, OTHER))
    outside = run(program)
    tool = discover()
    groups = {group.container: group for group in
              having(tool.look(), first.pid, second.pid, outside.pid)}
    assert {name: group.pids for name, group in groups.items()} == {
        ID[:12] + ",": [first.pid], OTHER[:12] + ",": [second.pid],
        ",": [outside.pid]}
    assert {len(group.names) for group in groups.values()} == {1}
    assert groups[","].others == 2
    second.end()
    after = {group.id: group for group in tool.look().groups
             if group.program == "shared"}
    assert after[groups[OTHER[:12] + ","].id].gone
    assert after[groups[","].id].gone       # another one counts from now on
    (outer,) = [group for group in after.values()
                if group.pids == [outside.pid]]
    assert outer.others == 1
    assert not after[groups[ID[:12] + ","].id].gone


def test_a_number_that_is_given_again(discover, control_group, copy, run):
    """The mount namespace of a container that has ended has the number of the
    next one: a process that is not traced keeps it between the two."""
    program, none = copy("again"), copy("idle", "NONE")
    keeper = run("unshare", "-m", none)

    def inside(identifier):
        return run(*control_group("docker-%s.scope" % identifier), "nsenter",
                   "--mount=/proc/%d/ns/mnt" % keeper.pid, program)

    first = inside(ID)
    tool = discover()
    (old,) = having(tool.look(), first.pid)
    assert old.container == ID[:12] + ","
    first.end()
    second = inside(OTHER)
    look = tool.look()
    (new,) = having(look, second.pid)
    assert new.container == OTHER[:12] + ","
    assert [group.gone for group in look.groups if group.id == old.id] == [True]
    # two names in a namespace at the same time are one container
    third = inside(ID)
    looks = [having(tool.look(), second.pid, third.pid) for _ in range(2)]
    assert [sorted(group.pids) for groups in looks for group in groups] == [
        sorted([second.pid, third.pid])] * 2
    assert looks[0][0].id == looks[1][0].id


def test_a_name_is_not_enough(discover, control_group, copy, run):
    """A user gives a control group the name of a container."""
    process = run(*control_group("docker-%s.scope" % ID), copy("poser"))
    (group,) = having(discover().look(), process.pid)
    assert group.container == ","


def bubblewrap(_):
    return ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc",
            "/proc", "--unshare-pid", "--"]


def nspawn(folder):
    root = folder / "root"
    for name in "etc", "usr", "proc", "sys", "dev", "run", "tmp":
        (root / name).mkdir(parents=True)
    for name in "bin", "lib", "lib64":
        (root / name).symlink_to("usr/" + name)
    (root / "etc" / "os-release").write_text("ID=test\n")
    return ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit",
            "--pipe", "--directory=%s" % root, "--bind-ro=/usr",
            "--bind-ro=%s" % folder, "--machine=test-%d" % os.getpid()]


@pytest.mark.parametrize("runtime, group, labels", [
    (bubblewrap, "kubepods-pod%s.slice/cri-containerd-%s.scope"
     % (UID.replace("-", "_"), ID), {"container": ID[:12], "pod": UID}),
    (nspawn, "machine-web.scope", {"container": "web"})],
    ids=["bubblewrap", "nspawn"])
def test_counted(serve, control_group, copy, run, unavailable, tmp_path,
                 runtime, group, labels):
    """A program in a container and outside: each has its spans."""
    name = name_of_test("k")
    program = copy(name)
    command = runtime(tmp_path)
    if which(command[0]) is None:
        unavailable("%s is not installed" % command[0])
    inside = run(*control_group(group), *command, program)
    outside = run(program)
    service = serve("--only=" + name)
    own = {"program": name, "provider": "work", "span": "work"}
    expected = [own, dict(own, **labels)]

    def attached():
        found = [labels for labels, _ in service.samples(
            "sdtkit_spans_in_progress", program=name)]
        return sorted(found, key=len) == expected

    wait_until(attached, "attached")
    for process, count in (inside, 7), (outside, 11):
        process.process.stdin.write("\n" * count)
        process.process.stdin.flush()
    wait_until(lambda: sorted(
        (len(found), count) for found, count in service.samples(
            "sdtkit_span_duration_seconds_count", program=name)) == [
        (4, 11), (4 + len(labels), 7)], "counted")
    assert service.samples("sdtkit_program_processes", program=name,
                           **labels) == [(dict(labels, program=name), 1)]
