# SPDX-License-Identifier: BSD-2-Clause
"""CREATE to CLOSE on real files, and attempts to get out of the directory."""

import os
import struct

import pytest

import demo_wire as w


ESCAPES = {
    "..": w.OBJECT_PATH_SYNTAX_BAD,
    "..\\secret": w.OBJECT_PATH_SYNTAX_BAD,
    "..\\..\\..\\..\\etc\\passwd": w.OBJECT_PATH_SYNTAX_BAD,
    "dir\\..\\..\\secret": w.OBJECT_PATH_SYNTAX_BAD,
    "dir\\..": w.OBJECT_PATH_SYNTAX_BAD,
    "../secret": w.OBJECT_NAME_INVALID,
    "dir/../../secret": w.OBJECT_NAME_INVALID,
    "/etc/passwd": w.OBJECT_NAME_INVALID,
    "\\etc\\passwd": w.INVALID_PARAMETER,
    "\\..\\secret": w.INVALID_PARAMETER,
    "C:\\secret": w.OBJECT_NAME_INVALID,
    "file:stream": w.OBJECT_NAME_INVALID,
    ".": w.OBJECT_NAME_INVALID,
    ".\\file": w.OBJECT_NAME_INVALID,
    "dir\\": w.OBJECT_NAME_INVALID,
    "dir\\\\file": w.OBJECT_NAME_INVALID,
    "file\0": w.OBJECT_NAME_INVALID,
    "..\0\\file": w.OBJECT_NAME_INVALID,
    "file\n": w.OBJECT_NAME_INVALID,
    "fil?": w.OBJECT_NAME_INVALID,
    "fil*": w.OBJECT_NAME_INVALID,
    "\ud800": w.OBJECT_NAME_INVALID,
    "\udc00x": w.OBJECT_NAME_INVALID,
    "x" * 256: w.OBJECT_NAME_INVALID,
    "x" * 256 + "\\y": w.OBJECT_NAME_INVALID,
    "a\\" * 600 + "b": w.OBJECT_NAME_INVALID,
    "file\\file": w.OBJECT_PATH_NOT_FOUND,
    "missing\\file": w.OBJECT_PATH_NOT_FOUND,
    "link": w.ACCESS_DENIED,
    "link-to-file": w.ACCESS_DENIED,
    "linkdir\\secret": w.OBJECT_PATH_NOT_FOUND,
    "linkdir\\new": w.OBJECT_PATH_NOT_FOUND,
    "dangling": w.ACCESS_DENIED,
}


@pytest.fixture
def tree(server):
    """The directory with things in it, and a secret beside it."""
    top = server.directory
    (top / "file").write_text("content")
    (top / "dir").mkdir()
    (top / "dir" / "inner").write_text("inner")
    outside = top.parent / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (top.parent / "secret").write_text("secret")
    (top / "link").symlink_to("../secret")
    (top / "link-to-file").symlink_to("file")
    (top / "linkdir").symlink_to(outside)
    (top / "dangling").symlink_to(outside / "new")
    os.mkfifo(top / "fifo")
    return top


@pytest.mark.parametrize("disposition", range(6))
@pytest.mark.parametrize("name", ESCAPES)
def test_escape(connection, tree, name, disposition):
    before = sorted(tree.parent.rglob("*"))
    status, _ = connection.create(name, w.READ_DATA | w.WRITE_DATA,
                                  disposition)
    expected = ESCAPES[name]
    if disposition == w.CREATE_NEW and expected == w.ACCESS_DENIED:
        expected = w.OBJECT_NAME_COLLISION      # the link is in the way
    assert hex(status) == hex(expected)
    assert sorted(tree.parent.rglob("*")) == before
    assert (tree.parent / "secret").read_text() == "secret"
    assert (tree.parent / "outside" / "secret").read_text() == "secret"


@pytest.mark.parametrize("name", ["..", "..\\new", "linkdir\\new", "link"])
@pytest.mark.parametrize("options", [w.DIRECTORY, w.DELETE_ON_CLOSE,
                                     w.DIRECTORY | w.DELETE_ON_CLOSE])
def test_escape__directories_and_deletion(connection, tree, name, options):
    before = sorted(tree.parent.rglob("*"))
    for disposition in (w.OPEN, w.CREATE_NEW, w.OPEN_IF):
        status, _ = connection.create(name, w.DELETE, disposition, options)
        assert status != w.OK
    assert sorted(tree.parent.rglob("*")) == before


def test_escape__odd_name_length(connection):
    body = bytearray(w.create_body("file"))
    body[46] = 7                                # NameLength
    assert connection.call(w.CREATE, bytes(body)).status == \
        w.OBJECT_NAME_INVALID


def test_escape__directory_replaced_by_link(connection, tree):
    """Deleting walks the name again; by then it may lead elsewhere."""
    (tree.parent / "outside" / "inner").write_text("precious")
    fid = connection.open("dir\\inner", w.READ_DATA | w.DELETE, w.OPEN,
                          w.DELETE_ON_CLOSE)
    (tree / "dir").rename(tree / "moved")
    (tree / "dir").symlink_to(tree.parent / "outside")
    assert connection.call(w.CLOSE, w.close_body(fid)).status == \
        w.OBJECT_PATH_NOT_FOUND
    assert (tree.parent / "outside" / "inner").read_text() == "precious"


def test_special_files_are_refused(connection, tree):
    for access in (w.READ_DATA, w.WRITE_DATA, w.READ_DATA | w.WRITE_DATA):
        assert connection.create("fifo", access)[0] == w.ACCESS_DENIED
    assert connection.call(w.ECHO, w.EMPTY).status == w.OK


# disposition: (status, CreateAction, length) for a file that exists, or not
DISPOSITIONS = {
    w.SUPERSEDE: ((w.OK, 0, 0), (w.OK, 2, 0)),
    w.OPEN: ((w.OK, 1, 7), (w.OBJECT_NAME_NOT_FOUND, None, None)),
    w.CREATE_NEW: ((w.OBJECT_NAME_COLLISION, None, 7), (w.OK, 2, 0)),
    w.OPEN_IF: ((w.OK, 1, 7), (w.OK, 2, 0)),
    w.OVERWRITE: ((w.OK, 3, 0), (w.OBJECT_NAME_NOT_FOUND, None, None)),
    w.OVERWRITE_IF: ((w.OK, 3, 0), (w.OK, 2, 0)),
}


@pytest.mark.parametrize("disposition", DISPOSITIONS)
@pytest.mark.parametrize("exists", [True, False])
def test_create__disposition(connection, tree, disposition, exists):
    name = "file" if exists else "new"
    status, action, length = DISPOSITIONS[disposition][0 if exists else 1]
    reply = connection.call(w.CREATE, w.create_body(
        name, w.READ_DATA | w.WRITE_DATA, disposition))
    assert reply.status == status
    if status == w.OK:
        assert struct.unpack_from("<I", reply.body, 4) == (action,)
        assert struct.unpack_from("<Q", reply.body, 48) == (length,)
    if length is None:
        assert not (tree / name).exists()
    else:
        assert (tree / name).stat().st_size == length


def test_create__unicode(connection, tree):
    connection.open("gr\u00fc\u00dfe \u20ac \U0001f600", w.WRITE_DATA,
                    w.CREATE_NEW)
    assert (tree / "gr\u00fc\u00dfe \u20ac \U0001f600").exists()


def test_create__directories(connection, tree):
    create = connection.create
    assert create("new", w.READ_DATA, w.CREATE_NEW, w.DIRECTORY)[0] == w.OK
    assert (tree / "new").is_dir()
    assert create("dir", w.READ_DATA, w.OPEN)[0] == w.OK
    assert create("dir", w.WRITE_DATA, w.OPEN)[0] == w.OK
    assert create("dir", w.READ_DATA, w.CREATE_NEW, w.DIRECTORY)[0] == \
        w.OBJECT_NAME_COLLISION
    for access in (w.READ_DATA, w.WRITE_DATA):
        assert create("dir", access, w.OPEN, w.NON_DIRECTORY)[0] == \
            w.FILE_IS_A_DIRECTORY
    assert create("file", w.READ_DATA, w.OPEN, w.DIRECTORY)[0] == \
        w.NOT_A_DIRECTORY
    assert create("", w.READ_DATA, w.OPEN)[0] == w.OK
    assert create("", w.DELETE, w.OPEN, w.DELETE_ON_CLOSE)[0] == \
        w.ACCESS_DENIED


def test_create__too_many_open_files(connection, tree):
    fids = [connection.open("file") for _ in range(256)]
    assert len(set(fids)) == 256
    assert connection.create("file")[0] == w.TOO_MANY_OPENED_FILES
    assert connection.call(w.CLOSE, w.close_body(fids[7])).status == w.OK
    assert connection.open("file") not in fids
    assert connection.call(w.CLOSE, w.close_body(fids[7])).status == \
        w.FILE_CLOSED


def test_close__deletes(connection, tree):
    delete = (w.DELETE, w.OPEN, w.DELETE_ON_CLOSE)
    assert connection.create("file", w.READ_DATA, *delete[1:])[0] == \
        w.ACCESS_DENIED
    fid = connection.open("file", *delete)
    assert (tree / "file").exists()
    assert connection.call(w.CLOSE, w.close_body(fid)).status == w.OK
    assert not (tree / "file").exists()
    fid = connection.open("dir", *delete)
    assert connection.call(w.CLOSE, w.close_body(fid)).status == \
        w.DIRECTORY_NOT_EMPTY


def test_close__full_information(connection, tree):
    fid = connection.open("file")
    reply = connection.call(w.CLOSE, w.close_body(fid, flags=1))
    assert struct.unpack_from("<H", reply.body, 2) == (1,)
    assert struct.unpack_from("<QI", reply.body, 48) == (7, 0x80)
    assert connection.call(w.CLOSE, w.close_body(fid)).status == w.FILE_CLOSED


def test_read_and_write(connection, tree):
    fid = connection.open("file", w.READ_DATA | w.WRITE_DATA)

    def read(*args):
        reply = connection.call(w.READ, w.read_body(fid, *args))
        return reply.data if reply.status == w.OK else reply.status

    def write(*args, **kwargs):
        return connection.call(w.WRITE, w.write_body(fid, *args,
                                                     **kwargs)).status
    assert read(100) == b"content"
    assert read(4, 3) == b"tent"
    assert read(0) == b""
    assert read(1, 7) == w.END_OF_FILE
    assert read(100, 0, 8) == w.END_OF_FILE
    assert read(65537) == w.INVALID_PARAMETER
    assert read(0xffffffff) == w.INVALID_PARAMETER
    assert read(1, 2 ** 63 - 1) == w.INVALID_PARAMETER
    assert read(1, 2 ** 64 - 1) == w.INVALID_PARAMETER
    assert write(b"") == w.OK
    assert write(b"CON") == w.OK
    assert write(b"!", 9) == w.OK
    assert read(100) == b"CONtent\0\0!"
    assert write(b"x", 2 ** 63) == w.INVALID_PARAMETER
    assert write(b"x", length=2) == w.INVALID_PARAMETER
    assert write(b"x", length=0xffffffff) == w.INVALID_PARAMETER
    assert write(b"x", data_offset=0) == w.INVALID_PARAMETER
    assert write(b"x", data_offset=111) == w.INVALID_PARAMETER
    assert write(b"x", data_offset=0xffff) == w.INVALID_PARAMETER
    assert (tree / "file").read_bytes() == b"CONtent\0\0!"


def test_access_is_checked(connection, tree):
    reader = connection.open("file", w.READ_DATA)
    writer = connection.open("file", w.WRITE_DATA)
    neither = connection.open("file", w.DELETE)
    for fid in (writer, neither):
        assert connection.call(w.READ, w.read_body(fid, 1)).status == \
            w.ACCESS_DENIED
    for fid in (reader, neither):
        assert connection.call(w.WRITE, w.write_body(fid, b"x")).status == \
            w.ACCESS_DENIED


def test_query_info(connection, tree):
    os.utime(tree / "file", (1000, 2000))
    fid = connection.open("file")

    def query(*args, **kwargs):
        reply = connection.call(w.QUERY_INFO, w.query_info_body(
            fid, *args, **kwargs))
        if reply.status != w.OK:
            return reply.status
        offset, length = struct.unpack_from("<HI", reply.body, 2)
        return reply.body[offset - 64:offset - 64 + length]
    epoch = 11644473600
    assert struct.unpack("<QQQQII", query(4))[:3] == (
        (epoch + 2000) * 10 ** 7, (epoch + 1000) * 10 ** 7,
        (epoch + 2000) * 10 ** 7)
    assert struct.unpack("<QQIBBH", query(5))[1:] == (7, 1, 0, 0, 0)
    assert query(18) == query(4) + query(5) + struct.pack(
        "<QIIQIII", (tree / "file").stat().st_ino, 0, 0x1f01ff, 0, 0, 0, 0)
    assert struct.unpack("<QQQQQQII", query(34))[5:] == (7, 0x80, 0)
    assert query(99) == w.INVALID_INFO_CLASS
    assert query(5, info_type=2) == w.NOT_SUPPORTED
    assert query(5, length=23) == w.INFO_LENGTH_MISMATCH
    fid = connection.open("dir")
    assert struct.unpack("<QQIBBH", query(5))[1:] == (0, 2, 0, 1, 0)
