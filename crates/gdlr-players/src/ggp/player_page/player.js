// A player at the manager of Stanford's course, in a tab of the manager's site. The manager writes a message for
// a player into the storage of the site, under the name of the player, and finds the answer under its own.
// Messages go to `gdlr serve --protocol gamemaster`, where this script comes from, and answers come back as they are.
//
// The names are those of the variables `player` and `manager` of the page, which players of the course have, too.

(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const server = new URL("/", script.src).href;
  const names = /** @type {{ player?: string, manager?: string }} */ (/** @type {unknown} */ (window));
  // An element of the page may have the same name.
  if (typeof names.player !== "string") {
    names.player = script.dataset.player ?? "gdlr";
  }
  if (typeof names.manager !== "string") {
    names.manager = "manager";
  }

  /**
   * Adds a line to the transcript, if the page has one.
   * @param {string} line
   */
  function note(line) {
    const transcript = document.getElementById("transcript");
    if (transcript instanceof HTMLTextAreaElement) {
      transcript.value += `${line}\n`;
    }
  }

  /**
   * Hands a message to the server, and its answer to the manager.
   * @param {string} message
   */
  async function carry(message) {
    note(message);
    const response = await fetch(server, { method: "POST", body: message });
    const text = await response.text();
    if (text !== "") {
      note(text);
    }
    // No answer is right where another player is to move; a reason why there is none is for people.
    if (response.ok && text !== "") {
      localStorage.setItem(names.manager ?? "", text);
    } else if (!response.ok) {
      console.error(text);
    }
  }

  window.addEventListener("storage", (event) => {
    if (event.key === names.player && event.newValue) {
      carry(event.newValue).catch((error) => {
        note(`${server} cannot be reached: ${error}`);
        console.error(error);
      });
    }
  });
})();
