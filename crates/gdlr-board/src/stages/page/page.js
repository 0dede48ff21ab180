/* What the page shows: the stages, and for each the numbers of its lines. */

/**
 * A stage, as `page.rs` writes it: a measure each, and how its text comes about. Of edits, a number of
 * lines stays, or goes if it is negative, and lists of lines come.
 *
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} about
 * @property {number | null} round
 * @property {number | null} seconds
 * @property {number} nodes
 * @property {number} edges
 * @property {number} checks
 * @property {number} variables
 * @property {number} constants
 * @property {number} bits
 * @property {(number | number[])[]} edits
 * @property {number} changed how many edges are other
 * @property {number} drawn how many of them are in the drawing
 */
/** @typedef {{ game: string, lines: string[], stages: Stage[] }} Data */
/** @typedef {"kept" | "added" | "removed" | "moved"} Kind what happens to a line */
/**
 * A line on show, by its place in `lines`; `number` is that in the text, if it is there, and `kept`
 * are those of its tokens that are not other.
 *
 * @typedef {{ kind: Kind, line: number, number: number | null, kept?: Set<number> }} Row
 */

/**
 * The element that has this id.
 *
 * @template {HTMLElement} [Of=HTMLElement]
 * @param {string} id
 * @param {new () => Of} [kind] what element it has to be
 * @returns {Of}
 */
function by(id, kind = /** @type {new () => Of} */ (HTMLElement)) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no #${id} that is ${kind.name}`);
  return found;
}

/** @type {Data} */
const data = JSON.parse(by("data").textContent ?? "");
const stages = data.stages;
const last = stages.length - 1;
const slider = by("slider", HTMLInputElement);
/**
 * The texts of the first stages, as numbers of lines.
 *
 * @type {number[][]}
 */
const texts = [];
/**
 * What is looked at. Without a zoom, a drawing is as large as there is room.
 *
 * @type {{ stage: number, allLines: boolean, whole: boolean, zoom: number | null }}
 */
const view = { stage: 0, allLines: false, whole: false, zoom: null };

/**
 * The text of a stage, as numbers of lines.
 *
 * @param {number} stage
 */
function textOf(stage) {
  if (stage < 0) return [];
  for (let at = texts.length; at <= stage; at += 1) {
    const before = at ? texts[at - 1] : [];
    /** @type {number[]} */
    const text = [];
    let place = 0;
    for (const edit of stages[at].edits) {
      if (Array.isArray(edit)) for (const line of edit) text.push(line);
      else if (edit < 0) place -= edit;
      else for (let end = place + edit; place < end; place += 1) text.push(before[place]);
    }
    texts.push(text);
  }
  return texts[stage];
}

/**
 * An element with a class and with children, of which texts are texts alone.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {string} className
 * @param {...(Node | string)} children
 */
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/**
 * An element of a picture.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svgElement(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** @type {(count: number, noun: string) => string} */
const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
/** @type {(number: number) => string} */
const signed = (number) => (number < 0 ? "−" : "+") + Math.abs(number).toLocaleString("en");

/**
 * A time for people.
 *
 * @param {number | null} seconds
 */
function time(seconds) {
  if (seconds === null) return "";
  if (seconds >= 1) return `${seconds.toFixed(2)}\u00a0s`;
  return seconds >= 1e-3 ? `${(seconds * 1e3).toFixed(1)}\u00a0ms` : `${Math.round(seconds * 1e6)}\u00a0µs`;
}

/* Lines that came, went and moved. */

/** @type {(line: string) => string[]} */
const tokens = (line) => line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];

/**
 * Pairs of places whose values agree, as many as there can be, in order.
 *
 * @template Item
 * @param {Item[]} one
 * @param {Item[]} other
 * @param {(a: Item, b: Item) => number} value 0 where they do not agree
 */
function common(one, other, value) {
  const width = other.length + 1;
  const best = new Float64Array((one.length + 1) * width);
  for (let a = one.length - 1; a >= 0; a -= 1) {
    for (let b = other.length - 1; b >= 0; b -= 1) {
      const worth = value(one[a], other[b]);
      const both = worth > 0 ? worth + best[(a + 1) * width + b + 1] : 0;
      best[a * width + b] = Math.max(both, best[(a + 1) * width + b], best[a * width + b + 1]);
    }
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    const worth = value(one[a], other[b]);
    if (worth > 0 && best[a * width + b] === worth + best[(a + 1) * width + b + 1]) {
      pairs.push([a, b]);
      a += 1;
      b += 1;
    } else if (best[(a + 1) * width + b] >= best[a * width + b + 1]) a += 1;
    else b += 1;
  }
  return pairs;
}

/** @type {(a: string, b: string) => number} */
const same = (a, b) => (a === b ? (/^\s/.test(a) ? 0.1 : 1) : 0);
/** The longest lines, in tokens, and the most lines that are compared word by word. */
const LONGEST = 300;
const MOST_PAIRED = 40;

/**
 * How alike two lines are, from 0 to 1.
 *
 * @param {string} one
 * @param {string} other
 */
function alike(one, other) {
  const [a, b] = [tokens(one), tokens(other)];
  if (Math.max(a.length, b.length) > LONGEST) return 0;
  /** @type {(all: string[]) => string[]} */
  const words = (all) => all.filter((token) => /[\p{L}\p{N}]/u.test(token));
  const [left, right] = [words(a), words(b)];
  return (2 * common(left, right, same).length) / Math.max(1, left.length + right.length);
}

/**
 * The rows of a stage: what happens to each line, by which name, and what of it is other.
 *
 * @param {number} stage
 */
function rowsOf(stage) {
  const before = textOf(stage - 1);
  /** @type {Map<number, number>} */
  const gone = new Map();
  /** @type {Map<number, number>} */
  const come = new Map();
  /** @type {(map: Map<number, number>, line: number) => void} */
  const count = (map, line) => map.set(line, (map.get(line) ?? 0) + 1);
  let place = 0;
  for (const edit of stages[stage].edits) {
    if (Array.isArray(edit)) {
      for (const line of edit) count(come, line);
    } else {
      const end = place + Math.abs(edit);
      if (edit < 0) for (const line of before.slice(place, end)) count(gone, line);
      place = end;
    }
  }
  /** @type {(map: Map<number, number>, line: number) => boolean} */
  const take = (map, line) => {
    const left = map.get(line) ?? 0;
    if (left) map.set(line, left - 1);
    return left > 0;
  };
  const [moved, movedAway] = [new Map(come), new Map(gone)];
  for (const map of [moved, movedAway]) {
    for (const line of map.keys()) map.set(line, Math.min(gone.get(line) ?? 0, come.get(line) ?? 0));
  }
  /** @type {Row[]} */
  const rows = [];
  let number = 0;
  place = 0;
  /** @type {{ removed: Row[], added: Row[] }} */
  let hunk = { removed: [], added: [] };
  const flush = () => {
    rows.push(...paired(hunk));
    hunk = { removed: [], added: [] };
  };
  for (const edit of stages[stage].edits) {
    if (Array.isArray(edit)) {
      for (const line of edit) {
        number += 1;
        const kind = stage > 0 && take(moved, line) ? "moved" : "added";
        hunk.added.push({ kind: stage ? kind : "kept", line, number });
      }
    } else if (edit < 0) {
      for (const line of before.slice(place, place - edit)) {
        if (!take(movedAway, line)) hunk.removed.push({ kind: "removed", line, number: null });
      }
      place -= edit;
    } else {
      flush();
      for (const line of before.slice(place, place + edit)) {
        number += 1;
        rows.push({ kind: "kept", line, number });
      }
      place += edit;
    }
  }
  flush();
  // The empty line at the end of every text.
  if (rows.length && data.lines[rows[rows.length - 1].line] === "") rows.pop();
  return rows;
}

/**
 * Lines that went and came at one place: those that are alike stand below each other.
 *
 * @param {{ removed: Row[], added: Row[] }} hunk
 */
function paired({ removed, added }) {
  const come = added.filter((row) => row.kind === "added");
  /** @type {[number, number][]} */
  let pairs = [];
  if (removed.length && come.length && Math.max(removed.length, come.length) <= MOST_PAIRED) {
    /** @type {Map<string, number>} */
    const cache = new Map();
    /** @type {(a: Row, b: Row) => number} */
    const value = (a, b) => {
      const key = `${a.line} ${b.line}`;
      const known = cache.get(key) ?? alike(data.lines[a.line], data.lines[b.line]);
      cache.set(key, known);
      return known >= 0.5 ? known : 0;
    };
    pairs = common(removed, come, value);
  }
  /** @type {Row[]} */
  const rows = [];
  let at = 0;
  /** @type {Map<Row, number>} */
  const partner = new Map();
  for (const [a, b] of pairs) {
    partner.set(come[b], a);
    const [old, now] = [tokens(data.lines[removed[a].line]), tokens(data.lines[come[b].line])];
    const kept = common(old, now, same);
    removed[a].kept = new Set(kept.map(([left]) => left));
    come[b].kept = new Set(kept.map(([, right]) => right));
  }
  for (const row of added) {
    const until = partner.get(row);
    if (until !== undefined) {
      for (; at <= until; at += 1) rows.push(removed[at]);
    }
    rows.push(row);
  }
  return [...rows, ...removed.slice(at)];
}

/**
 * A line, with marks at words that are other.
 *
 * @param {Row} row
 */
function written(row) {
  const line = data.lines[row.line];
  const all = tokens(line);
  const isEdge = !/^(@|(type|const|var)\s)/.test(line);
  const way = isEdge ? all.indexOf(":") : -1;
  const wrapper = row.kind === "added" ? "ins" : row.kind === "removed" ? "del" : "span";
  const out = element(wrapper, "");
  let [run, className, marked] = ["", "", false];
  const flush = () => {
    if (!run) return;
    const part = className ? element("span", className, run) : run;
    out.append(marked ? element("mark", "", part) : part);
    run = "";
  };
  all.forEach((token, at) => {
    const nextClass = at <= way ? "way" : !isEdge && at === 0 ? "keyword" : "";
    const nextMarked = row.kept !== undefined && !row.kept.has(at);
    if (nextClass !== className || nextMarked !== marked) flush();
    [className, marked] = [nextClass, nextMarked];
    run += token;
  });
  flush();
  return out;
}

/** @type {Record<Kind, string>} */
const SIGNS = { kept: "", added: "+", removed: "−", moved: "↕" };
/** @type {Record<Kind, string>} */
const SPOKEN = { kept: "", added: "added: ", removed: "removed: ", moved: "moved: " };
/** How many lines are shown around those that changed, and how many at most before one asks for more. */
const AROUND = 2;
const MOST_ROWS = 1000;

/** @param {Row} row */
function rowElement(row) {
  const sign = element("span", "sign", SIGNS[row.kind]);
  sign.setAttribute("aria-hidden", "true");
  const at = element("span", "at", row.number === null ? "" : String(row.number));
  at.setAttribute("aria-hidden", "true");
  const line = element("span", "line");
  if (SPOKEN[row.kind]) line.append(element("span", "unseen", SPOKEN[row.kind]));
  line.append(written(row));
  const made = element("div", `row ${row.kind}`, at, sign, line);
  made.setAttribute("role", "listitem");
  return made;
}

/**
 * How many rows there are of a kind.
 *
 * @param {Row[]} rows
 * @param {Kind} kind
 */
function countOf(rows, kind) {
  return rows.filter((row) => row.kind === kind).length;
}

/**
 * A button in the place of lines, which shows them.
 *
 * @param {Row[]} rows
 * @returns {HTMLDivElement}
 */
function folded(rows) {
  /** @type {Kind[]} */
  const changes = ["added", "removed", "moved"];
  const kinds = changes.map((kind) => ({ kind, count: countOf(rows, kind) })).filter(({ count }) => count > 0);
  const words = kinds.map(({ kind, count }) => `${count.toLocaleString("en")} ${kind}`);
  const button = element("button", "", [`⋯ ${counted(rows.length, "line")}`, ...words].join(", "));
  button.title = "Show these lines";
  const fold = element("div", "folded", button);
  fold.setAttribute("role", "listitem");
  button.addEventListener("click", () => {
    const opened = rows.slice(0, MOST_ROWS).map(rowElement);
    if (rows.length > MOST_ROWS) opened.push(folded(rows.slice(MOST_ROWS)));
    fold.replaceWith(...opened);
    by("text").focus({ preventScroll: true });
  });
  return fold;
}

/** @param {Row[]} rows */
function showText(rows) {
  const lines = element("div", "lines");
  lines.setAttribute("role", "list");
  const counts = { added: countOf(rows, "added"), removed: countOf(rows, "removed"), moved: countOf(rows, "moved") };
  const isReal = counts.added + counts.removed > 0;
  /** @type {(row: Row) => boolean} */
  const isChange = (row) => row.kind === "added" || row.kind === "removed" || (!isReal && row.kind === "moved");
  const shown = rows.map(() => view.allLines || view.stage === 0);
  rows.forEach((row, at) => {
    if (isChange(row)) shown.fill(true, Math.max(0, at - AROUND), Math.min(rows.length, at + AROUND + 1));
  });
  if (shown.filter(Boolean).length > MOST_ROWS) {
    // Those from the first change on, or a little before it where all lines are asked for.
    const first = Math.max(0, rows.findIndex(isChange));
    const from = view.allLines ? Math.max(0, first - MOST_ROWS / 2) : first - AROUND;
    let left = MOST_ROWS;
    shown.forEach((isShown, at) => {
      shown[at] = isShown && at >= from && left > 0;
      left -= shown[at] ? 1 : 0;
    });
  }
  for (let at = 0; at < rows.length; ) {
    if (shown[at]) {
      lines.append(rowElement(rows[at]));
      at += 1;
      continue;
    }
    let end = at;
    while (end < rows.length && !shown[end]) end += 1;
    lines.append(folded(rows.slice(at, end)));
    at = end;
  }
  lines.style.setProperty("--digits", String(String(rows.length).length));
  const pane = by("text");
  pane.replaceChildren(lines);
  /** @type {HTMLElement | null} */
  const first = lines.querySelector(".row.added, .row.removed") ?? lines.querySelector(".row.moved");
  pane.scrollTo(0, first ? Math.max(0, first.offsetTop - pane.clientHeight / 3) : 0);
  const badges = [];
  if (view.stage === 0) badges.push(element("span", "", counted(rows.length, "line")));
  else {
    if (counts.added) badges.push(element("span", "added", `+ ${counted(counts.added, "line")}`));
    if (counts.removed) badges.push(element("span", "removed", `− ${counted(counts.removed, "line")}`));
    if (counts.moved) badges.push(element("span", "moved", `↕ ${counts.moved.toLocaleString("en")} moved`));
  }
  by("counts").replaceChildren(...badges);
  return counts;
}

/* The drawing. */

/**
 * Where the drawing of the whole automaton is: an automaton whose edges stay has that of before.
 *
 * @param {number} stage
 */
function wholeOf(stage) {
  let at = stage;
  while (at > 0 && stages[at].changed === 0) at -= 1;
  return template(`whole-${at}`);
}

/**
 * A drawing, if there is one.
 *
 * @param {string} id
 */
function template(id) {
  const found = document.getElementById(id);
  return found instanceof HTMLTemplateElement ? found : null;
}

function showDrawing() {
  const stage = stages[view.stage];
  const change = template(`change-${view.stage}`);
  const isWhole = view.whole || stage.changed === 0;
  const shown = isWhole ? wholeOf(view.stage) : change;
  press("what-changed", !isWhole);
  press("whole", isWhole);
  enable("what-changed", stage.changed > 0);
  let note = "";
  if (view.stage > 0 && stage.changed === 0) note = "no edge changed";
  else if (!isWhole && stage.drawn < stage.changed) {
    note = `${stage.drawn} of ${counted(stage.changed, "changed edge")} and some beside them`;
  } else if (!isWhole) note = `${counted(stage.changed, "changed edge")} and some beside`;
  by("drawing-note").textContent = note;
  const pane = by("drawing");
  if (!shown) {
    const words = isWhole
      ? "The automaton is too large to be drawn as a whole."
      : "What changed is too tangled to be drawn.";
    pane.replaceChildren(element("p", "nothing", words));
    return;
  }
  const drawn = document.importNode(shown.content, true);
  if (shown.id !== `whole-${view.stage}` && isWhole) {
    // Nodes that were new then are not new now.
    for (const marked of drawn.querySelectorAll(".added")) marked.classList.remove("added");
  }
  pane.replaceChildren(drawn);
  scale();
  // Of the whole automaton what is new first is looked for, of what changed where that begins.
  pane.scrollTo(0, 0);
  const frame = pane.getBoundingClientRect();
  const marks = [...pane.querySelectorAll(isWhole ? ".added" : ".added, .removed")];
  if (!marks.length) return;
  const places = marks.map((mark) => mark.getBoundingClientRect());
  const left = isWhole ? places[0].left : Math.min(...places.map((place) => place.left));
  pane.scrollLeft = left - frame.left - frame.width / 4;
  if (isWhole) pane.scrollTop = places[0].top - frame.top - frame.height / 3;
}

/** The least part of its size to which a drawing is made to fit. */
const LEAST = 0.55;

/**
 * The zoom that makes a drawing as large as there is room.
 *
 * @param {SVGSVGElement} svg
 * @param {HTMLElement} pane
 */
function fitting(svg, pane) {
  const { width, height } = svg.viewBox.baseVal;
  // Where the pane grows with what is in it, it grows up to a bound.
  const most = Number.parseFloat(getComputedStyle(pane).maxHeight) || pane.clientHeight;
  const room = Math.min((pane.clientWidth - 2) / width, (most - 2) / height);
  return Math.min(1.15, Math.max(LEAST, room));
}

function scale() {
  const pane = by("drawing");
  const svg = pane.querySelector("svg");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  const zoom = view.zoom ?? fitting(svg, pane);
  svg.setAttribute("width", String(width * zoom));
  svg.setAttribute("height", String(height * zoom));
}

/** @param {number} factor */
function zoomBy(factor) {
  const pane = by("drawing");
  const svg = pane.querySelector("svg");
  if (!svg) return;
  view.zoom = Math.min(4, Math.max(0.1, (view.zoom ?? fitting(svg, pane)) * factor));
  scale();
}

/* The measures. */

/** @typedef {"nodes" | "edges" | "checks" | "variables" | "constants" | "bits"} Measure */
/** @type {Measure[]} */
const MEASURES = ["nodes", "edges", "checks", "variables", "constants", "bits"];

function makeNumbers() {
  stages.forEach((stage, number) => {
    const head = element("th", "", `${number} ${stage.name}`);
    head.scope = "row";
    head.style.textAlign = "left";
    const cells = MEASURES.map((measure) => {
      const cell = element("td", "", stage[measure].toLocaleString("en"));
      const less = number ? stage[measure] - stages[number - 1][measure] : 0;
      if (less) {
        cell.classList.add(less < 0 ? "less" : "more");
        cell.title = signed(less);
      }
      return cell;
    });
    const row = element("tr", "", head, ...cells, element("td", "", time(stage.seconds)));
    row.addEventListener("click", () => show(number));
    by("rows").append(row);
  });
}

/** @type {Measure[]} */
const SERIES = ["edges", "nodes"];
const CHART = { top: 8, bottom: 10, digit: 7 };

/** How nodes and edges fall, with the stage that is looked at. */
function showChart() {
  const { top, bottom, digit } = CHART;
  const [width, height] = [Math.max(200, by("chart").clientWidth), by("chart").clientHeight];
  const most = Math.max(...stages.map((stage) => Math.max(stage.nodes, stage.edges)), 1);
  const side = 12 + digit * String(most).length;
  const step = (width - 2 * side) / stages.length;
  /** @type {(at: number) => number} */
  const x = (at) => side + at * step;
  /** @type {(value: number) => number} */
  const y = (value) => top + (1 - value / most) * (height - top - bottom);
  const [start, end] = [stages[0], stages[last]];
  const chart = svgElement("svg", {
    width,
    height,
    role: "img",
    "aria-label": `nodes from ${start.nodes} to ${end.nodes}, edges from ${start.edges} to ${end.edges}`,
  });
  chart.append(svgElement("rect", { class: "now", x: x(view.stage), y: 0, width: step, height }));
  for (const value of [0, most]) {
    chart.append(svgElement("line", { class: "grid", x1: side, x2: width - side, y1: y(value), y2: y(value) }));
    chart.append(svgElement("text", { x: side - 5, y: y(value) + 4 }, String(value)));
  }
  for (const measure of SERIES) {
    const path = stages.map((stage, at) => `${at ? "V" : `M${x(0)} `}${y(stage[measure])}H${x(at + 1)}`);
    chart.append(svgElement("path", { class: `series ${measure}`, d: path.join("") }));
    // Two numbers do not stand on each other.
    const apart = Math.max(0, 12 - Math.abs(y(end.nodes) - y(end.edges))) / 2;
    const isAbove = measure === (end.nodes > end.edges ? "nodes" : "edges");
    const at = y(end[measure]) + 4 + (isAbove ? -apart : apart);
    chart.append(svgElement("text", { class: `end ${measure}`, x: width - side + 5, y: at }, String(end[measure])));
  }
  stages.forEach((stage, at) => {
    const hit = svgElement("rect", { class: "hit", x: x(at), y: 0, width: step, height });
    hit.append(
      svgElement("title", {}, `${at} ${stage.name}: ${counted(stage.nodes, "node")}, ${counted(stage.edges, "edge")}`),
    );
    hit.addEventListener("click", () => show(at));
    chart.append(hit);
  });
  by("chart").replaceChildren(chart);
}

/* The list. */

function makeList() {
  /** @type {number | null} */
  let round = null;
  stages.forEach((stage, number) => {
    if (stage.round !== null && stage.round !== round) {
      by("stages").append(element("li", "round", `round ${stage.round}`));
    }
    round = stage.round;
    const link = element("a", "", element("span", "number", String(number)), element("span", "", stage.name));
    link.href = `#${number}`;
    const less =
      number === 0
        ? [counted(stage.nodes, "node"), counted(stage.edges, "edge")]
        : MEASURES.flatMap((measure) => {
            const change = stage[measure] - stages[number - 1][measure];
            return change ? [`${signed(change)} ${Math.abs(change) === 1 ? measure.slice(0, -1) : measure}`] : [];
          }).slice(0, 2);
    if (less.length) link.append(element("span", "less", less.join(", ")));
    by("stages").append(element("li", "", link));
  });
}

/**
 * @param {string} id
 * @param {boolean} isPressed
 */
function press(id, isPressed) {
  by(id).setAttribute("aria-pressed", String(isPressed));
}

/**
 * @param {string} id
 * @param {boolean} isEnabled
 */
function enable(id, isEnabled) {
  by(id).setAttribute("aria-disabled", String(!isEnabled));
}

/**
 * Makes a child visible in what scrolls, without moving the page.
 *
 * @param {Element} pane
 * @param {Element} child
 */
function reveal(pane, child) {
  const [frame, inner] = [pane.getBoundingClientRect(), child.getBoundingClientRect()];
  if (inner.top < frame.top + 24) pane.scrollTop += inner.top - frame.top - 40;
  else if (inner.bottom > frame.bottom) pane.scrollTop += inner.bottom - frame.bottom + 20;
}

/** Marks the stage in the list and in the table. */
function markCurrent() {
  for (const [list, pane] of [
    ["#stages a", "stages"],
    ["#rows tr", "numbers"],
  ]) {
    document.querySelectorAll(list).forEach((item, at) => {
      if (at !== view.stage) item.removeAttribute("aria-current");
      else {
        item.setAttribute("aria-current", "step");
        reveal(by(pane), item);
      }
    });
  }
}

let remembering = 0;

/**
 * Brings the page to a stage.
 *
 * @param {number} number
 */
function show(number) {
  view.stage = Math.min(last, Math.max(0, number));
  const stage = stages[view.stage];
  const before = stages[Math.max(0, view.stage - 1)];
  slider.value = String(view.stage);
  slider.setAttribute("aria-valuetext", `${view.stage} of ${last}, ${stage.name}`);
  by("place").textContent = `${view.stage} of ${last}`;
  for (const id of ["first", "before"]) enable(id, view.stage > 0);
  for (const id of ["next", "last"]) enable(id, view.stage < last);
  by("name").textContent = stage.name;
  const how = [stage.about];
  if (stage.round !== null) how.push(`round\u00a0${stage.round}`);
  if (stage.seconds !== null) how.push(time(stage.seconds));
  by("about").textContent = how.join(" · ");
  const { added, removed, moved } = showText(rowsOf(view.stage));
  showDrawing();
  showChart();
  markCurrent();
  /** @type {(measure: Measure) => string} */
  const of = (measure) =>
    before[measure] === stage[measure]
      ? `${stage[measure]} ${measure}`
      : `${measure} from ${before[measure]} to ${stage[measure]}`;
  by("told").textContent =
    `Stage ${view.stage} of ${last}: ${stage.name}, ${stage.about}. ${of("nodes")}, ${of("edges")}. `
    + `${counted(added, "line")} added, ${removed} removed, ${moved} moved.`;
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    if (asked() !== view.stage) location.replace(`#${view.stage}`);
  }, 120);
}

/** The stage that the address asks for. */
function asked() {
  const number = Number.parseInt(location.hash.slice(1), 10);
  return Number.isNaN(number) ? 0 : Math.min(last, Math.max(0, number));
}

/** @type {Record<string, () => number>} */
const ways = { first: () => 0, before: () => view.stage - 1, next: () => view.stage + 1, last: () => last };
for (const [id, way] of Object.entries(ways)) by(id).addEventListener("click", () => show(way()));
slider.max = String(last);
slider.addEventListener("input", () => show(Number(slider.value)));

/** @type {Record<string, string>} */
const keys = { ArrowLeft: "before", ArrowRight: "next", Home: "first", End: "last" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const focus = document.activeElement;
  if (event.key in keys) {
    // An element that scrolls sideways takes the keys for itself while it has the focus; so does the slider.
    const scrolls = focus?.matches("[tabindex='0'][role=region]") && focus.scrollWidth > focus.clientWidth;
    if (scrolls || focus === slider) return;
    show(ways[keys[event.key]]());
  } else if (event.key === "+") zoomBy(1.25);
  else if (event.key === "-") zoomBy(0.8);
  else if (event.key === "0") by("fit").click();
  else if (event.key === "f") alone();
  else return;
  event.preventDefault();
});

/** @param {boolean} allLines */
function lines(allLines) {
  view.allLines = allLines;
  press("all", allLines);
  press("changes", !allLines);
  showText(rowsOf(view.stage));
}
by("changes").addEventListener("click", () => lines(false));
by("all").addEventListener("click", () => lines(true));

/** @param {boolean} whole */
function drawing(whole) {
  view.whole = whole;
  view.zoom = null;
  showDrawing();
}
by("what-changed").addEventListener("click", () => drawing(false));
by("whole").addEventListener("click", () => drawing(true));
by("larger").addEventListener("click", () => zoomBy(1.25));
by("smaller").addEventListener("click", () => zoomBy(0.8));
by("fit").addEventListener("click", () => {
  view.zoom = null;
  scale();
});
const main = by("main");

function alone() {
  const isAlone = main.classList.toggle("alone");
  press("alone", isAlone);
  if (!isAlone) show(view.stage);
  else showDrawing();
}
by("alone").addEventListener("click", alone);

addEventListener("resize", () => {
  scale();
  showChart();
  markCurrent();
});
addEventListener("hashchange", () => {
  if (asked() !== view.stage) show(asked());
});

by("game").textContent = data.game;
/** @type {(measure: Measure) => string} */
const fall = (measure) =>
  `${stages[0][measure].toLocaleString("en")} → ${stages[last][measure].toLocaleString("en")} ${measure}`;
by("summary").textContent = last ? `${fall("nodes")}, ${fall("edges")}` : "nothing to optimise";
makeList();
makeNumbers();
show(asked());
