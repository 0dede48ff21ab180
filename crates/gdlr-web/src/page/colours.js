// The parts of a rulesheet in colour, line by line: comments, variables, keywords, brackets.

const KEYWORDS = new Set([
  "role",
  "base",
  "input",
  "init",
  "true",
  "does",
  "next",
  "legal",
  "goal",
  "terminal",
  "sees",
  "distinct",
  "not",
  "or",
  "<=",
  "random",
]);
const KIF = /;.*|\?[^\s();]*|[()]|[^\s();]+/g;
const INFIX = /[%;].*|"[^"\n]*"|:-|[(),&|~]|[^\s(),&|~%;":]+|[":]/g;

/** @typedef {{ start: number, end: number, kind: string }} Part a coloured part of a line */

/**
 * Whether a text is likely to be in infix notation: it does not begin with a bracket.
 *
 * @param {string} text
 */
export function isInfix(text) {
  const bare = text
    .slice(0, 20_000)
    .replace(/[;%].*/g, "")
    .trimStart();
  return !bare.startsWith("(") && (bare.includes(":-") || /^\s*%/m.test(text));
}

/**
 * The coloured parts of a line, in order.
 *
 * @param {string} line
 * @param {boolean} infix
 */
export function parts(line, infix) {
  /** @type {Part[]} */
  const found = [];
  for (const match of line.matchAll(infix ? INFIX : KIF)) {
    const kind = kindOf(match[0], infix);
    if (kind) found.push({ start: match.index, end: match.index + match[0].length, kind });
  }
  return found;
}

/**
 * @param {string} token
 * @param {boolean} infix
 */
function kindOf(token, infix) {
  if (token.startsWith(";") || (infix && token.startsWith("%"))) return "comment";
  if (/^[(),]$/.test(token)) return "bracket";
  if (infix ? /^([A-Z_]|"\?)/.test(token) : token.startsWith("?")) return "variable";
  if (KEYWORDS.has(token.toLowerCase()) || /^(:-|[&|~])$/.test(token)) return "keyword";
  return null;
}
