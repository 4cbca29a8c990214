# SPDX-License-Identifier: BSD-2-Clause
"""tests/services/install, with programs of the test in place of apt-get and
what else it calls: nothing is started, neither now nor with the machine."""

import subprocess

import pytest

LIST = """/.
/lib/systemd/system/one.service
/usr/lib/systemd/system/two.timer
/lib/systemd/system/of-many@.service
/lib/systemd/system/one.service.d/more.conf
/etc/init.d/one
/usr/share/doc/one/README
"""
# a maintainer's script does what pcp's and prometheus's do
APT = """#!/bin/sh
echo "apt-get $3 $4 $5 $6 $7" >>"$LOG"
PATH=${2#DPkg::Path=}
systemctl start one.service && invoke-rc.d one start &&
    deb-systemd-invoke start one.service && service one start || exit 7
[ -z "$FAIL" ]
"""
PROGRAMS = {
    "apt-get": APT,
    "dpkg": "#!/bin/sh\ncat <<'END'\n%sEND\n" % LIST,
    "systemctl": '#!/bin/sh\necho "systemctl $*" >>"$LOG"\n',
    "update-rc.d": '#!/bin/sh\necho "update-rc.d $*" >>"$LOG"\n',
}


@pytest.fixture
def install(source, tmp_path):
    """install(FAIL=...): the script's exit status, and what it called."""
    (tmp_path / "bin").mkdir()
    for name, text in PROGRAMS.items():
        program = tmp_path / "bin" / name
        program.write_text(text)
        program.chmod(0o755)
    (tmp_path / "tmp").mkdir()

    def run(fail=""):
        log = tmp_path / "log"
        done = subprocess.run(
            [source / "tests" / "services" / "install", "one"],
            env={"PATH": "%s/bin:/usr/bin:/bin" % tmp_path, "LOG": str(log),
                 "TMPDIR": str(tmp_path / "tmp"), "FAIL": fail})
        return done.returncode, log.read_text()
    return run


@pytest.mark.parametrize("fail", ["", "yes"])
def test_starts_nothing(install, tmp_path, fail):
    status, log = install(fail)
    assert (status, log) == (
        1 if fail else 0,
        "apt-get install -y -q --no-install-recommends one\n"
        "systemctl --quiet disable one.service\n"
        "systemctl --quiet disable two.timer\n"
        "update-rc.d one disable\n")
    assert not list((tmp_path / "tmp").iterdir())
