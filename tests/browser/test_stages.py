"""The page of `gdlr rg stages`, as people use it."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

GAMES = Path(__file__).parents[2] / "hrg"


def gdlr(*arguments: str) -> str:
    command = [os.environ["GDLR"], "rg", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def stages() -> Callable[..., str]:
    """Opens the stages of a game on a page; gives the text of the last."""

    def stages(page: Page, game: str, fragment: str = "") -> str:
        path = str(GAMES / f"{game}.hrg")
        text = gdlr("stages", path)
        page.route("http://localhost/", lambda route: route.fulfill(body=text, content_type="text/html"))
        page.goto(f"http://localhost/{fragment}")
        return gdlr("optimise", path)

    return stages


def shown(page: Page) -> list[str]:
    """The lines of the stage on show, without those that are gone."""
    page.get_by_role("button", name="All lines").click()
    script = "rows => rows.map(row => row.querySelector('.line > :last-child').textContent)"
    return page.locator(".row:not(.removed)").evaluate_all(script)


def test_the_last_stage_is_what_the_optimiser_makes(page: Page, stages, shot) -> None:
    last = stages(page, "connect4")
    count = int(page.locator("#slider").get_attribute("max"))
    for _ in range(count):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_have_text(f"{count} of {count}")
    expect(page.locator("#name")).to_have_text("join-fork-suffixes")
    shot(page)
    # The page has each definition on a line of its own; what is written is laid out.
    assert "".join("".join(shown(page)).split()) == "".join(last.split())


def test_what_changed_is_marked(page: Page, stages) -> None:
    stages(page, "hex", "#2")
    expect(page.locator("#name")).to_have_text("compact-skip-edges")
    expect(page.locator(".row.added")).to_have_count(4)
    expect(page.locator(".row.removed")).to_have_count(7)
    # Nodes alone are other, and they are marked.
    marks = page.locator(".row.added mark").all_text_contents()
    assert marks and all(mark.strip().isidentifier() for mark in marks), marks
    expect(page.locator("#drawing svg .caption.removed").first).to_be_visible()
    page.get_by_role("button", name="Whole automaton").click()
    expect(page.locator("#drawing svg .removed")).to_have_count(0)
    nodes = json.loads(page.locator("#data").text_content())["stages"][2]["nodes"]
    expect(page.locator("#drawing svg .node")).to_have_count(nodes)


def test_every_way_to_step(page: Page, stages) -> None:
    stages(page, "hex")
    name, place = page.locator("#name"), page.locator("#place")
    expect(name).to_have_text("source")
    page.keyboard.press("End")
    expect(place).to_have_text("5 of 5")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text("5 of 5")
    page.keyboard.press("Home")
    expect(place).to_have_text("0 of 5")
    page.get_by_role("button", name="Next stage").click()
    expect(name).to_have_text("read")
    page.get_by_role("link", name="propagate-constants").click()
    expect(place).to_have_text("3 of 5")
    page.get_by_role("slider").fill("4")
    expect(name).to_have_text("prune-unused-constants")
    expect(page).to_have_url("http://localhost/#4")
    expect(page.locator("#told")).to_contain_text("Stage 4 of 5: prune-unused-constants")
    expect(page.locator("#list [aria-current]")).to_contain_text("prune-unused-constants")
    expect(page.locator("#rows [aria-current]")).to_contain_text("prune-unused-constants")
    # A focused pane that scrolls sideways has the keys for itself, and gives them back.
    page.reload()
    expect(place).to_have_text("4 of 5")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_is_not_wider_than_it_is(new_page, stages, shot, scheme: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    stages(page, "tictactoe", "#4")
    expect(page.locator("#place")).to_have_text("4 of 6")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page)
