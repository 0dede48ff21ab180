// Records random plays of the interpreter of Stanford's course, as traces for `gdlr verify`.
//
//     node benches/epilog/record.mjs HARNESS FOLDER [PLAYS] [SEED]
//
// HARNESS is a checkout of github.com/Trendoplasm/cs227b-harness. For each page of HARNESS/games/roster,
// FOLDER gets the rulesheet, NAME.epilog, and the trace, NAME.json. Nothing of theirs is kept elsewhere.
//
// A play asks their manager's own questions: the facts, who is in control, the legal moves, whether the
// state is terminal, and the rewards. Roles that are not in control do the move that `gdlr` gives them.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import vm from "node:vm";

const MOST_STEPS = 400;

const [harness, folder, plays = "20", seed = "1"] = process.argv.slice(2);
if (!harness || !folder) {
    console.error("usage: node benches/epilog/record.mjs HARNESS FOLDER [PLAYS] [SEED]");
    process.exit(2);
}

for (const name of ["epilog.js", "general.js"]) {
    vm.runInThisContext(readFileSync(join(harness, "vendor", name), "utf8"), { filename: name });
}

let random = BigInt(seed);

/** A number below `bound`. */
function below(bound) {
    random = (random * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((random >> 33n) % BigInt(bound));
}

/** A term as traces write it. */
function written(term) {
    return (typeof term === "string" ? term : `(${term.map(written).join(" ")})`).toLowerCase();
}

function sorted(terms) {
    return [...new Set(terms.map(written))].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function hash(strings) {
    let value = 0xcbf29ce484222325n;
    for (const byte of Buffer.from(strings.join("\n"))) {
        value = ((value ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    }
    return value.toString(16).padStart(16, "0");
}

/** The moves of a role: all of them, or how many there are and their hash. */
function listed(moves) {
    return moves.length > 60 ? { count: moves.length, hash: hash(moves) } : moves;
}

function play(rules, roles, idle) {
    let state = findinits(rules);
    const steps = [];
    while (!findterminalp(state, rules)) {
        if (steps.length === MOST_STEPS) {
            const facts = sorted(state);
            return { seed: 0, outcome: "cap", terminal: false, length: steps.length, steps, final: { state_hash: hash(facts), state_size: facts.length } };
        }
        const control = findcontrol(state, rules);
        const moves = findlegals(state, rules);
        const facts = sorted(state);
        const step = { state_hash: hash(facts), state_size: facts.length, terminal: false, legals: {}, move: null };
        for (const role of roles) {
            step.legals[role] = role === control ? listed(sorted(moves)) : [idle];
        }
        steps.push(step);
        if (moves.length === 0) {
            return { seed: 0, outcome: "stuck", stuck_role: control, terminal: false, length: steps.length - 1, steps };
        }
        const move = moves[below(moves.length)];
        step.move = roles.map((role) => (role === control ? written(move) : idle));
        state = simulate(move, state, rules);
    }
    const facts = sorted(state);
    const goals = Object.fromEntries(roles.map((role) => [role, Number(findreward(role, state, rules))]));
    return { seed: 0, outcome: "terminal", terminal: true, length: steps.length, steps, final: { state_hash: hash(facts), state_size: facts.length }, goals };
}

mkdirSync(folder, { recursive: true });
const pages = readdirSync(join(harness, "games", "roster")).filter((name) => name.endsWith(".html")).sort();
for (const page of pages) {
    const game = basename(page, ".html");
    const html = readFileSync(join(harness, "games", "roster", page), "utf8");
    const text = /<textarea id='library'[^>]*>([\s\S]*?)<\/textarea>/.exec(html)?.[1];
    if (text === undefined) {
        console.error(`${game}: no rulesheet in the page`);
        continue;
    }
    const rules = [];
    definerules(rules, readdata(text));
    const roles = findroles(rules).map(written);
    const idle = /\bnoop\b/.test(text.replace(/%.*/g, "")) ? "noop_1" : "noop";
    const playouts = Array.from({ length: Number(plays) }, () => play(rules, roles, idle));
    const trace = {
        game, rulesheet: page, kif_fnv: hash([text]), gdl2: false, roles, init: sorted(findinits(rules)),
        perft: [], perft_terminal: [], perft_states: [], perft_stop: "count", playouts,
    };
    writeFileSync(join(folder, `${game}.epilog`), text);
    writeFileSync(join(folder, `${game}.json`), JSON.stringify(trace));
    console.log(`${game}: ${playouts.reduce((all, play) => all + play.length, 0)} steps`);
}
