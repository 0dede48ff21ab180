// Rates of random playouts of ten games of Stanford's course: its interpreter, and `gdlr` on the same rulesheet and
// on the same game in classic GDL.
//
//     node benches/epilog/rates.mjs HARNESS GDLR CLASSICS [SECONDS]
//
// HARNESS is a checkout of github.com/Trendoplasm/cs227b-harness, GDLR the command, and CLASSICS a folder with rulesheets
// of the public repositories of general game playing. The interpreter plays the depth charges of its own Monte Carlo
// player. Each program has one thread and SECONDS of wall clock [10] for each game. Rates are for a second of user time, without
// set-up. A game whose mean length differs between the two rulesheets is not the same game.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";

/** By the name of a game of the course, the file of the classic rulesheet, if there is one. */
const GAMES = {
    tictactoe: "ticTacToe.kif",
    nineboardtictactoe: "nineBoardTicTacToe.kif",
    connectfour: "connectFour.kif",
    // The public rulesheet of pentago has plays without one goal for each role.
    pentago: undefined,
    breakthrough: "breakthrough.kif",
    knightthrough: "knightThrough.kif",
    chinesecheckers3: "chineseCheckers3.kif",
    buttonsandlights: "buttons.kif",
    reversum: undefined,
    hex7x7: undefined,
};

const [harness, gdlr, classics, seconds = "10"] = process.argv.slice(2);
if (!harness || !gdlr || !classics) {
    console.error("usage: node benches/epilog/rates.mjs HARNESS GDLR CLASSICS [SECONDS]");
    process.exit(2);
}

/** Depth charges of the course's player in a second of user time; a dash if the interpreter breaks off. */
function theirs(text) {
    try {
        return charges(text).toPrecision(3);
    } catch (error) {
        console.error(`the interpreter breaks off: ${error.message}`);
        return "-";
    }
}

function charges(text) {
    // What the interpreter remembers of relations is not that of another game.
    const context = vm.createContext({ console, text });
    for (const name of ["epilog.js", "general.js", "mcs.js"]) {
        vm.runInContext(readFileSync(join(harness, "vendor", name), "utf8"), context, { filename: name });
    }
    const run = (script) => vm.runInContext(script, context);
    run("var sheet = seq('ruleset').concat(readdata(text)); start(findroles(sheet.slice(1))[0], sheet, '10', '10')");
    const end = Date.now() + Number(seconds) * 1000;
    const before = process.cpuUsage();
    let played = 0;
    while (Date.now() < end) {
        run("depthcharge(state)");
        played += 1;
    }
    return played / (process.cpuUsage(before).user / 1e6);
}

/** The output of a command of gdlr as JSON, and its user time in seconds. */
function run(...options) {
    const words = [gdlr, ...options, "--json"].map((word) => `'${word}'`).join(" ");
    const ran = spawnSync("bash", ["-c", `TIMEFORMAT=%U; time ${words} 2>/dev/null`], { encoding: "utf8" });
    if (ran.status !== 0) {
        throw new Error(`${words} ended with status ${ran.status}`);
    }
    return { said: JSON.parse(ran.stdout), user: Number(ran.stderr) };
}

/** Playouts in a second of user time on an engine, and their mean length. */
function ours(file, engine) {
    const play = ["play", file, "--flatmc", "--set-up-time", "300", "--engine", engine];
    const { user: setUp } = run(...play, "--playouts", "1");
    const { said, user } = run(...play, "--time", seconds);
    return { rate: said.playouts / (user - setUp), length: said.mean_length };
}

/** All that is measured of a rulesheet. */
function measured(file) {
    // The net of a large game is not made for that.
    const { gates = "-", wires = "-" } = run("info", file).said.propnet ?? {};
    const [net, lanes] = ["propnet", "batch"].map((engine) => ours(file, engine));
    return [gates, wires, net.rate.toPrecision(3), lanes.rate.toPrecision(3), lanes.length.toFixed(2)];
}

const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
const own = ["gates", "wires", "net", "lanes", "length"];
const titles = ["game", "interpreter", ...own, ...own.map((column) => `classic ${column}`)];
row(titles);
row(titles.map(() => "---"));
const folder = mkdtempSync(join(tmpdir(), "rates-"));
for (const [game, classic] of Object.entries(GAMES)) {
    const html = readFileSync(join(harness, "games", "roster", `${game}.html`), "utf8");
    const text = /<textarea id='library'[^>]*>([\s\S]*?)<\/textarea>/.exec(html)[1];
    const file = join(folder, `${game}.epilog`);
    writeFileSync(file, text);
    const same = classic ? measured(join(classics, classic)) : own.map(() => "-");
    row([game, theirs(text), ...measured(file), ...same]);
}
rmSync(folder, { recursive: true });
