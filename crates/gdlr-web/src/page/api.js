// Talking to the service under /api, which docs/api.md describes.

/** @import { RefusalAnswer } from "./service.js" */
/** @typedef {string | number | null | undefined} Asked a value of a query; null and undefined are left out */

/** A request that the service refuses, and why. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 if the page itself does not want to
   * @param {Partial<RefusalAnswer>} [answer]
   */
  constructor(status, { code = "unknown", message = "Something went wrong.", help = null, ...more } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.help = help;
    this.more = more;
  }
}

/**
 * Whether the service says that it does not know a thing.
 *
 * @param {unknown} error
 */
export function isUnknown(error) {
  return error instanceof Refusal && error.code === "unknown";
}

// A cookie has the token by now: the address, which is seen, shared and logged, need not.
const page = new URL(location.href);
if (page.searchParams.has("token")) {
  page.searchParams.delete("token");
  history.replaceState(null, "", page);
}

/**
 * The address of a request: beside this script, wherever a proxy shows the page.
 *
 * @param {string} path
 * @param {Record<string, Asked>} [query]
 */
function address(path, query = {}) {
  const url = new URL(`api${path}`, import.meta.url);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(key, String(value));
  }
  return url;
}

/**
 * @template Answer
 * @param {string} method
 * @param {string} path
 * @param {{ query?: Record<string, Asked>, body?: object }} [more]
 * @returns {Promise<Answer>}
 */
async function request(method, path, { query, body } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address(path, query), { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Refusal(0, { code: "silent", message: "The service does not answer. Is gdlr web still running?" });
  }
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  const said = await (isJson ? answer.json() : answer.text());
  if (answer.ok) return said;
  throw new Refusal(answer.status, said.error ?? { message: `The service answered ${answer.status}.` });
}

/**
 * Asks the service. Who asks says of which type of service.d.ts the answer is: that is taken on trust.
 *
 * @template Answer
 * @param {string} path
 * @param {Record<string, Asked>} [query]
 * @returns {Promise<Answer>}
 */
export const get = (path, query) => request("GET", path, { query });

/**
 * Sends something to the service; the type of the answer is that which is wanted, as with `get`.
 *
 * @template Answer
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export const post = (path, body = {}) => request("POST", path, { body });

/**
 * Listens to a stream: `listeners` by event, with the data of each.
 *
 * @template {object} Events what comes, by the name of the event
 * @param {string} path
 * @param {Record<string, Asked>} query
 * @param {{ [Kind in keyof Events]: (data: Events[Kind]) => void }} listeners
 */
export function listen(path, query, listeners) {
  const stream = new EventSource(address(path, query));
  for (const [event, listener] of Object.entries(listeners)) {
    stream.addEventListener(event, (message) => listener(message.data ? JSON.parse(message.data) : null));
  }
  return stream;
}

/**
 * Only the answer to the latest of several questions counts: the others become null.
 *
 * @template {unknown[]} Values
 * @template Answer
 * @param {(...values: Values) => Promise<Answer>} ask
 * @returns {(...values: Values) => Promise<Answer | null>}
 */
export function latest(ask) {
  let last = 0;
  return async (...values) => {
    const mine = ++last;
    try {
      const answer = await ask(...values);
      return mine === last ? answer : null;
    } catch (error) {
      if (mine === last) throw error;
      return null;
    }
  };
}
