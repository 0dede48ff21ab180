// Talking to the service under /api, which docs/api.md describes.

/** What the service does not want to do, and why. */
export class Refusal extends Error {
  constructor(status, { code = "unknown", message = "Something went wrong.", help = null, ...more } = {}) {
    super(message);
    Object.assign(this, { status, code, help, more });
  }
}

/** The address says what may be seen, where the service is not on this machine alone. */
const token = new URLSearchParams(location.search).get("token");

/** The address of a request. */
function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(pairs).toString();
  return text ? `/api${path}?${text}` : `/api${path}`;
}

async function request(method, path, { query, body } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
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
  // A stream has no headers.
  const stream = new EventSource(address(path, { ...query, token }));
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
