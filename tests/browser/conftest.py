"""What all tests of the page have in common: a server, a browser, pages that are watched."""

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

SHOTS = Path(__file__).parent / "shots"
# How long a server may take to listen, and to end, in seconds.
PATIENCE = 30
# What a page may have its parts from.
OWN_SCHEMES = {"about", "blob", "data"}
OWN_HOSTS = {"127.0.0.1", "localhost", "[::1]"}


def gdlr_web(*arguments: str) -> AbstractContextManager[str]:
    """A server of the page, with its address: `http://127.0.0.1:PORT/`."""
    return listening("web", *arguments)


@contextmanager
def listening(*arguments: str) -> Iterator[str]:
    """A command of gdlr that listens, with its address: `http://127.0.0.1:PORT/`."""
    command = [os.environ["GDLR"], *arguments, "--port", "0"]
    with tempfile.TemporaryFile("w+") as said:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
        alarm = threading.Timer(PATIENCE, server.kill)
        alarm.start()
        try:
            port = server.stdout.readline().strip()
            alarm.cancel()
            said.seek(0)
            text = said.read()
            assert port.isdigit(), f"{command} says no port, but:\n{text}"
            address = f"http://127.0.0.1:{port}/"
            assert address in text, f"{command} does not say {address}, but:\n{text}"
            yield address
            assert server.poll() is None, f"{command} has ended"
        finally:
            alarm.cancel()
            server.terminate()
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                raise
            finally:
                server.stdout.close()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that all tests share."""
    with gdlr_web() as address:
        yield address


@pytest.fixture
def web() -> Iterator[Callable[..., str]]:
    """Starts a server with options of its own, which ends with the test."""
    with ExitStack() as servers:
        yield lambda *arguments: servers.enter_context(gdlr_web(*arguments))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


def launch(playwright: Playwright, **options: object) -> Browser:
    """The Chromium of the system, without a window."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert chromium, "no chromium; name one in CHROMIUM"
    # Pages are of this machine, whatever proxy the environment names.
    return playwright.chromium.launch(
        executable_path=chromium, args=["--no-proxy-server"], **options
    )


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright)
    yield browser
    browser.close()


def watch(page: Page) -> list[str]:
    """What goes wrong on a page from now on, a line for each: errors that its console shows or
    its script does not catch, a crash, and requests to another machine."""
    wrong: list[str] = []

    def console(message) -> None:
        if message.type == "error":
            wrong.append(f"console: {message.text} ({message.location.get('url', '')})")

    def request(asked) -> None:
        url = urlsplit(asked.url)
        host = re.sub(r":\d+$", "", url.netloc)
        if url.scheme not in OWN_SCHEMES and host not in OWN_HOSTS:
            wrong.append(f"asks elsewhere: {asked.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: wrong.append(f"uncaught: {error}"))
    page.on("crash", lambda _: wrong.append("the page has crashed"))
    page.on("request", request)
    return wrong


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in a session of its own, with options of `Browser.new_context`:
    `new_page(viewport={"width": 400, "height": 800}, color_scheme="dark")`. The test fails
    at its end if something went wrong on one of them."""
    opened = []

    def new_page(**options: object) -> Page:
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **options}
        )
        page = context.new_page()
        opened.append((context, watch(page)))
        return page

    yield new_page
    for context, _ in opened:
        context.close()
    wrong = [line for _, lines in opened for line in lines]
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page of 1280 by 800 pixels that is watched."""
    return new_page()


@pytest.fixture
def shot(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Keeps a picture of a page, the whole of it, in `shots/TEST-NAME.png`."""

    def shot(page: Page, name: str = "page") -> Path:
        test = re.sub(r"[^\w.-]+", "_", request.node.name)
        path = SHOTS / f"{test}-{name}.png"
        page.screenshot(path=path, full_page=True, animations="disabled")
        return path

    return shot
