// Making elements. Whatever comes from a rulesheet gets into the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child what is in an element; null and false are left out */
/** @typedef {{ [Kind in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Kind]) => void }} Listeners */
/** @typedef {{ on?: Listeners, data?: Record<string, string | number>, style?: string }} OwnProperties */

/**
 * The properties that an element is made with: its own, listeners by event, and data attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @typedef {Omit<Partial<HTMLElementTagNameMap[Tag]>, "style"> & OwnProperties} Properties
 */

/**
 * An element with properties and children (elements, texts; null and false are left out).
 * `on` holds listeners by event, `data` the data attributes; of the others, functions of the element
 * (`value`, `checked`, `disabled`, `hidden`, …) are set as such and the rest as attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties<Tag>} [properties]
 * @param {...(Child | Child[])} children
 */
export function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (name in element && name !== "list") {
      Reflect.set(element, name, value);
    } else {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...present(children.flat()));
  return element;
}

/**
 * All but null, undefined and false.
 *
 * @template {Node | string} Item
 * @param {(Item | null | undefined | false)[]} items
 */
export function present(items) {
  return items.flatMap((item) => (item === null || item === undefined || item === false ? [] : [item]));
}

/**
 * The element of the page that has this id.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind] what element it has to be
 * @returns {Kind}
 */
export function find(id, kind = /** @type {new () => Kind} */ (HTMLElement)) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no #${id} that is ${kind.name}`);
  return element;
}

/**
 * The element that fits a selector, and that an event is about or that is around that, or null.
 *
 * @param {Event} event
 * @param {string} selector
 */
export function around(event, selector) {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

/**
 * One of the icons that stand at the head of the page.
 *
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * A text of the service: what stands between backticks there are words of a rulesheet.
 *
 * @param {string} text
 */
export function prose(text) {
  const pieces = text.split(/`([^`]+)`/);
  return pieces.map((piece, i) => (i % 2 ? make("code", {}, piece) : piece));
}

/**
 * A button that does something.
 *
 * @param {string} text
 * @param {() => void} act
 * @param {Properties<"button">} [properties]
 */
export function button(text, act, properties = {}) {
  return make("button", { type: "button", ...properties, on: { click: act } }, text);
}

/**
 * Options of a `<select>`, as pairs of a value and a text.
 *
 * @param {string[][]} pairs
 * @param {string} [chosen] a value
 */
export function options(pairs, chosen) {
  return pairs.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
}

/**
 * A picture of the service, as an element.
 *
 * @param {string} text
 */
function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = document.importNode(read.documentElement, true);
  if (!(root instanceof SVGSVGElement) || read.querySelector("parsererror")) {
    throw new Error("the picture cannot be read");
  }
  return root;
}

/**
 * Shows a picture, whose styles end at `host`. The answer is its element.
 *
 * @param {HTMLElement} host
 * @param {string} text
 */
export function show(host, text) {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const svg = picture(text);
  if (!svg.hasAttribute("viewBox")) {
    const [width, height] = ["width", "height"].map((side) => parseFloat(svg.getAttribute(side) ?? "0"));
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("style", "display:block;width:100%;height:auto");
  // Who cannot see it is told what is there in other words.
  svg.setAttribute("aria-hidden", "true");
  for (const title of svg.querySelectorAll(":scope > title")) title.remove();
  shadow.replaceChildren(svg);
  return svg;
}

/**
 * Calls once it has been quiet for some milliseconds.
 *
 * @param {number} milliseconds
 * @param {() => void} act
 */
export function debounced(milliseconds, act) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
}

/**
 * Calls once when the browser has nothing else to do, such as to draw the page.
 *
 * @param {() => void} act
 */
export function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(() => act(), { timeout: 500 });
  else setTimeout(act, 50);
}

/**
 * Lets the browser save a text as a file.
 *
 * @param {string} name
 * @param {string} text
 */
export function save(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
