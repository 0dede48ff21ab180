// Talking to the service under /api, which docs/api.md describes.

/** What the service does not want to do, and why. */
export class Refusal extends Error {
  constructor(status, { code = "unknown", message = "Something went wrong.", help = null, ...more } = {}) {
    super(message);
    Object.assign(this, { status, code, help, more });
  }
}

// A cookie has the token by now: the address, which is seen, shared and logged, need not.
const page = new URL(location);
if (page.searchParams.has("token")) {
  page.searchParams.delete("token");
  history.replaceState(null, "", page);
}

/** The address of a request: beside this script, wherever a proxy shows the page. */
function address(path, query = {}) {
  const url = new URL(`api${path}`, import.meta.url);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(key, value);
  }
  return url;
}

async function request(method, path, { query, body } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address(path, query), { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Refusal(0, { code: "silent", message: "The service does not answer. Is gdlr web still running?" });
  }
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  if (answer.ok) return isJson ? answer.json() : answer.text();
  const error = isJson ? (await answer.json()).error : undefined;
  throw new Refusal(answer.status, error ?? { message: `The service answered ${answer.status}.` });
}

export const get = (path, query) => request("GET", path, { query });
export const post = (path, body = {}) => request("POST", path, { body });

/** Listens to a stream: `listeners` by event, with the data of each. */
export function listen(path, query, listeners) {
  const stream = new EventSource(address(path, query));
  for (const [event, listener] of Object.entries(listeners)) {
    stream.addEventListener(event, (message) => listener(message.data ? JSON.parse(message.data) : null));
  }
  return stream;
}

/** Only the answer to the latest of several questions counts: the others become null. */
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
