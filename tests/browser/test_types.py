"""What the service answers has the types that the scripts of the page are checked with."""

import json
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TSC = ROOT / "tests/javascript/node_modules/.bin/tsc"
# Where the machine has no Node.js.
NODE = ROOT / "tests/javascript/.venv/bin"
TYPES = ROOT / "crates/gdlr-web/src/page/service.d.ts"
# With chance, hidden states, moves at the same time, and games without a board.
GAMES = ["tictactoe", "connect4", "krieg_tictactoe", "rock_paper_scissors", "pig", "nim"]
CHECKED = ["(role x) (<= (legal ?p a) (rol ?p)) (next (", "(role x)\n(init a)\n(<= terminal (not (true ?x)))"]


class Answers:
    """What a service answers, each with the name of its type."""

    def __init__(self, server: str) -> None:
        self.base = f"{server}api"
        self.kept: list[tuple[str, object]] = []

    def ask(self, kind: str, path: str, body: object = None) -> dict:
        """Asks, and keeps the answer; what is refused is kept as that."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                said = json.load(answer)
        except urllib.error.HTTPError as error:
            kind, said = "RefusalAnswer", json.load(error)["error"]
        self.kept.append((kind, said))
        return said

    def hear(self, kind: str, path: str, event: str) -> None:
        """Keeps the events of a stream until one is done."""
        with urllib.request.urlopen(self.base + path, timeout=60) as stream:
            name = ""
            for line in stream:
                key, _, value = line.decode().strip().partition(":")
                if key == "event":
                    name = value.strip()
                elif key == "data" and name == event:
                    self.kept.append((kind, json.loads(value)))
                    if self.kept[-1][1]["done"]:
                        return


def play(answers: Answers, name: str) -> None:
    """Asks all that the page asks of a game."""
    game = answers.ask("Game", "/games", {"name": name})
    answers.ask("Info", f"/games/{game['id']}/info")
    status = answers.ask("Status", "/matches", {"game": game["id"], "seed": 1})
    match = f"/matches/{status['id']}"
    for _ in range(3):
        for role in status["waiting"]:
            state = answers.ask("StateAnswer", f"{match}/states/now?as={role}")
            chosen = state["legal"][role][0]["id"]
            status = answers.ask("Status", f"{match}/moves", {"role": role, "id": chosen})
    for sentence in ["terminal", f"(true {state['facts'][0]})", "(next"]:
        answers.ask("Explained", f"{match}/explain", {"sentence": sentence})
    for rule in range(0, len(game["text"]), len(game["text"]) // 8):
        answers.ask("RuleAnswer", f"{match}/rule", {"offset": rule})
    answers.ask("Status", f"{match}/moves", {"role": game["roles"][0], "move": "(no such move)"})
    answers.ask("Status", f"{match}/undo", {})


@pytest.mark.skipif(not TSC.exists(), reason="tests/javascript/ci has not installed tsc")
def test_answers_have_their_types(server: str, tmp_path: Path) -> None:
    answers = Answers(server)
    answers.ask("About", "")
    answers.ask("Bundled", "/games")
    for name in GAMES:
        play(answers, name)
    game = answers.ask("Game", "/games", {"name": "tictactoe"})
    status = answers.ask("Status", "/matches", {"game": game["id"]})
    match, role = f"/matches/{status['id']}", status["waiting"][0]
    answers.ask("Status", f"{match}/hint", {"role": role, "think": 0.5})
    answers.hear("Thought", f"{match}/events", "thought")
    answers.hear("Rate", f"/games/{game['id']}/rates?seconds=0.5", "rate")
    answers.ask("Status", f"{match}/moves", {"role": role, "move": "(sign 9 9)"})
    for text in [*CHECKED, game["text"]]:
        answers.ask("Checked", "/check", {"text": text})
        answers.ask("Formatted", "/format", {"text": text})
        answers.ask("Game", "/games", {"text": text})
    kinds = {kind for kind, _ in answers.kept}
    assert {"Explained", "RuleAnswer", "RefusalAnswer", "Thought", "Rate"} <= kinds

    lines = [f"import type * as service from {json.dumps(str(TYPES))};"]
    for number, (kind, said) in enumerate(answers.kept):
        lines.append(f"export const a{number}: service.{kind} = {json.dumps(said)};")
    (tmp_path / "answers.ts").write_text("\n".join(lines))
    options = ["--noEmit", "--strict", "--module", "esnext", "--moduleResolution", "bundler", "--types", ""]
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{NODE}"}
    command = [TSC, *options, "answers.ts"]
    checked = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout[:4000]
