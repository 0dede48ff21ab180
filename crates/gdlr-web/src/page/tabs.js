// Tabs: one of several panels is on show; arrow keys go from tab to tab.

/** Calls `shown` with the name of the panel whenever another one is shown. */
export class Tabs {
  constructor(list, shown = () => {}) {
    this.list = list;
    this.tabs = [...list.querySelectorAll("[role=tab]")];
    this.shown = shown;
    list.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (tab) this.show(tab.dataset.panel);
    });
    list.addEventListener("keydown", (event) => this.#key(event));
    this.show(this.tabs[0].dataset.panel);
  }

  /** The name of the panel on show. */
  get current() {
    return this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true").dataset.panel;
  }

  show(name) {
    for (const tab of this.tabs) {
      const is = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !is;
    }
    this.shown(name);
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const seen = this.tabs.filter((tab) => tab.offsetParent !== null);
    const next = seen[(seen.indexOf(document.activeElement) + step + seen.length) % seen.length];
    this.show(next.dataset.panel);
    next.focus();
  }
}
