// Places in a text: the service counts bytes of UTF-8, the browser units of UTF-16.

const encoder = new TextEncoder();

/** Goes between both ways of counting, for one text. */
export class Places {
  /**
   * By unit of UTF-16, if the two differ.
   *
   * @type {Uint32Array | null}
   */
  #bytes = null;

  /** @param {string} text */
  constructor(text) {
    this.length = text.length;
    // In most rulesheets both are the same.
    if (/[\u0080-\uffff]/.test(text)) this.#bytes = bytesBefore(text);
  }

  /**
   * Bytes before a unit of UTF-16.
   *
   * @param {number} unit
   */
  toBytes(unit) {
    const at = Math.min(unit, this.length);
    return this.#bytes ? this.#bytes[at] : at;
  }

  /**
   * The unit of UTF-16 that begins at a byte, or that it is in.
   *
   * @param {number} byte
   */
  fromBytes(byte) {
    const bytes = this.#bytes;
    if (!bytes) return Math.min(byte, this.length);
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (bytes[middle] <= byte) low = middle;
      else high = middle - 1;
    }
    // Two units share a character beyond the first plane: its first one is meant.
    return low > 0 && bytes[low - 1] === bytes[low] ? low - 1 : low;
  }
}

/**
 * By unit of UTF-16, and for the end: how many bytes stand before the character it is in.
 *
 * @param {string} text
 */
function bytesBefore(text) {
  const before = new Uint32Array(text.length + 1);
  let [bytes, unit] = [0, 0];
  for (const character of text) {
    before.fill(bytes, unit, unit + character.length);
    bytes += encoder.encode(character).length;
    unit += character.length;
  }
  before[text.length] = bytes;
  return before;
}

/**
 * Where each line begins.
 *
 * @param {string} text
 */
export function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * The number of the line, from 0, that a place is in.
 *
 * @param {number[]} starts
 * @param {number} at
 */
export function lineAt(starts, at) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * By the number of digits behind the point.
 *
 * @type {Map<number, Intl.NumberFormat>}
 */
const formats = new Map();

/**
 * A number for people: `1,234,567` or `0.31`.
 *
 * @param {number} value
 */
export function number(value, digits = 0) {
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  return format.format(value);
}

/**
 * A large number, in short: `1.8 billion`.
 *
 * @param {number} value
 */
export function large(value) {
  /** @type {[number, string][]} */
  const units = [
    [1e9, "billion"],
    [1e6, "million"],
  ];
  const unit = units.find(([size]) => value >= size);
  if (!unit) return number(value);
  const scaled = value / unit[0];
  return `${number(scaled, scaled < 100 ? 1 : 0)} ${unit[1]}`;
}

/**
 * A time for people.
 *
 * @param {number} value
 */
export function seconds(value) {
  if (value < 0.001) return `${number(value * 1e6)} µs`;
  if (value < 1) return `${number(value * 1e3, value < 0.1 ? 1 : 0)} ms`;
  return `${number(value, 1)} s`;
}

/**
 * `1 move`, `2 moves`.
 *
 * @param {number} n
 * @param {string} noun
 */
export function count(n, noun) {
  return `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/**
 * `a`, `a and b`, `a, b and c`.
 *
 * @param {string[]} names
 */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
