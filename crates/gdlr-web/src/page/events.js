// Telling others what happens.

/**
 * An object that others listen to. `Events` has the data of each event, by the name of the event.
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
