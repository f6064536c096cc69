"""What others may try on the server: refused, or shown as text, and the server goes on serving."""

import json
import os
import pathlib
import random
import resource
import socket
import subprocess
import threading
import time
import urllib.request

import pytest

TOOL = os.environ["STORETOOL"]
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODEL = REPOSITORY / "Models/Todo.xcdatamodeld"


class Server:
    """A server of 'storetool browse', spoken to byte by byte."""

    def __init__(self, store, *options, model=MODEL):
        words = [TOOL, "browse", str(store), "--no-open", *options]
        words += [f"--model={model}"] if model else []
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            return
        self.host = self.address.split("/")[2]
        self.path = self.address.split(self.host)[1]
        self.port = int(self.host.rsplit(":", 1)[1])

    def stop(self):
        self.process.terminate()
        self.process.wait(10)

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def send(self, request: bytes, is_all=False) -> bytes:
        """The whole answer to some bytes.

        is_all: nothing more will be sent, so that what is no request is not waited for.
        """
        with self.connect() as connection:
            try:
                connection.sendall(request)
                if is_all:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = b""
            try:
                while part := connection.recv(1 << 16):
                    answer += part
            except ConnectionResetError:
                pass
            return answer

    def request(self, method="GET", path="", host=None, body=None, **headers):
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"Host: {self.host if host is None else host}", "Connection: close"]
        lines += [
            f"{name.replace('_', '-')}: {value}" for name, value in headers.items()
        ]
        if body is not None:
            lines += [f"Content-Length: {len(body)}"]
        return self.send("\r\n".join([*lines, "", ""]).encode() + (body or b""))

    def run(self, *words, status=200, **headers):
        """The frames of the answer to the page's own request."""
        body = json.dumps({"words": list(words)}).encode()
        own = {
            "Origin": f"http://{self.host}",
            "Content-Type": "application/json",
        } | headers
        answer = self.request("POST", f"{self.path}api/run", body=body, **own)
        assert code(answer) == status, answer[:300]
        return frames(answer) if status == 200 else []

    @property
    def is_alive(self):
        rows = [
            frame
            for frame in self.run("page-rows", "Item", "--limit=1")
            if "row" in frame
        ]
        return len(rows) == 2 and self.process.poll() is None


def code(answer: bytes) -> int:
    """The status; 0 where the connection was closed without an answer."""
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def frames(answer: bytes) -> list:
    body = answer.split(b"\r\n\r\n", 1)[1]
    # Chunks of the transfer stand between lines of their lengths.
    text = b""
    while body:
        length, _, body = body.partition(b"\r\n")
        size = int(length, 16)
        text += body[:size]
        body = body[size + 2 :]
        if size == 0:
            break
    return [json.loads(line) for line in text.splitlines()]


def make_store(folder: pathlib.Path, rows=20) -> pathlib.Path:
    store = folder / "Todo.sqlite"
    subprocess.run(
        [TOOL, "create", store, f"--model={MODEL}"], check=True, capture_output=True
    )
    words = [
        TOOL,
        "seed",
        f"--store={store}",
        f"--model={MODEL}",
        f"Item={rows}",
        "--seed=1",
    ]
    subprocess.run(words, check=True, capture_output=True)
    return store


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(make_store(tmp_path_factory.mktemp("attacks")))
    yield server
    server.stop()


def test_no_token(server):
    for path in [
        "/",
        "/index.html",
        "/api/run",
        "/x" + server.path[2:],
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
    # A header that never ends.
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


def test_thousands_of_connections(server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    open_ones = []
    try:
        for _ in range(3000):
            try:
                open_ones.append(server.connect())
            except OSError:
                continue
        assert server.process.poll() is None
        memory = resident(server.process.pid)
        assert memory < 80 << 20, memory
    finally:
        for connection in open_ones:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    wait(lambda: server.is_alive)


def test_connections_that_say_nothing_are_closed(server):
    with server.connect(timeout=40) as connection:
        connection.sendall(b"GET / HT")
        assert connection.recv(100) == b""


def test_a_client_that_does_not_read_holds_nobody_up(server):
    body = json.dumps({"words": ["page-changes"]}).encode()
    head = f"POST {server.path}api/run HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    silent = []
    for _ in range(10):
        connection = server.connect()
        connection.sendall(head.encode() + body)
        silent.append(connection)
    wait(lambda: len(children(server.process.pid)) == 10)
    assert server.is_alive
    for connection in silent:
        connection.close()
    # Who is gone has no process left.
    wait(lambda: not children(server.process.pid))


def test_too_much_at_once_is_refused_and_passes(server):
    body = json.dumps({"words": ["page-changes"]}).encode()
    head = f"POST {server.path}api/run HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    busy = []
    for _ in range(16):
        connection = server.connect()
        connection.sendall(head.encode() + body)
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        busy.append(connection)
    server.run("info", status=503)
    # A connection that a command held would not end when the server closes it.
    wait(lambda: not any(sockets(process) for process in children(server.process.pid)))
    for connection in busy:
        connection.close()
    wait(lambda: not children(server.process.pid))
    assert server.is_alive


def sockets(process: int) -> list[str]:
    links = [str(one.readlink()) for one in pathlib.Path(f"/proc/{process}/fd").iterdir()]
    return [link for link in links if link.startswith("socket:")]


def test_values_are_text(tmp_path):
    store = make_store(tmp_path, rows=1)
    nasty = (
        "<script>alert(1)</script>\u202e\u0000".replace("\u0000", "")
        + '\'"&\r\n{"end":{}}'
    )
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
        assert len(whole[0]["row"]["name"]) == 30_000_000
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
                "it says why it can't be opened"
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
        assert store.read_bytes() == bytes(content), "looking has changed it"


def test_no_model(tmp_path):
    server = Server(make_store(tmp_path), model=tmp_path)
    try:
        assert "diagnostic" in server.run("page-model")[0]
        assert code(server.request(path=server.path)) == 200
    finally:
        server.stop()


def test_nothing_is_left_when_it_is_killed(tmp_path):
    server = Server(make_store(tmp_path))
    body = json.dumps({"words": ["page-changes"]}).encode()
    head = f"POST {server.path}api/run HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(head.encode() + body)
        wait(lambda: children(server.process.pid))
        (child,) = children(server.process.pid)
        server.process.kill()
        server.process.wait()
        wait(lambda: not is_running(child))


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
            ["verify", "--repair", "--dry-run"],
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


def test_requests_at_the_same_time(server):
    answers = []

    def ask():
        answers.append(
            server.run("page-rows", "Item", "--limit=20")[-1]["end"]["status"]
        )

    for _ in range(5):
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [0] * 40


def test_the_policy_is_on_every_answer(server):
    for path in [server.path, server.path + "main.js", server.path + "nothing", "/"]:
        head = server.request(path=path).split(b"\r\n\r\n")[0].lower()
        for line in [
            b"content-security-policy: default-src 'none';", b"x-content-type-options: nosniff",
            b"referrer-policy: no-referrer", b"cache-control: no-store", b"frame-ancestors 'none'",
        ]:  # fmt: skip
            assert line in head, (path, line)


def test_the_address_is_taken(server):
    words = [TOOL, "browse", "--no-open", "--port", str(server.port), "--store", "x"]
    taken = subprocess.run(words, capture_output=True, text=True, check=False)
    assert taken.returncode != 0


def test_every_start_has_another_token(tmp_path):
    store = make_store(tmp_path)
    servers = [Server(store) for _ in range(3)]
    for one in servers:
        one.stop()
    assert len({one.path for one in servers}) == 3
    assert all(len(one.path) == 24 for one in servers)


def children(process: int) -> list[int]:
    found = []
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        found += [int(word) for word in (thread / "children").read_text().split()]
    return found


def is_running(process: int) -> bool:
    try:
        state = (
            pathlib.Path(f"/proc/{process}/stat")
            .read_text()
            .rsplit(")", 1)[1]
            .split()[0]
        )
    except FileNotFoundError:
        return False
    return state != "Z"


def resident(process: int) -> int:
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    return next(
        int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS")
    )


def wait(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.05)


def test_the_page_is_served(server):
    with urllib.request.urlopen(server.address) as answer:
        assert answer.read().startswith(b"<!doctype html>")
