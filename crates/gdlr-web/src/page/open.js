// Choosing what to play: a bundled game, a file, or rules that are pasted.

import { Refusal, get } from "./api.js";
import { button, make } from "./dom.js";
import { count } from "./text.js";
import { refusal } from "./explain.js";

/** @import { Bundled, GameWish, MatchRecord } from "./service.js" */
/**
 * The places in the page.
 *
 * @typedef {object} Parts
 * @property {HTMLDialogElement} dialog
 * @property {HTMLElement} list of the bundled games
 * @property {HTMLInputElement} filter of that list
 * @property {HTMLInputElement} file
 * @property {HTMLTextAreaElement} paste
 * @property {HTMLElement} pasteForm
 * @property {HTMLInputElement} disguise whether names are to be made up
 * @property {HTMLElement} trouble
 * @property {HTMLElement} close
 */
/**
 * The functions that open a game, or one of the plays of a record. Both throw the `Refusal` of the service.
 *
 * @typedef {object} Calls
 * @property {(wish: GameWish) => Promise<void>} game
 * @property {(record: MatchRecord, playout: number) => Promise<void>} record
 */

/** The service takes requests of 1 MiB. */
const LARGEST = 1 << 20;

export class Opener {
  /**
   * `game` is called with what is wanted of `POST /api/games`, `record` with a record and which of
   * its plays; both promise to throw what was refused.
   *
   * @param {Parts} parts
   * @param {Calls} calls
   */
  constructor({ dialog, list, filter, file, paste, pasteForm, disguise, trouble, close }, { game, record }) {
    this.dialog = dialog;
    this.list = list;
    this.filter = filter;
    this.file = file;
    this.paste = paste;
    this.disguise = disguise;
    this.trouble = trouble;
    this.game = game;
    this.record = record;
    filter.addEventListener("input", () => this.#filter());
    file.addEventListener("change", () => this.#take(file.files?.[0]));
    pasteForm.addEventListener("submit", (event) => {
      event.preventDefault();
      if (paste.value.trim()) this.#try(() => this.game(this.#wish({ text: paste.value, name: "pasted" })));
    });
    close.addEventListener("click", () => dialog.close());
    this.#acceptDrops();
  }

  /** Lists the bundled games. */
  async fill() {
    /** @type {Bundled} */
    const { bundled } = await get("/games");
    this.list.replaceChildren(
      ...bundled.map(({ name, title }) =>
        make(
          "li",
          { data: { words: `${name} ${title}`.toLowerCase() } },
          button("", () => this.#try(() => this.game(this.#wish({ name }))), {
            className: "game",
            data: { game: name },
          }),
        ),
      ),
    );
    for (const [i, entry] of [...this.list.querySelectorAll("button")].entries()) {
      entry.append(make("strong", {}, bundled[i].title), make("code", {}, bundled[i].name));
    }
    return bundled.map((one) => one.name);
  }

  open() {
    this.trouble.replaceChildren();
    if (!this.dialog.open) this.dialog.showModal();
  }

  #filter() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const entry of this.list.querySelectorAll("li")) entry.hidden = !entry.dataset.words?.includes(wanted);
  }

  /**
   * With made-up names, if that is wanted.
   *
   * @param {GameWish} what
   */
  #wish(what) {
    return this.disguise.checked ? { ...what, obfuscate: Math.floor(Math.random() * 1e9) } : what;
  }

  /**
   * Does what was chosen; what is refused is said in the dialog.
   *
   * @param {() => Promise<void>} act
   */
  async #try(act) {
    this.trouble.replaceChildren();
    this.dialog.setAttribute("aria-busy", "true");
    try {
      await act();
      this.dialog.close();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.open();
      this.trouble.replaceChildren(...refusal(error, () => {}));
    } finally {
      this.dialog.removeAttribute("aria-busy");
    }
  }

  /**
   * A file: a record if it is JSON, else rules.
   *
   * @param {File} [file]
   */
  async #take(file) {
    if (!file) return;
    this.file.value = "";
    await this.#try(async () => {
      if (file.size > LARGEST) throw new Refusal(0, { message: `${file.name} is larger than 1 MiB` });
      const text = await file.text();
      if (!/^\s*\{/.test(text)) return this.game(this.#wish({ text, name: file.name.replace(/\.\w+$/, "") }));
      return this.#takeRecord(file.name, text);
    });
  }

  /**
   * @param {string} name of the file
   * @param {string} text
   */
  async #takeRecord(name, text) {
    /** @type {MatchRecord} */
    let record;
    try {
      record = JSON.parse(text);
    } catch {
      throw new Refusal(0, { message: `${name} looks like a record, but is no JSON` });
    }
    const plays = record.playouts?.length ?? 0;
    if (plays === 0) throw new Refusal(0, { message: `${name} has no plays` });
    await this.record(record, plays === 1 ? 0 : await this.#which(plays));
  }

  /**
   * Which of several plays of a record.
   *
   * @param {number} plays
   * @returns {Promise<number>}
   */
  #which(plays) {
    return new Promise((choose) => {
      const entries = Array.from({ length: plays }, (_, i) =>
        button(`Play ${i + 1}`, () => choose(i), { className: "small" }),
      );
      this.trouble.replaceChildren(make("p", {}, `This record has ${count(plays, "play")}. Which one?`), ...entries);
      if (!this.dialog.open) this.dialog.showModal();
    });
  }

  /** Files may be dropped anywhere on the page. */
  #acceptDrops() {
    /** @type {(event: DragEvent) => boolean} */
    const isFile = (event) => event.dataTransfer?.types.includes("Files") ?? false;
    document.addEventListener("dragover", (event) => {
      if (isFile(event)) event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      this.#take(event.dataTransfer?.files[0]);
    });
  }
}
