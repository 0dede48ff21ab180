// Telling others what happens.

/**
 * What others can listen to. `Events` has what they are told, by the name of what happens.
 *
 * @template {object} Events
 */
export class Teller {
  #target = new EventTarget();

  /**
   * Calls `listener` with what is told whenever this happens.
   *
   * @template {keyof Events & string} Kind
   * @param {Kind} kind
   * @param {(detail: Events[Kind]) => void} listener
   */
  on(kind, listener) {
    this.#target.addEventListener(kind, (event) => listener(/** @type {CustomEvent<Events[Kind]>} */ (event).detail));
  }

  /**
   * @template {keyof Events & string} Kind
   * @param {Kind} kind
   * @param {Events[Kind]} detail
   */
  tell(kind, detail) {
    this.#target.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
