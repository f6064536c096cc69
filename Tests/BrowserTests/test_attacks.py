"""Tests of attacks: the server rejects them or shows them as text, and continues to serve requests."""

import json
import os
import pathlib
import plistlib
import random
import sqlite3
import subprocess
import urllib.request

import pytest

from server import MODEL, TOOL, Server, arguments, children, code, make_store, resident, wait


def test_no_token(server):
    other = "y" if server.path[1] == "x" else "x"
    for path in [
        "/",
        "/index.html",
        "/api/run",
        f"/{other}{server.path[2:]}",
        server.path[:-1],
    ]:
        assert code(server.request(path=path)) == 404, path
    assert b"storetool browse" in server.request(path="/")


def test_other_host(server):
    name = f":{server.port}"
    for host in [
        "evil.example" + name,
        "127.0.0.1.evil.example" + name,
        "127.0.0.1",
        "",
    ]:
        assert code(server.request(path=server.path, host=host)) == 421, host
    assert code(server.request(path=server.path, host="localhost" + name)) == 200


def test_other_origin(server):
    for origin in ["http://evil.example", "null", f"http://localhost:{server.port}"]:
        server.run("info", status=403, Origin=origin)
    answer = server.request(path=server.path + "main.js", Sec_Fetch_Site="cross-site")
    assert code(answer) == 403
    preflight = server.request(
        "OPTIONS", server.path + "api/run", Origin="http://evil.example"
    )
    assert code(preflight) == 403
    assert b"access-control" not in preflight.lower()


def test_form_of_another_page(server):
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ]:
        server.run("info", status=415, **{"Content-Type": kind})


def test_nothing_is_done_by_get(server):
    query = 'api/run?words=["batch-delete","Item","--all"]'.replace('"', "%22")
    assert code(server.request(path=server.path + query)) == 405


def test_paths_out_of_the_assets(server):
    for name in [
        "../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
        "....//etc/passwd", "main.js/../../x", "C:\\windows\\win.ini", "views/%00", "a" * 3000,
    ]:  # fmt: skip
        answer = server.request(path=server.path + name)
        assert code(answer) in (400, 404), name
        assert b"root:" not in answer


def test_words_that_are_not_the_page_s(server):
    for words in [
        ["create", "/tmp/x.sqlite"], ["compact"], ["migrate", "run"], ["each", "--", "verify"],
        ["page-run", "create", "/tmp/x.sqlite"], ["fetch", "Item", "--store=/etc/passwd"],
        ["fetch", "Item", "--model=/etc/passwd"], ["verify", "--repair"], ["history", "--prune"],
        ["model", "diagram", "--output=/tmp/x"], ["batch-delete", "Item", "--all"], [], [""],
        ["insert", "Item", "name=x", "--dry-run"], ["batch-insert", "Item", "/etc/passwd"],
    ]:  # fmt: skip
        server.run(*words, status=400)


def test_requests_that_are_no_requests(server):
    own = {"Origin": f"http://{server.host}", "Content-Type": "application/json"}
    for body in [
        b"", b"{", b"[]", b"null", b'{"words":"fetch"}', b'{"words":[1]}', b'{"words":["info"],"store":9}',
        b'{"words":["info"],"store":-1}', b'{"words":["info"],"store":1e99}', b"\xff\xfe", b"[" * 100_000,
        b'{"words":["info"],"store":99999999999999999999}',
    ]:  # fmt: skip
        answer = server.request("POST", server.path + "api/run", body=body, **own)
        assert code(answer) == 400, body[:40]
    for words in [[], ["a"], "x", None, {"a": 1}]:
        body = json.dumps({"words": words, "store": 0, "ticket": {"a": []}}).encode()
        assert (
            code(server.request("POST", server.path + "api/run", body=body, **own))
            == 400
        )


def test_sizes_are_bounded(server):
    own = {"Origin": f"http://{server.host}", "Content-Type": "application/json"}
    body = json.dumps(
        {"words": ["fetch", "Item", "--where=" + "x" * (2 << 20)]}
    ).encode()
    assert code(server.request("POST", server.path + "api/run", body=body, **own)) in (
        0,
        413,
    )
    assert code(server.request(path=server.path, X="y" * 100_000)) in (0, 400, 431)
    many = {f"X-{number}": "y" for number in range(500)}
    assert code(server.request(path=server.path, **many)) in (0, 400, 431)
    assert code(server.request(path="/" + "a" * (1 << 20))) in (0, 400, 404, 414)
    # A header without an end.
    with server.connect() as connection:
        connection.sendall(f"GET {server.path} HTTP/1.1\r\nX: ".encode())
        with pytest.raises(OSError):
            for _ in range(2000):
                connection.sendall(b"y" * 10_000)
    assert server.is_alive


def test_what_is_no_http(server):
    source = random.Random(1)
    for _ in range(200):
        noise = source.randbytes(source.randrange(1, 400))
        assert code(server.send(noise, is_all=True)) in (0, 400)
    for request in [
        b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz",
        b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]:  # fmt: skip
        assert code(server.send(request, is_all=True)) in (0, 400, 404, 421, 505), (
            request
        )
    assert server.is_alive


def test_values_are_text(tmp_path):
    store = make_store(tmp_path, rows=1)
    nasty = "<script>alert(1)</script>\u202e'\"&\r\n{\"end\":{}}"
    words = [
        TOOL,
        "insert",
        f"--store={store}",
        f"--model={MODEL}",
        "Item",
        f"name={nasty}",
    ]
    subprocess.run(words, check=True, capture_output=True)
    huge = tmp_path / "huge.ndjson"
    huge.write_text(json.dumps({"name": "x" * 30_000_000}) + "\n")
    words = [
        TOOL,
        "batch-insert",
        f"--store={store}",
        f"--model={MODEL}",
        "Item",
        str(huge),
    ]
    subprocess.run(words, check=True, capture_output=True)
    server = Server(store)
    try:
        answer = server.run("page-rows", "Item")
        head, _, row, long = [frame["row"] for frame in answer if "row" in frame]
        name = [column["name"] for column in head["columns"]].index("name")
        assert row["cells"][name] == nasty
        assert long["cells"][name] == {"text": "x" * 200, "length": 30_000_000}
        assert answer[-1]["end"]["status"] == 0
        whole = server.run(
            "fetch", "Item", "--select=name", "--where=name BEGINSWITH 'xx'"
        )
        (row,) = [frame["row"] for frame in whole if "row" in frame]
        assert len(row["name"]) == 30_000_000
        assert resident(server.process.pid) < 80 << 20
    finally:
        server.stop()


def test_hostile_stores(tmp_path):
    source = random.Random(2)
    good = make_store(tmp_path).read_bytes()
    for number in range(12):
        store = tmp_path / f"bad{number}.sqlite"
        content = bytearray(good)
        for _ in range(source.randrange(1, 400)):
            content[source.randrange(100, len(content))] = source.randrange(256)
        store.write_bytes(content)
        server = Server(store)
        if not server.address:
            assert server.process.wait(10) in (65, 66, 74, 78), (
                "the exit status reports why the store can't be opened"
            )
            continue
        try:
            for words in [
                ["info"],
                ["page-rows", "Item"],
                ["page-keys", "Item"],
                ["verify"],
                ["page-model"],
            ]:
                assert "end" in server.run(*words)[-1]
            assert server.process.poll() is None
        finally:
            server.stop()
        assert store.read_bytes() == bytes(content), "reading has changed the store"


def test_no_model(tmp_path):
    server = Server(make_store(tmp_path), model=tmp_path)
    try:
        assert "diagnostic" in server.run("page-model")[0]
        assert code(server.request(path=server.path)) == 200
    finally:
        server.stop()


def test_looking_leaves_no_trace(tmp_path):
    store = make_store(tmp_path)
    folder = tmp_path / "only"
    folder.mkdir()
    store = pathlib.Path(store).rename(folder / "Todo.sqlite")
    before = (store.read_bytes(), store.stat().st_mtime_ns, folder.stat().st_mtime_ns)
    server = Server(store, "--write")
    try:
        for words in [
            ["page-model"], ["page-rows", "Item"], ["page-keys", "Item"], ["info"], ["verify"], ["history"],
            ["migrate", "status"], ["show", "Item/p1"], ["explain", "fetch", "Item"], ["templates"],
            ["batch-update", "Item", "done=true", "--dry-run"], ["batch-delete", "Item", "--all", "--dry-run"],
            ["verify", "--repair", "--dry-run"], ["insert", "Item", "name=x", "--dry-run"],
        ]:  # fmt: skip
            server.run(*words)
    finally:
        server.stop()
    assert (
        store.read_bytes(),
        store.stat().st_mtime_ns,
        folder.stat().st_mtime_ns,
    ) == before
    assert [path.name for path in folder.iterdir()] == ["Todo.sqlite"]


def test_the_policy_is_on_every_answer(server):
    for path in [server.path, server.path + "main.js", server.path + "nothing", "/"]:
        head = server.request(path=path).split(b"\r\n\r\n")[0].lower()
        for line in [
            b"content-security-policy: default-src 'none';", b"x-content-type-options: nosniff",
            b"referrer-policy: no-referrer", b"cache-control: no-store", b"frame-ancestors 'none'",
        ]:  # fmt: skip
            assert line in head, (path, line)


def test_the_address_is_taken(server, tmp_path):
    words = [TOOL, "browse", "--no-open", "--port", str(server.port), "--store", str(make_store(tmp_path))]
    taken = subprocess.run(words, capture_output=True, text=True, check=False)
    assert taken.returncode == 74
    assert "browse.not-listening" in taken.stderr


def test_every_start_has_another_token(tmp_path):
    store = make_store(tmp_path)
    servers = [Server(store) for _ in range(3)]
    for one in servers:
        one.stop()
    assert len({one.path for one in servers}) == 3
    assert all(len(one.path) == 24 for one in servers)


def test_the_page_is_served(server):
    with urllib.request.urlopen(server.address) as answer:
        assert answer.read().startswith(b"<!doctype html>")


def test_what_a_browser_does_not_send(server):
    own = {"Origin": f"http://{server.host}", "Content-Type": "application/json"}
    body = json.dumps({"words": ["info"]}).encode()
    expecting = server.request("POST", f"{server.path}api/run", body=body, Expect="100-continue", **own)
    assert code(expecting) == 417
    old = server.send(f"GET {server.path} HTTP/1.0\r\nHost: {server.host}\r\n\r\n".encode())
    assert code(old) == 505
    wrong = server.send(b"NO REQUEST\r\n\r\n")
    assert code(wrong) == 400
    for answer in [expecting, old, wrong]:
        assert b"content-security-policy: default-src 'none';" in answer.split(b"\r\n\r\n")[0].lower()
    assert server.is_alive


def test_command_lines_tell_nothing(tmp_path):
    """All users of a computer can read command lines.

    The command line of the opener contains only a file of the user, and the command lines of commands don't contain
    values.
    """
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    opener.chmod(0o755)
    environment = {"DISPLAY": ":0", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    server = Server(make_store(tmp_path), environment=environment)
    try:
        wait(lambda: (tmp_path / "opened").exists() and (tmp_path / "opened").read_text().endswith("\n"))
        opened = (tmp_path / "opened").read_text().strip()
        token = server.path.strip("/")
        page = pathlib.Path(opened)
        assert token not in opened
        assert page.stat().st_mode & 0o777 == 0o600
        assert f'content="0; url={server.address}"' in page.read_text()
        with server.connect() as connection:
            connection.sendall(server.posted("fetch", "Item", "--watch", "--where=name != 'secret'"))
            # The opener may still be running as a child process.
            wait(lambda: any(b"page-run" in arguments(child) for child in children(server.process.pid)))
            assert not any(b"secret" in arguments(child) for child in children(server.process.pid))
    finally:
        server.stop()
    assert not page.exists()


def test_no_browser_is_opened_over_ssh(tmp_path):
    """The browser's window would open on the screen of another computer."""
    opener = tmp_path / "xdg-open"
    opener.write_text("#!/bin/sh\nkill $PPID\n")
    opener.chmod(0o755)
    variables = {
        "DISPLAY": ":0", "PATH": f"{tmp_path}:{os.environ['PATH']}", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22",
    }
    words = [TOOL, "browse", str(make_store(tmp_path)), f"--model={MODEL}"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | variables
    ) as process:
        assert any("open this address in a browser" in line for line in process.stdout)
        process.terminate()


def test_a_value_that_names_one_text_a_thousand_times(tmp_path):
    """The value has 58 kB, but would have 380 MB as JSON."""
    value = plistlib.dumps(["x" * 20_000] * 19_000, fmt=plistlib.FMT_BINARY)
    assert len(value) < 100_000
    model = tmp_path / "Bin.xcdatamodeld/Bin.xcdatamodel"
    model.mkdir(parents=True)
    (model / "contents").write_text(
        '<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">'
        '<entity name="Item"><attribute name="data" optional="YES" attributeType="Binary"/></entity></model>')
    words = ["--store", str(tmp_path / "Bin.sqlite"), "--model", str(model.parent)]
    subprocess.run([TOOL, "create", str(tmp_path / "Bin.sqlite"), *words[2:]], check=True, capture_output=True)
    subprocess.run([TOOL, "insert", "Item", *words], check=True, capture_output=True)
    with sqlite3.connect(tmp_path / "Bin.sqlite") as connection:
        connection.execute("UPDATE ZITEM SET ZDATA = ?", (value,))
    connection.close()
    server = Server(tmp_path / "Bin.sqlite", model=model.parent)
    try:
        assert [list(frame) for frame in server.run("page-plain", "Item/p1", "data")] == [["end"]]
        assert server.run("page-rows", "Item")[1]["row"]["cells"] == [{"bytes": len(value), "kind": "plist"}]
    finally:
        server.stop()
