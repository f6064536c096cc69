"""Sends requests to a server of 'storetool browse' without a browser, and inspects its processes."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("STORETOOL", str(REPOSITORY / ".build/debug/storetool"))
MODEL = REPOSITORY / "Models/Todo.xcdatamodeld"


class Server:
    """A server of 'storetool browse' that receives the bytes of requests."""

    def __init__(self, store, *options, model=MODEL, environment=None):
        words = [TOOL, "browse", str(store), *options]
        words += [] if environment else ["--no-open"]
        words += [f"--model={model}"] if model else []
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=os.environ | (environment or {}),
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
        """Sends bytes and returns the whole response.

        is_all: closes the sending side, so that the server doesn't wait for the rest of an incomplete request.
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
        """Sends a request of the page. Returns the frames of the response, except for frames about progress."""
        body = json.dumps({"words": list(words)}).encode()
        own = {
            "Origin": f"http://{self.host}",
            "Content-Type": "application/json",
        } | headers
        answer = self.request("POST", f"{self.path}api/run", body=body, **own)
        assert code(answer) == status, answer[:300]
        return [frame for frame in frames(answer) if "progress" not in frame] if status == 200 else []

    def posted(self, *words) -> bytes:
        """Returns the bytes of a request of the page that keeps its connection open."""
        body = json.dumps({"words": list(words)}).encode()
        lines = [f"POST {self.path}api/run HTTP/1.1", f"Host: {self.host}", f"Origin: http://{self.host}"]
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}", "", ""]
        return "\r\n".join(lines).encode() + body

    @property
    def is_alive(self):
        rows = [
            frame
            for frame in self.run("page-rows", "Item", "--limit=1")
            if "row" in frame
        ]
        return len(rows) == 2 and self.process.poll() is None


def code(answer: bytes) -> int:
    """Returns the status, or 0 if the connection was closed without a response."""
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def frames(answer: bytes) -> list:
    body = answer.split(b"\r\n\r\n", 1)[1]
    # Each chunk of the transfer follows a line with its length.
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


def children(process: int) -> list[int]:
    found = []
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        # A thread may end after it was listed.
        with contextlib.suppress(FileNotFoundError):
            found += [int(word) for word in (thread / "children").read_text().split()]
    return found


def arguments(process: int) -> bytes:
    """Returns the arguments of a process, or an empty value after its end."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def sockets(process: int) -> set[str]:
    links = set()
    for descriptor in pathlib.Path(f"/proc/{process}/fd").iterdir():
        # A descriptor may be closed after it was listed.
        with contextlib.suppress(FileNotFoundError):
            links.add(str(descriptor.readlink()))
    return {link for link in links if link.startswith("socket:")}


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
        assert time.monotonic() < end, "the condition isn't met in time"
        time.sleep(0.05)
