// Making elements. Whatever comes from a rulesheet gets into the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties and children (elements, texts; null and false are left out).
 * `on` holds listeners by event, `data` the data attributes; of the others, functions of the element
 * (`value`, `checked`, `disabled`, `hidden`, …) are set as such and the rest as attributes.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (name in element && name !== "list") {
      element[name] = value;
    } else {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** The element of the page that has this id. */
export function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** One of the icons that stand at the head of the page. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** A text of the service: what stands between backticks there are words of a rulesheet. */
export function prose(text) {
  const pieces = text.split(/`([^`]+)`/);
  return pieces.map((piece, i) => (i % 2 ? make("code", {}, piece) : piece));
}

/** A button that does something. */
export function button(text, act, properties = {}) {
  return make("button", { type: "button", ...properties, on: { click: act } }, text);
}

/** Options of a `<select>`, as pairs of a value and a text. */
export function options(pairs, chosen) {
  return pairs.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
}

/** A picture of the service, as an element. */
function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = read.documentElement;
  if (root.localName !== "svg" || read.querySelector("parsererror")) throw new Error("the picture cannot be read");
  return document.importNode(root, true);
}

/** Shows a picture, whose styles end at `host`. The answer is its element. */
export function show(host, text) {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const svg = picture(text);
  if (!svg.hasAttribute("viewBox")) {
    svg.setAttribute(
      "viewBox",
      `0 0 ${parseFloat(svg.getAttribute("width"))} ${parseFloat(svg.getAttribute("height"))}`,
    );
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

/** Calls once it has been quiet for some milliseconds; `cancel` forgets a call that is due. */
export function debounced(milliseconds, act) {
  let timer = 0;
  const call = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...values), milliseconds);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}

/** Calls once when the browser has nothing else to do, such as to draw the page. */
export function whenIdle(act) {
  if (window.requestIdleCallback) requestIdleCallback(() => act(), { timeout: 500 });
  else setTimeout(act, 50);
}

/** Lets the browser save a text as a file. */
export function save(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
