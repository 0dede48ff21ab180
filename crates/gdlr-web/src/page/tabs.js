// Tabs: one of several panels is on show; arrow keys go from tab to tab.

import { around, find } from "./dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** Calls `shown` with the name of the panel whenever another one is shown. */
export class Tabs {
  /**
   * @param {HTMLElement} list
   * @param {(name: string) => void} [shown]
   */
  constructor(list, shown = () => {}) {
    this.list = list;
    this.tabs = [...list.querySelectorAll("button")];
    this.shown = shown;
    list.addEventListener("click", (event) => {
      const tab = around(event, "[role=tab]");
      if (tab) this.show(panelOf(tab));
    });
    list.addEventListener("keydown", (event) => this.#key(event));
    this.show(panelOf(this.tabs[0]));
  }

  /** The name of the panel on show. */
  get current() {
    return panelOf(this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? this.tabs[0]);
  }

  /** @param {string} name */
  show(name) {
    for (const tab of this.tabs) {
      const is = panelOf(tab) === name;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      find(tab.getAttribute("aria-controls") ?? "").hidden = !is;
    }
    this.shown(name);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const seen = this.tabs.filter((tab) => tab.offsetParent !== null);
    const next = seen[(seen.findIndex((tab) => tab === document.activeElement) + step + seen.length) % seen.length];
    this.show(panelOf(next));
    next.focus();
  }
}

/**
 * The name of the panel of a tab.
 *
 * @param {HTMLElement} tab
 */
function panelOf(tab) {
  return tab.dataset.panel ?? "";
}
