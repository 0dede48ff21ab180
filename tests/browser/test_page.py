"""The page of `gdlr web`, as people use it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import watch
from playwright.sync_api import Browser, Locator, Page, Route, expect

# What a machine with other things to do may take for what a person waits for, in milliseconds.
expect.set_options(timeout=20_000)

# Two moves of the same square, by which a person chooses among pieces.
CHOICES = """
(role you)
(index 1) (index 2) (index 3)
(init (step 0))
(<= (cell ?x ?y) (index ?x) (index ?y))
(<= (legal you (put ?x ?y queen)) (cell ?x ?y) (true (step 0)))
(<= (legal you (put ?x ?y rook)) (cell ?x ?y) (true (step 0)))
(<= (next (at ?x ?y ?piece)) (does you (put ?x ?y ?piece)))
(<= (next (step 1)) (true (step 0)))
(<= terminal (true (step 1)))
(<= (goal you 100) (true (at ?x ?y ?piece)))
"""

# Names that would do something if they were taken for markup.
MARKUP = """
(role <img/src=x/onerror=alert(1)>)
(init <b>bold</b>)
(<= (legal ?role <script>alert</script>) (role ?role))
(<= (legal ?role <u>) (role ?role))
(<= (next <i>) (role <img/src=x/onerror=alert(1)>))
(<= terminal (true <i>))
(<= (goal ?role 100) (role ?role))
""".replace("alert(1)", "alert`1`")


def square(page: Page, name: str) -> Locator:
    """A square of the board, by its name."""
    return page.locator("#board").get_by_role("button", name=re.compile(rf"^{name}(,|$)"))


def turn(page: Page) -> Locator:
    return page.locator("#turn strong")


def begin(page: Page, server: str, game: str, *players: str) -> None:
    """A match of a bundled game, with these players of its roles."""
    page.goto(f"{server}?game={game}")
    expect(turn(page)).not_to_be_empty()
    for number, player in enumerate(players):
        page.locator(f"#player-{number}").select_option(player)


def wait_for(page: Page, holds: Callable[[], object]) -> None:
    """Waits until something holds that the page brings about."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it does not come about in 20 seconds")


def paste(page: Page, text: str) -> None:
    """Plays rules that are pasted."""
    page.get_by_role("button", name="Open a game…").click()
    page.get_by_text("Paste rules").click()
    page.get_by_label("Rules to play").fill(text)
    page.get_by_role("button", name="Play these", exact=True).click()
    expect(page.locator("#opener")).to_be_hidden()


@pytest.fixture
def refused_page(browser: Browser) -> Iterator[Page]:
    """A page on which the service may refuse something: Chromium tells its console of that."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    wrong = watch(page)
    yield page
    context.close()
    wrong = [line for line in wrong if "status of 422" not in line]
    assert not wrong, "\n".join(wrong)


def test_a_game_is_chosen_from_the_list(page: Page, server: str, shot) -> None:
    page.goto(server)
    page.get_by_label("Filter the games").fill("four")
    expect(page.locator("#games li:visible")).to_have_count(1)
    shot(page, "list")
    page.get_by_role("button", name="Connect four").click()
    expect(turn(page)).to_have_text("red to move")
    assert "game=connect4" in page.url


def test_tic_tac_toe_is_played_to_its_end_by_clicks(page: Page, server: str, shot) -> None:
    begin(page, server, "tictactoe", "human", "human")
    for player, name in zip("cncnc", ["2 2", "1 2", "1 1", "3 2", "3 3"], strict=True):
        expect(turn(page)).to_have_text("crosses to move" if player == "c" else "noughts to move")
        square(page, name).click()
    expect(turn(page)).to_have_text("The match is over: crosses won")
    expect(page.locator("#turn")).to_contain_text("Goals: crosses 100, noughts 0.")
    expect(page.locator("#board .can")).to_have_count(0)
    expect(page.locator("#history li")).to_have_count(6)
    shot(page)


def test_an_illegal_move_is_refused_with_its_reason(refused_page: Page, server: str, shot) -> None:
    page = refused_page
    begin(page, server, "tictactoe", "human", "human")
    square(page, "2 2").click()
    expect(turn(page)).to_have_text("noughts to move")
    page.get_by_label("Type a move").fill("(sign 2 2)")
    page.locator("#typed-form").get_by_role("button").click()
    refusal = page.locator("#refusal")
    expect(refusal).to_contain_text("noughts cannot play (sign 2 2)", ignore_case=True)
    expect(refusal.locator("li.fails code", has_text="(free 2 2)").first).to_be_visible()
    expect(refusal.locator("li.holds code", has_text="(occupied 2 2)").first).to_be_visible()
    shot(page)
    refusal.get_by_role("button", name="line 41").click()
    field = page.get_by_label("The rules")
    expect(field).to_be_focused()
    selected = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected.startswith("(<= (free ?x ?y)"), selected
    # Nothing has changed, and what is legal is played when it is typed.
    page.get_by_role("tab", name="Play").click()
    page.get_by_label("Type a move").fill("( sign  1 1 )")
    page.get_by_label("Type a move").press("Enter")
    expect(turn(page)).to_have_text("crosses to move")
    expect(refusal).to_be_empty()


def test_refused_rules_are_refused_with_what_to_do(refused_page: Page, server: str) -> None:
    page = refused_page
    page.goto(server)
    page.get_by_text("Paste rules").click()
    page.get_by_label("Rules to play").fill("(role you)\n(init a)\n(<= terminal (true a))")
    page.get_by_role("button", name="Play these", exact=True).click()
    trouble = page.locator("#opener-trouble")
    expect(trouble).to_contain_text("Say what each role gets: (<= (goal role 100) condition ...).")
    expect(trouble.locator(".help code", has_text="(goal role 100)")).to_be_visible()


def test_a_record_that_names_no_game_is_refused(page: Page, server: str, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text('{"playouts": [{"steps": []}]}')
    page.goto(server)
    expect(page.locator("#games li").first).to_be_visible()
    page.locator("#file").set_input_files(record)
    expect(page.locator("#opener-trouble")).to_contain_text("This is a record of another game.")


def test_broken_rules_have_wavy_lines(refused_page: Page, server: str, shot) -> None:
    page = refused_page
    begin(page, server, "tictactoe")
    page.get_by_role("tab", name="Rules").click()
    field = page.get_by_label("The rules")
    expect(page.locator("#check-status")).to_have_text("Nothing is wrong with these rules.")
    field.fill(";; Ünïcödé 😀 before what is wrong\n(role you)\n(<= (legal you ?x) (role you))\n(init (")
    wavy = page.locator(".wavy.error")
    expect(wavy.first).to_be_visible()
    expect(page.locator("#diagnostics .error").first).to_contain_text("K001")
    expect(page.locator("#check-status")).to_contain_text("error")
    field.fill(";; Ünïcödé 😀 before what is wrong\n(role you)\n(<= (legal you ?x) (role you))\n(init a)")
    expect(page.locator(".wavy", has_text="?x").first).to_be_visible()
    shot(page)
    page.locator("#diagnostics button", has_text="line 3").first.click()
    start = field.evaluate("field => field.value.slice(0, field.selectionStart)")
    assert start.count("\n") == 2, start
    page.get_by_role("button", name="Play these rules").click()
    expect(page.locator("#rules-trouble")).not_to_be_empty()
    page.get_by_role("button", name="Back to the rules of the match").click()
    expect(page.locator("#check-status")).to_have_text("Nothing is wrong with these rules.")


def test_rules_are_formatted_and_played(page: Page, server: str) -> None:
    begin(page, server, "tictactoe")
    page.get_by_role("tab", name="Rules").click()
    field = page.get_by_label("The rules")
    field.fill("(role   you)(init a)(<= (legal you go)(true a))(<= terminal(not (true a)))(<= (goal you 100)(role you))")
    page.get_by_role("button", name="Format").click()
    expect(field).to_have_value(re.compile(r"\(role you\)\n"))
    page.get_by_role("button", name="Play these rules").click()
    expect(turn(page)).to_have_text("The match is over: 100 of 100")


def test_without_a_game_nothing_goes_wrong_and_rules_can_be_written(page: Page, server: str) -> None:
    page.goto(server)
    page.get_by_role("button", name="Close").click()
    for name in ["Hint", "Ask why", "Undo", "One step back", "New match", "Save the record"]:
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_label("Type a move").fill("anything")
    page.get_by_label("Type a move").press("Enter")
    page.get_by_label("of players, too").uncheck()
    page.get_by_label("Seconds for a move").fill("2")
    page.get_by_role("tab", name="Numbers").click()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Net").click()
    page.get_by_role("tab", name="Why").click()
    page.get_by_role("button", name="Explain").click()
    page.get_by_role("tab", name="Rules").click()
    page.get_by_label("The rules").fill(CHOICES)
    expect(page.locator("#check-status")).to_have_text("Nothing is wrong with these rules.")
    page.get_by_role("button", name="Play these rules").click()
    expect(turn(page)).to_have_text("you to move")


def test_the_rule_at_the_cursor_tells_its_instances(page: Page, server: str) -> None:
    begin(page, server, "tictactoe", "human", "human")
    page.get_by_role("tab", name="Rules").click()
    field = page.get_by_label("The rules")
    field.evaluate("field => { const at = field.value.indexOf('(<= (legal'); field.focus(); field.setSelectionRange(at, at); }")
    expect(page.locator("#instances")).to_contain_text("9 instances")
    expect(page.locator("#instances code").first).to_have_text("(legal crosses (sign 1 1))")


def test_a_record_is_saved_and_stepped_through(page: Page, server: str, tmp_path: Path, shot) -> None:
    begin(page, server, "connect4", "random", "random")
    page.get_by_label("Seconds for a move").fill("0.05")
    page.get_by_label("Seconds for a move").press("Enter")
    expect(turn(page)).to_have_text(re.compile("The match is"), timeout=60_000)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    record = tmp_path / "record.json"
    download.value.save_as(record)
    length = json.loads(record.read_text())["playouts"][0]["length"]
    page.goto(server)
    expect(page.locator("#opener")).to_be_visible()
    page.locator("#file").set_input_files(record)
    expect(page.locator("#step")).to_have_text(f"0 / {length}")
    expect(turn(page)).to_have_text(f"State 0 of {length}")
    page.get_by_role("button", name="One step on").click()
    expect(page.locator("#step")).to_have_text(f"1 / {length}")
    # Where one looks back nothing can be played.
    expect(page.locator("#board .can, #board .wide")).to_have_count(0)
    expect(page.get_by_label("Type a move")).to_be_disabled()
    shot(page)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#step")).to_have_text(f"2 / {length}")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#step")).to_have_text(f"1 / {length}")
    page.locator("#history li").nth(3).click()
    expect(page.locator("#step")).to_have_text(f"3 / {length}")
    page.get_by_role("button", name="Back to now").click()
    expect(turn(page)).to_have_text(re.compile("The match is"))


def test_two_players_are_watched(page: Page, server: str, shot) -> None:
    begin(page, server, "breakthrough", "uct", "uct")
    page.get_by_label("Seconds for a move").fill("0.2")
    page.get_by_label("Seconds for a move").press("Enter")
    expect(page.locator("#history li").nth(3)).to_be_visible()
    expect(page.locator(".estimates").first).to_be_visible()
    shot(page)
    # A press may last longer than a move.
    step = page.locator("#step").inner_text()
    page.get_by_role("button", name="Pause").hover()
    page.mouse.down()
    expect(page.locator("#step")).not_to_have_text(step)
    page.mouse.up()
    expect(turn(page)).to_have_text("Paused")
    at = page.locator("#step").inner_text()
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("#step")).not_to_have_text(at)
    # Looking back does not disturb them.
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator("#step")).to_have_text(re.compile("^0 / "))
    steps = page.locator("#step").inner_text()
    expect(page.locator("#step")).not_to_have_text(steps)
    expect(page.locator("#step")).to_have_text(re.compile("^0 / "))
    # A person takes over, who goes on by clicks.
    page.locator("#player-0").select_option("human")
    page.get_by_role("button", name="Back to now").click()
    expect(turn(page)).to_have_text("white to move")
    page.locator("#board .can").first.click()
    expect(page.locator("#board .selected")).to_have_count(1)


def test_a_hint_says_what_is_expected(page: Page, server: str, shot) -> None:
    begin(page, server, "connect4", "human", "human")
    page.get_by_role("button", name="Hint").click()
    rows = page.locator(".estimates tbody tr")
    expect(rows).to_have_count(7)
    expect(page.locator("#thoughts")).to_contain_text("A hint for red")
    # The best move is a column of the board.
    expect(page.locator("#board .best")).to_have_count(6)
    expect(page.locator("#thoughts .who")).not_to_contain_text("thinking")
    shot(page)
    page.locator("#board .best").first.click()
    expect(turn(page)).to_have_text("yellow to move")
    expect(page.locator("#board .best")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(turn(page)).to_have_text("red to move")


def test_a_hidden_game_is_played_as_one_role(page: Page, server: str, shot) -> None:
    begin(page, server, "krieg_tictactoe", "human", "human")
    look = page.get_by_label("Look as")
    expect(look).to_have_value("crosses")
    expect(look.locator("option")).to_have_text(["crosses", "noughts"])
    square(page, "2 2").click()
    # The other one is to move, and that is all that crosses are told.
    hand_over = page.get_by_role("button", name="Look as noughts")
    expect(hand_over).to_be_visible()
    expect(page.locator("#board .can")).to_have_count(0)
    hand_over.click()
    expect(turn(page)).to_have_text("noughts to move")
    expect(page.locator("#board .can")).to_have_count(9)
    assert not page.locator("#board").get_by_role("button", name="crosses").count()
    square(page, "2 2").click()
    # Taken: noughts are told so and try again.
    expect(page.locator("#history li")).to_have_count(3)
    expect(page.locator("#history li").last).to_contain_text("told")
    expect(page.locator("#board .can")).to_have_count(8)
    shot(page)
    page.get_by_label("In a new match, show everything to everybody").check()
    page.get_by_role("button", name="New match").click()
    expect(page.locator("#step")).to_have_text("0 / 0")
    expect(look).to_have_value("")
    square(page, "2 2").click()
    expect(turn(page)).to_have_text("noughts to move")
    expect(page.locator("#history li").last).to_contain_text("crosses (try 2 2)")


def test_simultaneous_moves_are_asked_for_one_after_the_other(page: Page, server: str, shot) -> None:
    begin(page, server, "rock_paper_scissors", "human", "human")
    expect(turn(page)).to_have_text("left to move")
    page.get_by_role("button", name="(show rock)", exact=True).click()
    expect(turn(page)).to_have_text("right to move")
    expect(page.locator("#turn")).to_contain_text("left chose already")
    shot(page)
    page.get_by_role("button", name="(show paper)", exact=True).click()
    expect(turn(page)).to_have_text("left to move")
    expect(page.locator("#history li").nth(1)).to_contain_text("left (show rock) · right (show paper)")


def test_moves_of_the_same_squares_are_offered(page: Page, server: str, shot) -> None:
    page.goto(f"{server}?game=tictactoe")
    expect(turn(page)).not_to_be_empty()
    paste(page, CHOICES)
    expect(turn(page)).to_have_text("you to move")
    place = page.locator("#board .squares button").first
    place.click()
    menu = page.get_by_role("group", name="Which move?")
    expect(menu.get_by_role("button")).to_have_count(2)
    expect(menu.get_by_role("button").first).to_be_focused()
    shot(page)
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator("#board .selected")).to_have_count(0)
    place.click()
    menu.get_by_role("button", name="rook").click()
    expect(turn(page)).to_have_text("The match is over: 100 of 100")
    expect(page.locator("#history li").last).to_contain_text("rook")


def test_asking_why_explains_a_square_a_move_and_a_fact(page: Page, server: str, shot) -> None:
    begin(page, server, "tictactoe", "human", "human")
    square(page, "2 2").click()
    expect(turn(page)).to_have_text("noughts to move")
    page.get_by_role("button", name="Ask why").click()
    square(page, "2 2").click()
    verdict = page.locator(".verdict")
    expect(verdict).to_have_text("(true (signed 2 2 crosses)) holds in state 1.")
    expect(page.locator("#why-answer")).to_contain_text("(does crosses (sign 2 2))")
    shot(page)
    page.get_by_label("A sentence to explain").fill("terminal")
    page.get_by_label("A sentence to explain").press("Enter")
    expect(verdict).to_have_text("terminal does not hold in state 1.")
    page.locator("#facts").get_by_role("button", name="(turn noughts)").click()
    expect(verdict).to_have_text("(true (turn noughts)) holds in state 1.")
    page.get_by_role("button", name="Ask why").click()
    # The other button of the mouse asks at any time.
    square(page, "2 2").click(button="right", force=True)
    expect(verdict).to_have_text("(true (signed 2 2 crosses)) holds in state 1.")
    square(page, "1 1").click()
    expect(turn(page)).to_have_text("crosses to move")


def test_the_keyboard_is_enough(page: Page, server: str) -> None:
    begin(page, server, "breakthrough", "human", "human")
    pawn = page.locator("#board .can").first
    pawn.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board .selected")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#board .selected")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#board .selected")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#board .can:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(turn(page)).to_have_text("black to move")
    # The keyboard is where it was, on one of the squares, and no arrow led away from the present.
    assert page.evaluate("document.activeElement.classList.contains('square')")
    assert page.locator("#board .squares button[tabindex='0']").count() == 1
    expect(page.locator("#step")).to_have_text("1 / 1")
    page.locator("#tab-play").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#panel-why")).to_be_visible()
    expect(page.locator("#step")).to_have_text("1 / 1")


def test_news_are_not_lost_while_a_state_is_on_its_way(page: Page, server: str) -> None:
    pictures: list[Route] = []
    states: list[Route] = []

    def is_not_final(route: Route) -> None:
        """The pictures are still to be learned: the page asks for them until they are."""
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "pictures": "first"})

    page.route(re.compile("/api/games$"), is_not_final)
    page.route(re.compile("/api/games/[0-9a-f]+$"), lambda route: pictures.append(route))
    page.route(re.compile("/states/1$"), lambda route: states.append(route))
    begin(page, server, "tictactoe", "human", "human")
    wait_for(page, lambda: pictures)
    square(page, "2 2").click()
    wait_for(page, lambda: states)
    # The pictures come while the state after the move is on its way: the state is wanted anew.
    pictures[0].continue_()
    page.wait_for_timeout(300)
    states[0].continue_()
    wait_for(page, lambda: len(states) > 1)
    states[1].continue_()
    page.wait_for_timeout(300)
    expect(turn(page)).to_have_text("noughts to move")


def test_requests_come_in_the_order_in_which_they_are_made(page: Page, server: str) -> None:
    held: list[Route] = []
    moves: list[str] = []
    page.on("request", lambda request: moves.append(request.url) if request.url.endswith("/moves") else None)
    begin(page, server, "tictactoe", "human")
    page.route(re.compile("/players$"), lambda route: held.append(route))
    page.locator("#player-1").select_option("human")
    wait_for(page, lambda: held)
    square(page, "2 2").click()
    page.wait_for_timeout(300)
    assert not moves, "the move has overtaken the change of who moves"
    held[0].continue_()
    expect(turn(page)).to_have_text("noughts to move")


def test_a_reload_comes_back_to_the_match(page: Page, server: str) -> None:
    begin(page, server, "tictactoe", "human", "human")
    square(page, "3 1").click()
    expect(turn(page)).to_have_text("noughts to move")
    address = page.url
    assert "match=" in address
    page.reload()
    expect(turn(page)).to_have_text("noughts to move")
    assert page.url == address
    expect(page.locator("#step")).to_have_text("1 / 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_has_room_for_everything(
    new_page: Callable[..., Page], server: str, shot, scheme: str
) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, color_scheme=scheme)
    begin(page, server, "breakthrough", "human", "human")
    page.locator("#board .can").first.tap()
    page.locator("#board .can").first.tap()
    expect(turn(page)).to_have_text("black to move")
    for tab in ["Why", "Rules", "Numbers", "Play"]:
        page.get_by_role("tab", name=tab).tap()
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, tab
        shot(page, tab)


def test_numbers_and_drawings(page: Page, server: str, shot) -> None:
    begin(page, server, "tictactoe")
    page.get_by_role("tab", name="Numbers").click()
    expect(page.locator(".info").first).to_contain_text("Rules")
    page.locator("#rates-start").click()
    expect(page.locator("#rates")).to_contain_text("playouts a second")
    for drawing in ["Dependencies", "Net", "Automaton"]:
        page.get_by_role("button", name=drawing).click()
        expect(page.locator("#drawing svg")).to_be_visible()
        expect(page.locator("#drawing-note")).not_to_have_text("Drawing…")
    width = page.locator("#drawing").evaluate("one => one.clientWidth")
    page.get_by_role("button", name="Larger").click()
    assert page.locator("#drawing").evaluate("one => one.clientWidth") > width
    page.get_by_role("button", name="Fit to the width").click()
    assert page.locator(".drawing").evaluate("one => one.scrollWidth === one.clientWidth")
    expect(page.locator("#rates-start")).to_have_text("Start")
    shot(page)


def test_names_never_become_markup(page: Page, server: str) -> None:
    page.goto(server)
    page.get_by_text("Paste rules").click()
    page.get_by_label("Rules to play").fill(MARKUP)
    page.get_by_role("button", name="Play these", exact=True).click()
    expect(turn(page)).to_have_text(re.compile("<img.* to move"))
    expect(page.locator("#beside")).to_contain_text("<b>bold</b>")
    page.get_by_role("tab", name="Rules").click()
    expect(page.locator("#check-status")).not_to_be_empty()
    page.get_by_role("tab", name="Why").click()
    page.locator("#facts button").first.click()
    expect(page.locator(".verdict")).to_contain_text("<b>bold</b>")
    page.locator("#moves button").first.click()
    expect(turn(page)).to_have_text("The match is over: 100 of 100")
    assert page.locator("img, main script, main b").count() == 0


def test_places_are_counted_in_bytes_and_in_units(page: Page, server: str) -> None:
    page.goto(server)
    counted = page.evaluate("""async () => {
      const { Places, lineAt, lineStarts } = await import("/text.js");
      const text = "aä😀\\nb";
      const places = new Places(text);
      const units = [0, 1, 2, 4, 5, 6];
      return {
        bytes: units.map((unit) => places.toBytes(unit)),
        units: [0, 1, 3, 7, 8, 9, 99].map((byte) => places.fromBytes(byte)),
        within: places.fromBytes(5),
        plain: new Places("abc").fromBytes(2),
        lines: [0, 4, 5].map((at) => lineAt(lineStarts(text), at)),
      };
    }""")
    assert counted == {
        "bytes": [0, 1, 3, 7, 8, 9],
        "units": [0, 1, 2, 4, 5, 6, 6],
        "within": 2,
        "plain": 2,
        "lines": [0, 0, 1],
    }


def test_a_move_is_chosen_square_by_square(page: Page, server: str) -> None:
    page.goto(server)
    chosen = page.evaluate("""async () => {
      const { Choice } = await import("/choice.js");
      const at = (row, column) => ({ board: 0, layer: null, row, column });
      const square = (row, column) => ({ board: 0, layer: 0, row, column });
      const moves = [
        { move: "jump", squares: [at(0, 0), at(2, 2)] },
        { move: "jump twice", squares: [at(0, 0), at(2, 2), at(4, 4)] },
        { move: "drop", squares: [at(null, 5)] },
        { move: "wait", squares: [] },
      ];
      const names = (moves) => moves.map((one) => one.move);
      const choice = new Choice(moves);
      const said = [choice.goesOn(square(0, 0)), choice.goesOn(square(2, 2)), choice.isWide(square(3, 5))];
      said.push(names(choice.click(square(1, 1))), names(choice.click(square(0, 0))));
      said.push(choice.goesOn(square(2, 2)), names(choice.click(square(2, 2))), names(choice.left));
      // A square that does not go on begins anew; the same one again takes it back.
      said.push(names(choice.click(square(0, 0))), choice.selected.length);
      choice.click(square(0, 0));
      said.push(choice.selected.length, names(choice.click(square(3, 5))));
      return said;
    }""")
    both = ["jump", "jump twice"]
    assert chosen == [True, False, True, [], [], True, ["jump"], both, [], 1, 0, ["drop"]]


def test_what_the_command_was_started_with_is_shown(web: Callable[..., str], page: Page) -> None:
    page.goto(web("knights_tour"))
    expect(turn(page)).to_have_text("rider to move")
    expect(page.locator("#title")).to_contain_text("knight's tour")


def test_a_value_net_plays_its_game(web: Callable[..., str], page: Page) -> None:
    net = f"net:{Path(__file__).parent.parent}/nets/tictactoe.onnx"
    page.goto(web("tictactoe", "--player", net))
    expect(page.locator("#player-1 option").last).to_have_text("Value net tictactoe")
    page.locator("#player-1").select_option(net)
    page.get_by_label("Seconds for a move").fill("0.2")
    page.get_by_label("Seconds for a move").press("Enter")
    square(page, "2 2").click()
    expect(page.locator("#step")).to_have_text("2 / 2")


def test_a_record_that_the_command_was_given_is_gone_through(
    web: Callable[..., str], page: Page, server: str, tmp_path: Path
) -> None:
    begin(page, server, "tictactoe", "human", "human")
    for name, then in [("1 1", "noughts to move"), ("2 2", "crosses to move")]:
        square(page, name).click()
        expect(turn(page)).to_have_text(then)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    record = tmp_path / "record.json"
    download.value.save_as(record)
    page.goto(web("tictactoe", str(record)))
    expect(page.locator("#step")).to_have_text("0 / 2")
    page.get_by_role("button", name="To the present").click()
    expect(turn(page)).to_have_text("crosses to move")
    # Reloaded, it is the match where it stands.
    page.reload()
    expect(page.locator("#step")).to_have_text("2 / 2")
