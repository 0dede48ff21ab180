"""The page of `gdlr serve --protocol gamemaster`: a player in a tab of the site of a manager."""

import re
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import listening, watch
from playwright.sync_api import Browser, Page, expect

PLAYER = ("--name", "dice", "--player", "random")
RULES = Path(__file__).parents[2] / "operations/tictactoe.epilog"
# What the manager of the course does with the storage: the last answer is in `heard`.
MANAGER = """<script>
var heard = [];
addEventListener("storage", event => { if (event.key === "manager") heard.push(event.newValue); });
</script>"""


class Tabs:
    """The tabs of a manager and of a player, on one site."""

    def __init__(self, manager: Page, player: Page) -> None:
        self.manager, self.player, self.number = manager, player, 0

    def send(self, call: str, name: str = "dice") -> None:
        self.number += 1
        text = f"message({self.number},manager,{name},{call})"
        self.manager.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, text])

    def ask(self, call: str, name: str = "dice") -> str:
        """The answer to a call, without its envelope."""
        before = self.manager.evaluate("heard.length")
        self.send(call, name)
        self.manager.wait_for_function("before => heard.length > before", arg=before)
        envelope = f"message({self.number},{name},manager,"
        heard = self.manager.evaluate("heard.at(-1)")
        assert heard.startswith(envelope) and heard.endswith(")"), heard
        return heard[len(envelope) : -1]


@contextmanager
def site_of(pages: dict[str, str]) -> Iterator[str]:
    """A site with these pages, and its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = pages.get(self.path)
            self.send_response(HTTPStatus.NO_CONTENT if text is None else HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((text or "").encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield f"http://localhost:{site.server_port}"
        site.shutdown()
        thread.join()


@contextmanager
def tabs_of(browser: Browser, errors: bool) -> Iterator[Tabs]:
    with ExitStack() as stack:
        server = stack.enter_context(listening("serve", "--protocol", "gamemaster", *PLAYER))
        with urllib.request.urlopen(f"{server}player.html") as response:
            page = response.read().decode()
        context = browser.new_context()
        # Only pages of this machine may ask a server of this machine without a permission.
        site = stack.enter_context(site_of({"/manager.html": MANAGER, "/player.html": page}))
        manager, player = context.new_page(), context.new_page()
        wrong = [watch(manager), watch(player)]
        manager.goto(f"{site}/manager.html")
        player.goto(f"{site}/player.html")
        yield Tabs(manager, player)
        context.close()
        assert errors or wrong == [[], []], wrong


@pytest.fixture
def tabs(browser: Browser) -> Iterator[Tabs]:
    with tabs_of(browser, errors=False) as tabs:
        yield tabs


def ends(text: str) -> re.Pattern[str]:
    """What the last line of a transcript ends with."""
    return re.compile(re.escape(text) + r"\s*$")


def start(role: str) -> str:
    lines = [line.split("%")[0].rstrip() for line in RULES.read_text().splitlines()]
    return f"start({role},ruleset({','.join(line for line in lines if line)}),10,5)"


def test_messages_go_to_the_server_and_answers_to_the_manager(tabs: Tabs) -> None:
    assert tabs.ask("ping()") == "ready"
    assert tabs.ask(start("crosses")) == "ready"
    first = tabs.ask("play([])")
    assert first.startswith("mark("), first
    # Another player is to move: the manager hears nothing, and the page has no line more than the message.
    tabs.send(f"play({first})")
    other = "mark(1,1)" if first != "mark(1,1)" else "mark(2,2)"
    third = tabs.ask(f"play({other})")
    assert third.startswith("mark(") and third not in (first, other), third
    assert tabs.manager.evaluate("heard.length") == 4
    transcript = tabs.player.locator("#transcript")
    tabs.send("abort()")
    expect(transcript).to_have_value(ends("abort())"))


def test_the_page_can_have_another_name(tabs: Tabs) -> None:
    # As the harness of the course gives names.
    tabs.player.evaluate("player = 'dice-2'")
    assert tabs.ask("ping()", "dice-2") == "ready"


def test_reasons_are_shown_and_not_sent(browser: Browser) -> None:
    with tabs_of(browser, errors=True) as tabs:
        tabs.send("play(mark(1,1))")
        expect(tabs.player.locator("#transcript")).to_have_value(ends("no match of `dice` is played"))
        assert tabs.manager.evaluate("heard.length") == 0
