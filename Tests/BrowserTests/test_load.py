"""Tests of many silent, slow or large connections: the server's memory stays small, and it serves other clients."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import threading
import time

from server import MODEL, TOOL, Server, children, is_running, make_store, resident, sockets, wait


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


def test_a_client_that_does_not_read_holds_nobody_up(tmp_path):
    """Each client requests thirty megabytes. The server doesn't buffer them, but sends them as the client reads."""
    store = make_store(tmp_path)
    huge = tmp_path / "huge.ndjson"
    huge.write_text(json.dumps({"name": "x" * 30_000_000}) + "\n")
    words = [TOOL, "batch-insert", "Item", huge, f"--store={store}", f"--model={MODEL}"]
    subprocess.run(words, check=True, capture_output=True)
    server = Server(store)
    silent = []
    for _ in range(10):
        connection = server.connect()
        connection.sendall(server.posted("fetch", "Item", "--select=name"))
        silent.append(connection)
    wait(lambda: len(children(server.process.pid)) == 10)
    assert server.is_alive
    assert len(children(server.process.pid)) == 10
    assert resident(server.process.pid) < 80 << 20
    for connection in silent:
        connection.close()
    # The processes of disconnected clients end.
    wait(lambda: not children(server.process.pid))
    server.stop()


def test_a_value_that_breaks_off_is_told_at_once(tmp_path):
    store = make_store(tmp_path)
    huge = tmp_path / "huge.ndjson"
    huge.write_text(json.dumps({"name": "x" * 30_000_000}) + "\n")
    words = [TOOL, "batch-insert", "Item", huge, f"--store={store}", f"--model={MODEL}"]
    subprocess.run(words, check=True, capture_output=True)
    server = Server(store)
    with server.connect(timeout=10) as connection:
        connection.sendall(server.posted("page-value", "Item/p21", "name").replace(b"api/run", b"api/bytes"))
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        (child,) = children(server.process.pid)
        os.kill(child, signal.SIGKILL)
        while connection.recv(1 << 20):
            pass
    server.stop()


def test_too_much_at_once_is_refused_and_passes(server):
    busy = []
    for _ in range(16):
        connection = server.connect()
        connection.sendall(server.posted("page-changes"))
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        busy.append(connection)
    server.run("info", status=503)
    wait(lambda: len(children(server.process.pid)) == 16)

    def has_only_its_channel(command):
        """Returns whether a command's only socket is the channel to the server."""
        own = sockets(command)
        return len(own) == 1 and not own & sockets(server.process.pid)

    # If a command held a client's connection, the connection wouldn't end when the server closes it.
    wait(lambda: all(map(has_only_its_channel, children(server.process.pid))))
    for connection in busy:
        connection.close()
    wait(lambda: not children(server.process.pid))
    assert server.is_alive


def test_nothing_is_left_when_it_is_killed(tmp_path):
    server = Server(make_store(tmp_path))
    with server.connect() as connection:
        connection.sendall(server.posted("page-changes"))
        wait(lambda: children(server.process.pid))
        (child,) = children(server.process.pid)
        server.process.kill()
        server.process.wait()
        wait(lambda: not is_running(child))


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


def test_a_command_lasts_as_long_as_it_likes(server):
    """A former version ended a command after twenty seconds if it followed another request on its connection."""
    connections = []
    for _ in range(5):
        connection = server.connect(timeout=40)
        connection.sendall(server.posted("info"))
        whole = b""
        while not whole.endswith(b"0\r\n\r\n"):
            part = connection.recv(1 << 16)
            assert part, f"the connection was closed behind {whole}"
            whole += part
        connection.sendall(server.posted("page-changes"))
        connections.append(connection)
    piped = server.connect(timeout=40)
    piped.sendall(server.posted("info") + server.posted("page-changes"))
    connections.append(piped)
    time.sleep(21)
    assert len(children(server.process.pid)) == len(connections)
    for connection in connections:
        connection.close()
    wait(lambda: not children(server.process.pid))


def test_answers_that_nobody_reads_are_not_kept(server):
    request = f"GET {server.path}texts.js HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
    with server.connect() as connection:
        try:
            connection.sendall(request * 20_000)
        except OSError:
            pass
        assert resident(server.process.pid) < 80 << 20
        assert server.is_alive
    assert resident(server.process.pid) < 80 << 20


def test_requests_that_never_end_are_not_kept(server):
    """Sends 240 requests of one megabyte each. The server rejects requests beyond its total limit."""
    whole = server.posted("info", "x" * 1_000_000)
    connections = []
    try:
        for _ in range(240):
            connection = server.connect()
            connections.append(connection)
            try:
                connection.sendall(whole[:-1])
            except OSError:
                continue
        assert resident(server.process.pid) < 80 << 20
    finally:
        for connection in connections:
            connection.close()
    wait(lambda: server.is_alive)


def test_nothing_stays_open(server):
    def is_open():
        return len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()))

    server.run("info")
    before = is_open()
    for _ in range(20):
        server.run("info")
        server.run("page-rows", "Item", "--where=name == '" + "x" * 300_000 + "'")
    wait(lambda: is_open() <= before)
