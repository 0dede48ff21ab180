"""The page behind a proxy: nginx, at a path of its own, also over TLS."""

import http.client
import json
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import PATIENCE, gdlr_web
from playwright.sync_api import Page, expect
from test_page import square, turn

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")
TOKEN = "0123456789abcdef"

pytestmark = pytest.mark.skipif(
    not (NGINX and OPENSSL), reason="left out: there is no nginx or no openssl"
)

# As docs/web.md has it: the first way keeps the path, the second one takes it away.
KEPT = """
location PATH { proxy_pass http://127.0.0.1:PORT; }
"""
TAKEN = """
location PATH/ { proxy_pass http://127.0.0.1:PORT/; }
location = PATH { return 308 PATH/$is_args$args; }
"""
CONFIGURATION = """
daemon off;
master_process off;
pid DIR/pid;
error_log stderr warn;
events {}
http {
    access_log DIR/access.log;
    client_body_temp_path DIR/body;
    proxy_temp_path DIR/proxy;
    fastcgi_temp_path DIR/fastcgi;
    uwsgi_temp_path DIR/uwsgi;
    scgi_temp_path DIR/scgi;
    server {
        listen 127.0.0.1:OUTSIDE TLS;
        LOCATIONS
    }
}
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def certificate(folder: str) -> str:
    """What nginx says of a certificate that is made for this test."""
    command = [OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subject = ["-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*command, *files, *subject], check=True, capture_output=True)
    return f"ssl; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem"


@contextmanager
def proxied(scheme: str, path: str, locations: str, *arguments: str) -> Iterator[tuple[str, Path]]:
    """A page behind nginx: its public address without a slash at its end, and nginx' log."""
    outside = free_port()
    url = f"{scheme}://127.0.0.1:{outside}{path}"
    with (
        gdlr_web("--public-url", url, *arguments) as inside,
        tempfile.TemporaryDirectory() as folder,
    ):
        tls = certificate(folder) if scheme == "https" else ""
        port = inside.rstrip("/").rsplit(":", 1)[1]
        text = CONFIGURATION
        for name, value in {
            "LOCATIONS": locations, "PATH": path, "DIR": folder, "OUTSIDE": str(outside),
            "PORT": port, "TLS": tls,
        }.items():
            text = text.replace(name, value)
        file = Path(folder) / "nginx.conf"
        file.write_text(text)
        nginx = subprocess.Popen([NGINX, "-p", folder, "-c", str(file)])
        try:
            start = time.monotonic()
            while socket.socket().connect_ex(("127.0.0.1", outside)) != 0:
                assert nginx.poll() is None, f"nginx has ended:\n{text}"
                assert time.monotonic() - start < PATIENCE, "nginx does not listen"
                time.sleep(0.05)
            yield url, Path(folder) / "access.log"
        finally:
            nginx.terminate()
            nginx.wait(PATIENCE)


def ask(url: str, path: str, body: object = None, **headers: str) -> http.client.HTTPResponse:
    """The answer to a request; its body is still to be read."""
    scheme, _, host, _ = url.split("/", 3)
    if scheme == "https:":
        context = ssl._create_unverified_context()
        peer = http.client.HTTPSConnection(host, timeout=PATIENCE, context=context)
    else:
        peer = http.client.HTTPConnection(host, timeout=PATIENCE)
    prefix = url.split(host, 1)[1]
    if body is not None:
        headers["Content-Type"] = "application/json"
    method, text = ("GET", None) if body is None else ("POST", json.dumps(body))
    peer.request(method, prefix + path, text, headers)
    return peer.getresponse()


def play(page: Page) -> None:
    """Two moves, each of which the page learns of by the stream of events."""
    for player in (0, 1):
        page.locator(f"#player-{player}").select_option("human")
    expect(turn(page)).to_have_text("crosses to move")
    square(page, "2 2").click()
    expect(turn(page)).to_have_text("noughts to move")
    square(page, "1 1").click()
    expect(turn(page)).to_have_text("crosses to move")


def leave(page: Page) -> None:
    """Nothing is asked any more of a service that is about to end."""
    page.goto("about:blank")


@pytest.mark.parametrize(
    ("path", "locations"), [("/a/games", KEPT), ("/games", TAKEN)], ids=["kept", "taken"]
)
def test_the_page_has_a_path(page: Page, path: str, locations: str) -> None:
    with proxied("http", path, locations) as (url, _):
        # With and without a slash at the end.
        page.goto(f"{url}?game=tictactoe")
        assert page.url.startswith(f"{url}/?game=tictactoe")
        play(page)
        page.goto(f"{url}/?game=nim")
        expect(turn(page)).not_to_be_empty()
        # Nothing is held back: the first event comes while the stream is open.
        match = json.load(ask(url, "/api/matches", {"game": "tictactoe"}))["id"]
        start = time.monotonic()
        assert ask(url, f"/api/matches/{match}/events").readline().startswith(b"event: ")
        assert time.monotonic() - start < 5
        # Pages of other sites are refused, also one of this machine at another port.
        own = url.rsplit(path, 1)[0]
        assert ask(url, "/api/games", Origin=own).status == 200
        for other in ("http://evil.example", own.replace("http", "https"), "http://127.0.0.1:1"):
            assert ask(url, "/api/games", Origin=other).status == 403, other
        leave(page)


@pytest.mark.parametrize("locations", [KEPT, TAKEN], ids=["kept", "taken"])
def test_over_tls_with_a_token(new_page, monkeypatch, locations: str) -> None:
    monkeypatch.setenv("GDLR_TOKEN", TOKEN)
    token = ("--token", "env:GDLR_TOKEN")
    with proxied("https", "/play", locations, *token) as (url, log):
        assert ask(url, "/api/games").status == 401
        page = new_page(ignore_https_errors=True)
        page.goto(f"{url}?game=tictactoe&token={TOKEN}")
        play(page)
        assert TOKEN not in page.url and "game=tictactoe" in page.url
        (cookie,) = page.context.cookies()
        assert (cookie["secure"], cookie["httpOnly"], cookie["path"]) == (True, True, "/play")
        # The address that the browser shows is enough from now on.
        page.reload()
        expect(turn(page)).to_have_text("crosses to move")
        # Of all that a proxy writes down, the one address that was opened has the token.
        lines = log.read_text().splitlines()
        assert sum(TOKEN in line.split('"')[1] for line in lines) <= 2
        assert not any(TOKEN in line for line in lines if "/api" in line)
        bearer = ask(url, "/api/games", Authorization=f"Bearer {TOKEN}")
        assert bearer.status == 200
        leave(page)
