"""The fixtures themselves, on pages that Python serves."""

import functools
import os
import stat
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import gdlr_web, launch, watch
from playwright.sync_api import Browser, Page, Playwright, expect

GOOD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Good</title>
<link rel="icon" href="data:,">
<p id="count">0</p><button onclick="count.textContent = +count.textContent + 1">more</button>"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """The address of a page with this text."""
    handler = functools.partial(Quiet, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def site(text: str) -> str:
        (tmp_path / "page.html").write_text(text)
        return f"http://127.0.0.1:{server.server_address[1]}/page.html"

    yield site
    server.shutdown()
    server.server_close()


def test_a_page_is_clicked_and_shown(page: Page, site, shot) -> None:
    page.goto(site(GOOD))
    page.get_by_role("button", name="more").click()
    expect(page.locator("#count")).to_have_text("1")
    assert shot(page).read_bytes().startswith(b"\x89PNG")


def test_pages_have_the_size_and_colours_that_are_wanted(new_page, site) -> None:
    address = site(GOOD)
    page = new_page(viewport={"width": 400, "height": 700}, color_scheme="dark")
    page.goto(address)
    assert page.evaluate("innerWidth") == 400
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    # What one page keeps the other does not know.
    page.evaluate("localStorage.setItem('kept', 'yes')")
    other = new_page()
    other.goto(address)
    assert other.evaluate("localStorage.getItem('kept')") is None


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("console.error('oh no')", "console: oh no"),
        ("setTimeout(() => { throw new Error('lost') })", "uncaught: lost"),
        ("Promise.reject(new Error('later'))", "uncaught: later"),
        ("fetch('missing.json')", "console: Failed to load resource"),
        ("fetch('http://gdlr.invalid/x').catch(() => {})", "asks elsewhere: http://gdlr.invalid/x"),
    ],
)
def test_what_goes_wrong_is_noticed(browser: Browser, site, script: str, found: str) -> None:
    page = browser.new_page()
    wrong = watch(page)
    page.goto(site(f"{GOOD}<script>{script}</script>"), wait_until="networkidle")
    page.close()
    assert any(line.startswith(found) for line in wrong), wrong


def test_what_goes_well_is_not(browser: Browser, site) -> None:
    page = browser.new_page()
    wrong = watch(page)
    said = "console.log('fine'); console.warn('careful')"
    page.goto(site(f"{GOOD}<script>{said}</script>"), wait_until="networkidle")
    page.close()
    assert wrong == []


def test_no_proxy_comes_between(playwright: Playwright, site) -> None:
    names = ["http_proxy", "https_proxy", "all_proxy"]
    proxies = {name: "http://127.0.0.1:9" for name in [*names, *map(str.upper, names)]}
    environment = {**os.environ, **proxies, "no_proxy": "", "NO_PROXY": ""}
    browser = launch(playwright, env=environment)
    page = browser.new_page()
    page.goto(site(GOOD))
    assert page.title() == "Good"
    browser.close()


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a shell script in the place of gdlr."""

    def stand_in(script: str) -> None:
        path = tmp_path / "gdlr"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("GDLR", str(path))

    return stand_in


def test_a_server_says_where_it_is_and_ends(stand_in, tmp_path: Path) -> None:
    said = 'echo "the page is at http://127.0.0.1:4711/" >&2; echo 4711'
    stand_in(f'echo "$$ $*" > "{tmp_path}/started"; {said}; exec sleep 600')
    with gdlr_web("--player", "mc") as address:
        assert address == "http://127.0.0.1:4711/"
        process, *arguments = (tmp_path / "started").read_text().split()
        assert arguments == ["web", "--player", "mc", "--port", "0"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)


def test_a_server_that_does_not_start_says_why(stand_in) -> None:
    stand_in("echo 'error: no such port' >&2; exit 2")
    with pytest.raises(AssertionError, match="no such port"), gdlr_web():
        pass
